import { expect, test } from 'vitest'
import type { Input } from '../../../main/referees/punter/input.ts'
import type { Move } from '../../../main/referees/punter/messages.ts'
import { rules } from '../../../main/referees/punter/rules.ts'
import { isOver, turnOf } from '../../../main/referees/punter/state.ts'
import { riversOfScene, spectatorView, type Scene } from '../../../main/referees/punter/narration/narrator.ts'
import { viewOf } from '../../../main/referees/punter/view.ts'
import { claim, completed, misses, option, pass, SAMPLE, seatsOf, splurge } from './stage.ts'

const moves: readonly Move[] = [
  claim(0, 1),
  claim(1, 3),
  pass,
  claim(0, 5),
  splurge(3, 5, 7),
  option(0, 1),
  claim(4, 5),
  claim(5, 6),
]
const settings = completed({ map: SAMPLE, futures: true, splurges: true, options: true })

/** A spectator's view of a match with these futures and the moves above, up to before its end. */
function told(futures: readonly (readonly object[])[]): readonly unknown[] {
  const names = ['Ann', 'Ben']
  const state = rules.initial(settings, seatsOf(2), '')
  const seen: unknown[] = [spectatorView.ground(settings), spectatorView.scene(state)]
  const play = (input: Input, isPublic: boolean): void => {
    const lines = spectatorView.input(state, names)
    expect(rules.apply(state, input)).toBeNull()
    seen.push(isPublic ? lines(input) : null, structuredClone(spectatorView.scene(state)))
  }
  for (const seat of [0, 1]) play({ type: 'ready', seat, futures: (futures[seat] ?? []) as never }, false)
  for (const move of moves) play({ type: 'move', seat: turnOf(state), move }, true)
  misses(state)
  seen.push(spectatorView.scene(state))
  expect(isOver(state)).toBe(false)
  return seen
}

test('spectators are told the same, whatever the punters bet', () => {
  const none = told([])
  expect(told([[{ source: 1, target: 0 }], [{ source: 5, target: 6 }]])).toEqual(none)
  // Nor of invalid futures, about which the punter's notes say more.
  expect(told([[{ source: 9, target: 9 }, 'nonsense'] as object[]])).toEqual(none)
  expect(JSON.stringify(none)).toContain('Ann claims 0-1.')
})

test('a scene has the rivers as the public view has them', () => {
  const state = rules.initial(settings, seatsOf(2), '')
  for (const seat of [0, 1]) rules.apply(state, { type: 'ready', seat, futures: [] })
  for (const move of moves) rules.apply(state, { type: 'move', seat: turnOf(state), move })
  const scene = JSON.parse(JSON.stringify(spectatorView.scene(state))) as Scene
  expect(riversOfScene(scene)).toEqual(viewOf(state, 'public').rivers)
  expect(riversOfScene(scene).some(({ holder }) => holder !== null)).toBe(true)
})
