import { inWords, nameOfType, plural, shareInWords } from '../../../referees/haggle/objects.ts'
import type { Share } from '../../../referees/haggle/rules.ts'
import type { SessionLog } from './session-log.ts'

/** The original's names of the two sides. */
const SIDES = ['Alice', 'Bob'] as const

/** A sentence of a session's story. `side`: the side that it is about; null: both. */
export interface Sentence {
  readonly side: 0 | 1 | null
  readonly text: string
}

/** Describes a logged session in words. Text from scripts is not sanitised here. */
export function storyOf(log: SessionLog): readonly Sentence[] {
  const story: Sentence[] = []
  for (const entry of log) {
    const side = entry[0] === 'seed' || entry[0] === 'init' || entry[0] === 'done' ? null : entry[1]
    const say = (text: string): unknown => story.push({ side, text })
    const name = side === null ? 'The session' : SIDES[side]
    switch (entry[0]) {
      case 'seed':
        say(`Seed: ${entry[1]}`)
        break
      case 'init': {
        const [, [first, second], counts] = entry
        say(`${SIDES[0]} is a ${first}, ${SIDES[1]} is a ${second}. There are ${shareInWords(counts)}.`)
        say(`They have ${plural(entry[3], 'round')} of two turns.`)
        break
      }
      case 'info':
        say(`${name} notes: ${JSON.stringify(entry[2])}`)
        break
      case 'offer': {
        const shares = entry[2] ?? null
        if (shares === null) say(`${name}: I accept.`)
        else say(`${name}: I want ${shareInWords(shares[entry[1]])}; you get ${shareInWords(shares[1 - entry[1]]!)}.`)
        break
      }
      case 'abort':
        say(`${name} ${side === null ? 'was stopped' : 'walked away'}: ${wordsOf(entry[2])}`)
        break
      case 'valuation':
        say(`To ${name}, ${prices(entry[2])}.`)
        break
      case 'score':
        say(`${name} gets $${entry[2]}.`)
        break
      case 'done':
        say(entry[1] ? 'They have agreed.' : 'They have not agreed.')
    }
  }
  return story
}

const wordsOf = (reason: unknown): string => (typeof reason === 'string' ? reason : JSON.stringify(reason))

function prices(values: Share): string {
  return inWords(values.map((value, type) => `a ${nameOfType(type)} is worth $${value}`))
}
