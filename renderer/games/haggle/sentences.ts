import { shareInWords } from '../../../main/referees/haggle/objects.ts'
import { visible } from '../../parts/lists/visible.ts'
import { number } from '../../words.ts'
import type { Line, Swing } from '../game.ts'
import type { Digest } from './digests.ts'

export const dollars = (amount: number): string => `$${number(amount)}`

/** An event in one sentence that names everybody. */
export function lineOf(digest: Digest, name: (seat: number) => string): Line {
  const { kind, seat, shares, worths, text, ending } = digest
  const who = name(seat ?? 0)
  const other = name(1 - (seat ?? 0))
  const line = (said: string, rule: string, tone: Line['tone'] = 'plain', number?: number): Line => {
    return { seat, text: said, rule: { name: rule, title: '', ...(number === undefined ? {} : { number }) }, tone }
  }
  switch (kind) {
    case 'console':
      return line(`${who} prints: ${visible(text)}`, 'Console', 'console')
    case 'fault':
      return line(`${who}: ${visible(text)}`, 'Fault', 'bad')
    case 'abort':
      return line(`${who} walks away: ${visible(text)}`, 'Walked away', 'bad', 7)
    case 'accept':
      return line(`${who} accepts${behind(worths, name)}.`, 'Agreed', 'plain', 4)
    case 'demand': {
      const [own, rest] = [shares?.[seat ?? 0] ?? [], shares?.[1 - (seat ?? 0)] ?? []]
      const end = ' That was the last turn: they have not agreed.'
      const said = `${who} wants ${shareInWords(own)} and leaves ${other} ${shareInWords(rest)}${behind(worths, name)}.`
      if (ending === 'not agreed') return line(said + end, 'Not agreed', 'bad', 5)
      return line(said, 'Demand', ending === null ? 'plain' : 'bad', 3)
    }
  }
}

/** The same behind a colon; nothing where nothing is known. */
function behind(worths: Digest['worths'], name: (seat: number) => string): string {
  const known = amounts(worths, name)
  return known === '' ? '' : `: ${known}`
}

/** `$6 for Anna, $4 for Ben`: of those that are known. */
export function amounts(worths: Digest['worths'], name: (seat: number) => string): string {
  return worths.flatMap((worth, seat) => (worth === null ? [] : [`${dollars(worth)} for ${name(seat)}`])).join(', ')
}

/** The worth that a side gives up, or loses without a deal; null: the viewer did not know that side's values. */
export function swingOf(
  { kind, worths, ending }: Digest,
  { seat, amount }: Swing,
  name: (seat: number) => string,
): string | null {
  const worth = worths[seat === 0 ? 0 : 1]
  if (worth === null) return null
  const [who, lost] = [name(seat), dollars(-amount)]
  if (ending === 'abort' || ending === 'not agreed')
    return `${who} loses ${lost} that lay on the table: there is no deal.`
  return kind === 'accept'
    ? `${who} accepts ${dollars(worth)}, ${lost} less than it demanded last.`
    : `${who} gives up ${lost}: it demands ${dollars(worth)} now.`
}
