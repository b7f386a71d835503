import { ExpectedError } from '../../../contract/expected-error.ts'
import type { Json } from '../../../contract/json.ts'
import { eraseGame } from '../../../contract/game/erased-game.ts'
import { SEED_MAX, spaceOf } from '../../../referees/haggle/config.ts'
import { haggle } from '../../../referees/haggle/haggle.ts'
import type { Scenario } from '../../../referees/haggle/scenario.ts'

const game = eraseGame(haggle)
/** Scenario numbers in order, computed when iterated. */
export interface Seeds extends Iterable<number> {
  readonly length: number
  at(index: number): number | undefined
}

/** More scenarios would take too long. */
const SEEDS_MAX = 10_000_000

/**
 * Completes the settings of Haggling for the tools of 2018, whose clients know the original's words for an invalid offer. Throws ExpectedError 'usage' if they are not valid.
 */
export function haggleConfig(settings: Json): Json {
  const isObject = settings !== null && typeof settings === 'object' && !Array.isArray(settings)
  const complete = game.config(
    isObject ? { invalidOffers: 'plain', ...(settings as Readonly<Record<string, Json>>) } : settings,
  )
  if (!complete.ok)
    throw new ExpectedError('usage', 'settings-invalid', `The settings are not valid: ${complete.error}`)
  return complete.value
}

/** The scenarios with these numbers. */
export function* scenarios(settings: Json, seeds: Seeds): Generator<Scenario & { readonly seed: number }> {
  const space = spaceOf(haggle.config.parse(settings))
  if (typeof space === 'string') throw new ExpectedError('usage', 'settings-invalid', space)
  for (const seed of seeds) yield { seed, ...space.scenario(seed) }
}

/**
 * Parses numbers and ranges such as `1..5,9`; keeps their order. Throws ExpectedError 'usage' that names the wrong
 * part.
 */
export function readSeeds(text: string): Seeds {
  const ranges: { readonly from: number; readonly before: number; readonly count: number }[] = []
  let length = 0
  for (const piece of text.split(',')) {
    const [first = '', last = first, ...more] = piece.trim().split('..')
    const [from, to] = [seedOf(first, piece), seedOf(last, piece)]
    if (more.length > 0 || to < from) throw wrong(piece)
    ranges.push({ from, before: length, count: to - from + 1 })
    length += to - from + 1
    if (length > SEEDS_MAX)
      throw new ExpectedError('usage', 'option-out-of-range', `Seeds: the maximum is ${SEEDS_MAX}.`)
  }
  return {
    length,
    at(index) {
      const range = ranges.findLast(({ before }) => before <= index)
      return range === undefined || index >= length ? undefined : range.from + index - range.before
    },
    *[Symbol.iterator]() {
      for (const { from, count } of ranges) for (let seed = from; seed < from + count; seed++) yield seed
    },
  }
}

/**
 * Parses one number like the original: anything that JavaScript reads as a number, modulo 2^32. Throws ExpectedError
 * 'usage'.
 */
export function readSeed(text: string): number {
  const seed = Number(text) >>> 0
  if (seed === 0)
    throw new ExpectedError(
      'usage',
      'option-out-of-range',
      `The seed "${text}" is not a number from 1 to ${SEED_MAX} (modulo 2^32); without --seed it is random.`,
    )
  return seed
}

function seedOf(text: string, piece: string): number {
  const seed = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (seed < 1 || seed > SEED_MAX) throw wrong(piece)
  return seed
}

const wrong = (piece: string): ExpectedError =>
  new ExpectedError(
    'usage',
    'option-out-of-range',
    `Seeds: "${piece}" is neither a number from 1 to ${SEED_MAX} nor a range such as 1..50.`,
  )
