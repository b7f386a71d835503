import { order } from '../formulas/index.ts'
import type { Json } from '../json.ts'
import { climbFrom } from './climb-solutions.ts'
import { qualityOf, type JudgedSolution, type Piece } from './draw-pieces.ts'
import type { Margin, Spread } from './report.ts'
import type { Amounts, Tools } from './tools.ts'
import type { Trial } from './try-references.ts'

/** Steps of all variations together, at most, and variations of an instance at least. */
const STEPS_FOR_ALL = 25_000_000
const LEAST_VARIATIONS = 10

/** If an instance has only this many combinations for solutions, all are tried. */
const FEW = 100

/** Random solutions that the baby agent tries on an instance. */
const BABY = 2

/** Solutions that are tried on all instances, to see if one answer fits all. */
const CANDIDATES = 4

/** A share of the instances that stands for all of them. */
const NEARLY_ALL = 0.95

/** An instance with its qualities. */
interface MeasuredPiece {
  readonly predicate: Json
  readonly instance: Json
  readonly qualities: readonly number[]
  readonly best: JudgedSolution
}

interface MeasuredSpread {
  readonly spread: Spread | null
  /** The instances with the best quality found. */
  readonly trials: readonly Trial[]
  /** A solution beyond its bound that was found among variations. */
  readonly beyond: { readonly piece: Piece; readonly solution: JudgedSolution } | null
  /** The text of a solution that is perfect for nearly all instances; null: none was found. */
  readonly oneAnswer: string | null
}

const NOTHING: MeasuredSpread = { spread: null, trials: [], beyond: null, oneAnswer: null }

/** Solves each instance as well as a short search can, and compares that with chance. `steps`: of one judgement. */
export function measureSpread(tools: Tools, amounts: Amounts, pieces: readonly Piece[], steps: number): MeasuredSpread {
  const affordable = Math.floor(STEPS_FOR_ALL / (Math.max(1, pieces.length) * Math.max(1, steps)))
  const variations = Math.max(LEAST_VARIATIONS, Math.min(amounts.variations, affordable))
  const measured: MeasuredPiece[] = []
  for (const piece of pieces) {
    const qualities = piece.solutions.map(qualityOf).filter((quality) => quality !== null)
    if (qualities.length === 0 || tools.isOver()) continue
    const all = allJudged(tools, piece.instance, Math.min(FEW, affordable))
    const best = climbFrom(tools, piece.instance, [...piece.solutions, ...all], variations)
    if (best === null) continue
    if (best.judgement.kind === 'outside') return { ...NOTHING, beyond: { piece, solution: best } }
    measured.push({ ...piece, qualities, best })
  }
  if (measured.length === 0) return NOTHING
  const trials = measured.map((piece) => ({ ...piece, best: bestOf(piece) }))
  return { spread: spreadOf(tools, measured), trials, beyond: null, oneAnswer: oneAnswerOf(tools, measured) }
}

/** All solutions that the file's property can make, judged; none if there are more. */
function allJudged({ challenge, config }: Tools, instance: Json, most: number): readonly JudgedSolution[] {
  const every = challenge.sampler.everySolution(config, instance, most) ?? []
  return every.map((solution) => ({ solution, judgement: challenge.judgement(config, instance, solution) }))
}

function spreadOf(tools: Tools, measured: readonly MeasuredPiece[]): Spread {
  const share = (holds: (piece: MeasuredPiece) => boolean): number => measured.filter(holds).length / measured.length
  return {
    instances: measured.length,
    chance: mean(measured.map(({ qualities }) => mean(qualities))),
    baby: mean(measured.map(({ qualities }) => Math.max(...qualities.slice(0, BABY)))),
    best: mean(measured.map(bestOf)),
    zero: share(({ qualities }) => qualities[0] === 0),
    one: share(({ qualities }) => qualities[0] === 1),
    flat: share((piece) => new Set([...piece.qualities, bestOf(piece)]).size === 1),
    margins: marginsOf(tools, measured),
  }
}

function bestOf({ best }: MeasuredPiece): number {
  return qualityOf(best) ?? 0
}

function marginsOf({ challenge }: Tools, measured: readonly MeasuredPiece[]): readonly Margin[] {
  const byPredicate = Map.groupBy(measured, ({ predicate }) => JSON.stringify(predicate))
  return [...byPredicate.values()]
    .map((pieces) => {
      const hardest = pieces.reduce((a, b) => (bestOf(b) < bestOf(a) ? b : a))
      const [price, chance] = [bestOf(hardest), mean(hardest.qualities)]
      const predicate = challenge.values.print(hardest.predicate, 'Predicate').trim()
      return { predicate, price, chance, margin: price - chance }
    })
    .toSorted((a, b) => b.margin - a.margin)
}

/** Needs several different instances: of a single one any best solution is the answer. */
function oneAnswerOf({ challenge, config }: Tools, measured: readonly MeasuredPiece[]): string | null {
  const distinct = new Map(measured.map((piece) => [JSON.stringify(piece.instance), piece]))
  const perfect = [...distinct.values()].filter((piece) => bestOf(piece) === 1)
  if (distinct.size < 5 || perfect.length < NEARLY_ALL * distinct.size) return null
  const fits = (solution: Json): boolean => {
    const solved = [...distinct.values()].filter(({ instance }) => {
      if (challenge.feasible(config, instance, solution) !== null) return false
      const judged = challenge.judgement(config, instance, solution)
      return judged.kind === 'rated' && order(judged.rating.quality, 1) === 0
    })
    return solved.length >= NEARLY_ALL * distinct.size
  }
  const answers = perfect.slice(0, CANDIDATES).map(({ best }) => best.solution)
  const found = answers.find(fits)
  return found === undefined ? null : challenge.values.print(found, 'Solution').trim()
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length
}
