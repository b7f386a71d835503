import { expect, test } from 'vitest'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import type { Json } from '../../../main/contract/json.ts'
import { haggle } from '../../../main/referees/haggle/haggle.ts'
import { rules } from '../../../main/referees/haggle/rules.ts'

/** The ranks by seat when seat 0 walks away at once. */
function ranksIn(config: Json): readonly number[] {
  const parsed = haggle.config.parse(config)
  const state = rules.initial(parsed, [], '1'.repeat(64))
  rules.apply(state, { type: 'abort', seat: 0, reason: 'The player has left the match.' })
  const saved = rules.load(JSON.parse(JSON.stringify(rules.save(state))) as Json, parsed, [])
  return rules.outcome(saved)!.places.map(({ rank }) => rank)
}

test('a player that walks away is not the first of a new contest', () => {
  const complete = eraseGame(haggle).config({})
  if (!complete.ok) throw new Error(complete.error)
  expect(ranksIn(complete.value)).toEqual([2, 1])
})

test('recorded matches, whose configs say nothing of it, keep the ranks that they had', () => {
  expect(ranksIn({})).toEqual([1, 1])
})
