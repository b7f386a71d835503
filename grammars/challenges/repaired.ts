import type { FormulaFault } from '../formulas/index.ts'
import { foreignSigns } from '../formulas/syntax/foreign-signs.ts'
import { faultOf, repaired } from '../formulas/syntax/repair.ts'
import type { Repair } from '../formulas/syntax/repair.ts'
import { habitAt } from './habits.ts'
import { parseChallenge, tokensOf } from './parse.ts'
import type { Parsed } from './parse.ts'
import { MOST } from './problems.ts'

/** Maximum number of characters that are parsed again after repairs, in addition to once. */
const MOST_AGAIN = 2_000_000

/** A file that was read on after the mistakes that are known from other languages. */
export interface Repaired extends Parsed {
  /** The faults of the repairs, with offsets in the file as it is. The other ones have offsets in the repaired text. */
  readonly repairs: readonly FormulaFault[]
  /** The repaired text. */
  readonly text: string
  /** The offset in the file of an offset in the repaired text. */
  readonly original: (offset: number) => number
}

/**
 * Parses a file. A notation of another language at which it stops is reported with a remedy, and the file is read on as if it had been
 * followed, so that one mistake causes no others.
 */
export function parseRepaired(source: string): Repaired {
  const done: Repair[] = []
  const faults: FormulaFault[] = []
  let text = source
  let again = 0
  const original = (offset: number): number => {
    let at = offset
    for (let i = done.length - 1; i >= 0; i--) at = before(done[i]!, at)
    return at
  }
  for (;;) {
    const tokens = tokensOf(text)
    const signs = foreignSigns(text, tokens)
    const parsed = signs.length > 0 ? null : parseChallenge(text, tokens)
    const [repair] = parsed?.stops.flatMap((stop) => habitAt(stop) ?? []) ?? []
    const repairs = parsed === null ? signs : repair === undefined ? [] : [repair]
    again += text.length
    if (repairs.length === 0 || again > MOST_AGAIN + text.length || done.length + repairs.length > MOST) {
      const rest = parsed ?? parseChallenge(text, tokens)
      return { ...rest, repairs: faults, text, original }
    }
    faults.push(...repairs.map((one) => placed(faultOf(one), original)))
    text = repaired(text, repairs)
    done.push(...repairs.toReversed())
  }
}

/** The offset before a repair of an offset behind it. */
function before({ from, to, text, added = 0 }: Repair, offset: number): number {
  if (offset < from) return offset
  if (offset >= from + text.length) return offset - text.length + (to - from)
  return Math.min(Math.max(from, offset - added), Math.max(from, to - 1))
}

/** A fault with offsets in the file. */
function placed(fault: FormulaFault, original: (offset: number) => number): FormulaFault {
  const { at, remedy } = fault
  if (remedy === undefined) return { ...fault, at: original(at) }
  return { ...fault, at: original(at), remedy: { ...remedy, from: original(remedy.from), to: original(remedy.to) } }
}
