import type { ContestDraft } from '../../../main/contract/procedures.ts'
import { number } from '../../words.ts'

const UNIT = 1_000_000_000
/** A value that has no words of its own is shown as far as a line goes. */
const LONGEST = 200

const labels: Readonly<Record<string, string>> = {
  challenge: 'Challenge',
  init: 'Energy at the start',
  maxTurns: 'Rounds of trading',
  mindec: 'Least decrement',
  offersMin: 'New offers a turn, at least',
  offersMax: 'New offers a turn, at most',
  acceptOrReoffer: 'Who buys nothing reoffers',
  order: 'Order of turns',
}

/** The settings of a contest's game in words; those of its challenge among them. */
export function settingsOf({ config }: ContestDraft): readonly (readonly [label: string, value: string])[] {
  const { challengeConfig, ...rest } = (config ?? {}) as Readonly<Record<string, unknown>>
  const own = typeof challengeConfig === 'object' && challengeConfig !== null ? challengeConfig : {}
  return [
    ...Object.entries(rest).map(([name, value]) => [labels[name] ?? name, wordsOf(name, value)] as const),
    ...Object.entries(own).map(([name, value]) => [`Challenge: ${name}`, wordsOf('', value)] as const),
  ]
}

function wordsOf(name: string, value: unknown): string {
  if (typeof value === 'number')
    return name === 'init' || name === 'mindec' ? number(value / UNIT, 9) : number(value, 9)
  if (name === 'challenge' && typeof value === 'string') return challengeName(value)
  if (name === 'order') return value === 'fixed' ? 'the same every round' : 'another one begins each round'
  if (name === 'acceptOrReoffer') return value === 'all' ? 'all offers of the others' : 'at least one of them'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

/** Of a challenge's name, itself; of its whole file, what its first line calls it. */
function challengeName(source: string): string {
  return /^\s*challenge\s+([a-z][a-z0-9-]*)/m.exec(source)?.[1] ?? source.slice(0, LONGEST)
}
