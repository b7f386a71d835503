import { mersenneOf } from '../../../../main/contract/mersenne.ts'
import { shuffled } from '../../../../main/contract/random.ts'
import type { GameFormat } from '../../../games/field.ts'
import { schemaFormat } from '../formats/format-forms.ts'
import type { Form } from '../new/form.ts'

// The order of entrants, where a format gives places by it.

/** Names in an order that somebody has arranged; the others follow as they are, but before the last `house` of those. */
export function arranged(names: readonly string[], order: readonly string[], house = 0): readonly string[] {
  const places = new Map(order.map((name, at) => [name, at]))
  const known = names.filter((name) => places.has(name)).toSorted((a, b) => places.get(a)! - places.get(b)!)
  const others = names.filter((name) => !places.has(name))
  return known.toSpliced(Math.max(0, known.length - house), 0, ...others)
}

/** A list in which the element at one index has moved to another; an index beyond the ends changes nothing. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const one = list[from]
  return one === undefined || to < 0 || to >= list.length ? list : list.toSpliced(from, 1).toSpliced(to, 0, one)
}

/** An order that the seed draws; the names' own order does not matter. */
export function drawnOrder(names: readonly string[], seed: string): readonly string[] {
  return shuffled(names.toSorted(), mersenneOf(new TextEncoder().encode(`order:${seed}`)))
}

/** The meaning of the order in a format. */
export interface OrderMeaning {
  /** In a sentence. */
  readonly hint: string
  /** The part of the entrant at an index; '': none. */
  part(index: number, count: number): string
  /** The number of house agents, the last of the list. */
  readonly house: number
}

/** The meaning of the order in the chosen format; null: it has none. */
export function orderMeaning(
  form: Pick<Form, 'format' | 'formatSettings' | 'ties' | 'finalists'>,
  own: readonly GameFormat[],
): OrderMeaning | null {
  const { format, formatSettings: settings } = form
  const house = format === 'pools' ? Number(settings.house ?? 0) : (schemaFormat(format, own)?.house ?? 0)
  if (house > 0) {
    const isHouse = (index: number, count: number): boolean => index >= count - house
    return {
      hint: house === 1 ? 'The last one is the house agent.' : `The last ${house} are house agents.`,
      part: (index, count) => (isHouse(index, count) ? 'house agent' : ''),
      house,
    }
  }
  switch (format) {
    case 'knockout':
      if (settings.seeding === 'drawn') return null
      return {
        hint: 'The strongest come first: they meet as late as possible.',
        part: (at) => `seed ${at + 1}`,
        house: 0,
      }
    case 'ladder':
      return { hint: 'Entrants join in this order.', part: () => '', house: 0 }
    case 'gauntlet': {
      const challengers = Number(settings.challengers ?? 1)
      const are = challengers === 1 ? 'The first one plays' : `The first ${challengers} play`
      return { hint: `${are} all others.`, part: (at) => (at < challengers ? 'challenger' : ''), house: 0 }
    }
    case 'ordered-pairs':
      if (form.ties !== 'seed' || form.finalists === 0) return null
      return {
        hint: 'The first in this order reach the final if entrants are tied at the cut.',
        part: () => '',
        house: 0,
      }
    case 'single':
      return { hint: 'Entrants sit in this order.', part: (at) => `seat ${at + 1}`, house: 0 }
    default:
      return null
  }
}

/** The name under which games ship their house agents. */
const HOUSE = 'house'

/** The order at first: as given, with agents that ship as the house at the end, where formats expect it. */
export const initialOrder = (names: readonly string[]): readonly string[] =>
  names.toSorted((a, b) => Number(a === HOUSE) - Number(b === HOUSE))
