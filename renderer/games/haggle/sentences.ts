import { shareInWords } from '../../../main/referees/haggle/objects.ts'
import { visible } from '../../parts/visible.ts'
import { number } from '../../words.ts'
import type { Line } from '../game.ts'
import type { Digest } from './digests.ts'

export const dollars = (amount: number): string => `$${number(amount)}`

/** An event in one sentence that names everybody. */
export function lineOf(digest: Digest, name: (seat: number) => string): Line {
  const { kind, seat, shares, worths, text, ending } = digest
  const who = name(seat ?? 0)
  const other = name(1 - (seat ?? 0))
  const line = (said: string, rule: string, tone: Line['tone'] = 'plain'): Line => {
    return { seat, text: said, rule: { name: rule, title: '' }, tone }
  }
  switch (kind) {
    case 'console':
      return line(`${who} prints: ${visible(text)}`, 'Console', 'console')
    case 'fault':
      return line(`${who}: ${visible(text)}`, 'Fault', 'bad')
    case 'abort':
      return line(`${who} walks away: ${visible(text)}`, 'Walked away', 'bad')
    case 'accept':
      return line(`${who} accepts: ${amounts(worths, name)}.`, 'Agreed')
    case 'demand': {
      const [own, rest] = [shares?.[seat ?? 0] ?? [], shares?.[1 - (seat ?? 0)] ?? []]
      const end = ending === 'not agreed' ? ' That was the last turn: they have not agreed.' : ''
      const said = `${who} wants ${shareInWords(own)} and leaves ${other} ${shareInWords(rest)}: ${amounts(worths, name)}.`
      return line(said + end, ending === 'not agreed' ? 'Not agreed' : 'Demand', ending === null ? 'plain' : 'bad')
    }
  }
}

/** `$6 for Anna, $4 for Ben`. */
export function amounts(worths: readonly number[], name: (seat: number) => string): string {
  return worths.map((worth, seat) => `${dollars(worth)} for ${name(seat)}`).join(', ')
}
