import { order, show, toFraction } from '../formulas/index.ts'
import type { Json } from '../json.ts'
import type { Challenge } from './challenge.ts'
import { decimal } from './config.ts'
import type { ProblemList } from './problems.ts'
import type { Block, ExampleTree } from './tree.ts'

/** Plays through each example; whatever differs from what it says is a problem of the file. */
export function checkExamples(examples: readonly ExampleTree[], challenge: Challenge, list: ProblemList): void {
  for (const example of examples) checkExample(example, challenge, list)
}

function checkExample(example: ExampleTree, challenge: Challenge, list: ProblemList): void {
  const parsed = (block: Block, type: string): Json | undefined => {
    const result = challenge.values.parse(block.source, type, list.place(block.at))
    if (result.ok) return result.value
    list.addProblem(result.problem)
    return undefined
  }
  const config = challenge.config(Object.fromEntries(example.config.map(({ name, value }) => [name, decimal(value)])))
  if (!config.ok) return list.add(example.config[0]?.at ?? example.at, config.error)
  const predicate = parsed(example.predicate, 'Predicate')
  const instance = parsed(example.instance, 'Instance')
  const solution = parsed(example.solution, 'Solution')
  if (predicate === undefined || instance === undefined || solution === undefined) return

  const form = challenge.predicate(config.value, predicate)
  if (!form.ok) return list.add(example.predicate.at, `This predicate is refused. ${form.error}`)
  const illegal = challenge.legal(config.value, form.value, instance)
  if (illegal !== null) return list.add(example.instance.at, `This instance is not legal. ${illegal}`)
  const infeasible = challenge.feasible(config.value, instance, solution)
  if (infeasible !== null) return list.add(example.solution.at, `This solution is not feasible. ${infeasible}`)
  const quality = challenge.quality(config.value, instance, solution)
  if (typeof quality === 'string') return list.add(example.quality.at, quality)
  if (order(quality, toFraction(example.quality.value)) !== 0) {
    list.add(example.quality.at, `The quality is ${show(quality)}, not ${show(example.quality.value)}.`)
  }
}
