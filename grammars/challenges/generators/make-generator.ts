import type { Json } from '../../json.ts'
import type { Challenge } from '../challenge.ts'
import { checkConfig, decimal, kindOf } from '../config.ts'
import type { GeneratorTree } from '../tree.ts'
import type { Generator, GeneratorFault, Material, Planted } from './generator.ts'
import type { GeneratorRun } from './run-generator.ts'

/** The generator of a challenge, whose values are judged like those of players; null: the file has none. */
export function makeGenerator(
  tree: GeneratorTree | null,
  run: GeneratorRun | null,
  judging: Pick<Challenge, 'legal' | 'feasible' | 'rating'>,
): Generator | null {
  if (tree === null || run === null) return null
  return {
    parameters: tree.parameters.map((parameter) => ({
      name: parameter.name,
      whole: kindOf(parameter) === 'int',
      standard: decimal(parameter.standard),
      low: decimal(parameter.low),
      high: decimal(parameter.high),
    })),
    settings: (value) => checkConfig(tree.parameters, value, 'parameter'),
    make(config, predicate, settings, random) {
      const raw = run([config, predicate], settings as { readonly [name: string]: number }, random)
      if (!raw.ok) return fault(raw.limit ? 'generator-limit' : 'generator-failed', `has no value. ${raw.error}`)
      const { instance, planted, steps } = raw
      const illegal = judging.legal(config, predicate, instance)
      if (illegal !== null) return fault('generator-illegal', `makes an instance that is not legal. ${illegal}`)
      if (planted === undefined) return { ok: true, instance, planted: null, steps }
      const secret = plant(config, instance, planted, judging)
      return 'code' in secret ? secret : { ok: true, instance, planted: secret, steps }
    },
  }
}

function plant(
  config: Json,
  instance: Json,
  solution: Json,
  judging: Pick<Challenge, 'feasible' | 'rating'>,
): Planted | Fault {
  const infeasible = judging.feasible(config, instance, solution)
  if (infeasible !== null) return fault('planted-infeasible', `plants a solution that is not feasible. ${infeasible}`)
  const rating = judging.rating(config, instance, solution)
  if (typeof rating === 'string') return fault('planted-unrated', `plants a solution without a quality. ${rating}`)
  return { solution, quality: rating.quality }
}

type Fault = Extract<Material, { ok: false }>

function fault(code: GeneratorFault, what: string): Fault {
  return { ok: false, code, error: `The generator of the challenge ${what}` }
}
