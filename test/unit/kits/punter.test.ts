import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import Baby from '../../../agents/punter/baby.ts'
import type { Move, RiverMap, Settings } from '../../../agents/punter/knowledge/board.ts'
import { rules } from '../../../main/referees/punter/rules.ts'
import { isOver, scoreOf, turnOf } from '../../../main/referees/punter/state.ts'
import { lastMoves, setupMessages } from '../../../main/referees/punter/referee.ts'
import { completed, seatsOf } from '../punter/stage.ts'
import { classOf, firstAgent, lessonsOf, withLessons } from './lessons.ts'

interface Punter {
  setup(map: RiverMap, settings: Settings): void
  move(moves: readonly Move[]): Move
}

const map = readFileSync(new URL('../../../agents/punter/maps/grid.json', import.meta.url), 'utf8')

/** The scores of both after a match on the grid. No move is refused. */
function played(agents: readonly [Punter, Punter]): readonly number[] {
  const state = rules.initial(completed({ map }), seatsOf(2), '')
  for (const [seat, message] of setupMessages(state).entries()) {
    agents[seat]!.setup(message.map, { punter: seat, punters: 2 })
    rules.apply(state, { type: 'ready', seat, futures: [] })
  }
  while (!isOver(state)) {
    const seat = turnOf(state)
    const move = agents[seat]!.move(lastMoves(state) as readonly Move[])
    rules.apply(state, { type: 'move', seat, move: move as never })
    expect(state.punters[seat]!.refused).toBeNull()
  }
  return state.punters.map(scoreOf)
}

/** The agent of the kit after some lessons against the baby, sitting first and second. */
function against(lessons: number): { readonly mine: number; readonly theirs: number } {
  const script = withLessons(firstAgent('punter', 'javascript/agent.cjs'), lessonsOf('punter').slice(0, lessons))
  const Mine = classOf<new () => Punter>(script, () => 0)
  const [first, second] = [played([new Mine(), new Baby()]), played([new Baby(), new Mine()])]
  return { mine: first[0]! + second[1]!, theirs: first[1]! + second[0]! }
}

test('there are two lessons, and each makes the agent of the kit better', () => {
  expect(lessonsOf('punter').map((pieces) => pieces.length)).toEqual([1, 1])
  const [none, one, both] = [against(0), against(1), against(2)]
  expect(one.mine).toBeGreaterThan(none.mine)
  expect(both.mine).toBeGreaterThan(one.mine)
  expect(both.mine).toBeGreaterThan(both.theirs)
})
