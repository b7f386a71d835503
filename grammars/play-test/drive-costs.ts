import type { Json } from '../json.ts'
import { grownValues } from './grow-values.ts'
import type { Piece } from './draw-pieces.ts'
import type { DrivenCost } from './report.ts'
import { SLOW, type Tools } from './tools.ts'

/** Instances whose values are grown; the smallest, because demands permit more growth of these. */
const PIECES = 2

/** A judgement that a player makes this much dearer is worth telling. */
const DEARER = 20

type Inputs = readonly [Json, Json, Json]

/**
 * Grows values of predicates, instances and solutions as players could choose them, and returns those that stay legal or
 * feasible while a judgement of them becomes slow. One entry a value, the dearest.
 */
export function drivenCosts(tools: Tools, pieces: readonly Piece[]): readonly DrivenCost[] {
  const found = new Map<string, DrivenCost>()
  const note = (cost: DrivenCost): void => {
    const known = found.get(cost.value)
    if (known === undefined || (known.after !== null && (cost.after === null || cost.after > known.after)))
      found.set(cost.value, cost)
  }
  const smallest = pieces.toSorted((a, b) => sizeOf(a) - sizeOf(b)).slice(0, PIECES)
  for (const piece of smallest) {
    for (const subject of ['predicate', 'instance', 'solution'] as const) growSubject(tools, piece, subject, note)
  }
  return [...found.values()]
}

function sizeOf({ instance }: Piece): number {
  return JSON.stringify(instance).length
}

const CLASSES = { predicate: 'Predicate', instance: 'Instance', solution: 'Solution' } as const

function growSubject(
  tools: Tools,
  { predicate, instance, solutions }: Piece,
  subject: keyof typeof CLASSES,
  note: (cost: DrivenCost) => void,
): void {
  const { challenge } = tools
  const shape = challenge.values.shape(CLASSES[subject])
  const [first] = solutions
  if (!shape.ok || first === undefined) return
  const inputs: Inputs = [predicate, instance, first.solution]
  const before = stepsOf(tools, inputs)
  const values = { predicate, instance, solution: first.solution }
  const limited = new Set<string>()
  for (const { place, grown, value } of grownValues(values[subject], shape.shape, subject)) {
    if (tools.isOver()) return
    // A place that has reached the limit once needs no more growth.
    if (limited.has(place) || !isValid(tools, { ...values, [subject]: value }, subject)) continue
    const changed = { ...values, [subject]: value }
    const solution = subject === 'instance' ? solutionFor(tools, changed) : changed.solution
    for (const [what, steps] of stepsOf(tools, [changed.predicate, changed.instance, solution])) {
      const usual = before.get(what) ?? 0
      if (!BLAMED[subject].includes(what) || steps < SLOW || steps < DEARER * usual) continue
      note({ value: place, what, before: usual, after: Number.isFinite(steps) ? steps : null, grown })
      if (!Number.isFinite(steps)) limited.add(place)
    }
  }
}

/** The evaluations that others suffer from; a legal value that makes its own check fail is simply refused. */
const BLAMED: Readonly<Record<keyof typeof CLASSES, readonly string[]>> = {
  predicate: ['legal predicate', 'legal instance'],
  instance: ['legal instance', 'feasible solution', 'measure', 'bound'],
  solution: ['feasible solution', 'measure'],
}

interface Values {
  readonly predicate: Json
  readonly instance: Json
  readonly solution: Json
}

function isValid({ challenge, config }: Tools, values: Values, subject: keyof Values): boolean {
  const { predicate, instance, solution } = values
  if (subject === 'predicate') return challenge.predicate(config, predicate).ok
  if (subject === 'instance') return challenge.legal(config, predicate, instance) === null
  return challenge.feasible(config, instance, solution) === null
}

/** A random solution of a grown instance; the old one if none is found at once. */
function solutionFor({ challenge, config, random }: Tools, { instance, solution }: Values): Json {
  const made = challenge.sampler.once('solution', [config, null, instance], random)
  return made.ok ? made.value : solution
}

function stepsOf(
  { challenge, config, now }: Tools,
  [predicate, instance, solution]: Inputs,
): ReadonlyMap<string, number> {
  return new Map(challenge.spent(config, predicate, instance, solution, now).map(({ what, steps }) => [what, steps]))
}
