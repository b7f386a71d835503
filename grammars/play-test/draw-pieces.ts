import { toNumber, type Fraction } from '../formulas/index.ts'
import type { Judgement } from '../challenges/challenge.ts'
import type { Json } from '../json.ts'
import type { DearestJudgement, DrawnAt, Tally } from './report.ts'
import { SLOW, type Amounts, type Tools } from './tools.ts'

/** Attempts for each object that is wanted, before the sampler that agents use is asked, which makes a thousand. */
const ATTEMPTS = 25

/** An instance with the random solutions that were judged. */
export interface Piece {
  readonly predicate: Json
  readonly instance: Json
  /** Feasible ones, in the order of drawing. */
  readonly solutions: readonly JudgedSolution[]
}

export interface JudgedSolution {
  readonly solution: Json
  readonly judgement: Judgement
}

export interface Drawn {
  readonly at: DrawnAt
  readonly predicates: readonly Json[]
  readonly pieces: readonly Piece[]
  /** Predicates without instances, and instances without solutions. */
  readonly barren: { readonly predicates: number; readonly instances: number }
  /** True if judging is so slow that drawing ended early. */
  readonly isSlow: boolean
  /** True if the time was up before a predicate was drawn. */
  readonly isOver: boolean
}

/** Draws predicates, instances of each and solutions of each, and judges them all. */
export function drawPieces(tools: Tools, amounts: Pick<Amounts, 'predicates' | 'instances' | 'solutions'>): Drawn {
  const { challenge, config, random } = tools
  const { sampler } = challenge
  const [predicateTally, instanceTally, solutionTally] = [emptyTally(), emptyTally(), emptyTally()]
  const dearest = new Map<string, DearestJudgement>()
  const pieces: Piece[] = []
  const barren = { predicates: 0, instances: 0 }
  const drawn = several(tools, amounts.predicates, predicateTally, {
    once: () => sampler.once('predicate', [config], random),
    search: () => sampler.predicate(config, random),
  })
  const predicates = different(drawn).flatMap((value) => {
    const checked = challenge.predicate(config, value)
    return checked.ok ? [checked.value] : []
  })
  // Few different predicates get more instances each.
  const each = Math.ceil((amounts.predicates * amounts.instances) / Math.max(1, predicates.length))
  for (const predicate of predicates) {
    if (tools.isOver()) break
    const instances = several(tools, each, instanceTally, {
      once: () => sampler.once('instance', [config, predicate], random),
      search: () => sampler.instance(config, predicate, random),
    })
    if (instances.length === 0 && !tools.isOver()) barren.predicates += 1
    for (const instance of instances) {
      const solutions = several(tools, amounts.solutions, solutionTally, {
        once: () => sampler.once('solution', [config, null, instance], random),
        search: () => sampler.solution(config, instance, random),
      })
      if (solutions.length === 0) {
        if (!tools.isOver()) barren.instances += 1
        continue
      }
      noteCosts(tools, dearest, [predicate, instance, solutions[0]!])
      const isSlow = [...dearest.values()].some(({ steps }) => steps === null || steps >= SLOW)
      // One instance with one solution says enough about a slow game.
      const judged = (isSlow ? solutions.slice(0, 1) : solutions).map((solution) => {
        return { solution, judgement: challenge.judgement(config, instance, solution) }
      })
      pieces.push({ predicate, instance, solutions: judged })
      if (isSlow) return result(true)
    }
  }
  return result(false)

  function result(isSlow: boolean): Drawn {
    const at = {
      config,
      predicates: predicateTally,
      instances: instanceTally,
      solutions: solutionTally,
      sizes: sizesOf(pieces.map(({ instance }) => challenge.values.print(instance, 'Instance').trim().length)),
      judgements: [...dearest.values()],
    }
    return { at, predicates, pieces, barren, isSlow, isOver: predicates.length === 0 && tools.isOver() }
  }
}

type Writable<T> = { -readonly [key in keyof T]: T[key] }

function emptyTally(): Writable<Tally> {
  return { tried: 0, found: 0, refused: null }
}

type Made = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly error: string }

/** Up to `wanted` objects from single attempts; if all fail, one from a long search. */
function several(
  tools: Tools,
  wanted: number,
  tally: Writable<Tally>,
  make: { once(): Made; search(): Made },
): readonly Json[] {
  const found: Json[] = []
  for (let tried = 0; found.length < wanted && tried < ATTEMPTS * wanted && !tools.isOver(); tried++) {
    const made = make.once()
    tally.tried += 1
    if (made.ok) {
      tally.found += 1
      found.push(made.value)
    } else tally.refused ??= made.error
  }
  if (found.length > 0 || tools.isOver()) return found
  const made = make.search()
  return made.ok ? [made.value] : []
}

function different(values: readonly Json[]): readonly Json[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}

/** Keeps the steps and the time of each kind of evaluation where they exceed the known ones. */
function noteCosts(
  { challenge, config, now }: Tools,
  dearest: Map<string, DearestJudgement>,
  [predicate, instance, solution]: readonly [Json, Json, Json],
): void {
  for (const { what, steps, ms } of challenge.spent(config, predicate, instance, solution, now)) {
    const known = dearest.get(what)
    const taken = Number.isFinite(steps) ? steps : null
    const more = known === undefined || known.steps === null || taken === null ? taken : Math.max(known.steps, taken)
    dearest.set(what, {
      what,
      steps: known?.steps === null ? null : more,
      ms: Math.max(known?.ms ?? 0, Math.round(ms * 100) / 100),
    })
  }
}

function sizesOf(lengths: readonly number[]): DrawnAt['sizes'] {
  const sorted = lengths.toSorted((a, b) => a - b)
  const [least, most, median] = [sorted[0], sorted.at(-1), sorted[Math.floor(sorted.length / 2)]]
  return least === undefined || most === undefined || median === undefined ? null : { least, median, most }
}

/** The quality of a judged solution as a number; null: it has none. */
export function qualityOf({ judgement }: JudgedSolution): number | null {
  return judgement.kind === 'rated' ? toNumber(judgement.rating.quality) : null
}

/** The exact quality; null: it has none. */
export function exactQuality({ judgement }: JudgedSolution): Fraction | null {
  return judgement.kind === 'rated' ? judgement.rating.quality : null
}
