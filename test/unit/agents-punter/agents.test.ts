import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import Baby from '../../../agents/punter/baby.ts'
import Greedy from '../../../agents/punter/greedy.ts'
import Tartaglia from '../../../agents/punter/tartaglia.ts'
import type { Move, RiverMap, Settings } from '../../../agents/punter/knowledge/board.ts'
import { rules } from '../../../main/referees/punter/rules.ts'
import { futureScore, isOver, scoreOf, turnOf, type State } from '../../../main/referees/punter/state.ts'
import { lastMoves, setupMessages } from '../../../main/referees/punter/referee.ts'
import { completed, seatsOf } from '../punter/stage.ts'

interface Agent {
  setup(map: RiverMap, settings: Settings): void
  futures?(): readonly object[]
  move(moves: readonly Move[]): Move
}

const mapOf = (name: string): string =>
  readFileSync(new URL(`../../../agents/punter/maps/${name}.json`, import.meta.url), 'utf8')
/** Plays a match; `kinds`: what each seat did, one name a move. */
function played(agents: readonly Agent[], settings: object): { state: State; kinds: ReadonlySet<string>[] } {
  const state = rules.initial(completed(settings), seatsOf(agents.length), '')
  const kinds = agents.map(() => new Set<string>())
  for (const [seat, message] of setupMessages(state).entries()) {
    const agent = agents[seat]!
    agent.setup(message.map, { ...message.settings, punter: seat, punters: agents.length })
    const futures = message.settings?.futures === true ? (agent.futures?.() ?? []) : []
    rules.apply(state, { type: 'ready', seat, futures: futures as never })
  }
  while (!isOver(state)) {
    const seat = turnOf(state)
    const move = agents[seat]!.move(lastMoves(state) as readonly Move[])
    kinds[seat]!.add(Object.keys(move)[0]!)
    expect(rules.apply(state, { type: 'move', seat, move: move as never })).toBeNull()
    // An agent of ours never makes a move that is refused.
    expect(state.punters[seat]!.refused).toBeNull()
  }
  return { state, kinds }
}

const every = { futures: true, splurges: true, options: true }

/** Whoever sits first has an advantage: each agent sits everywhere. */
const orders = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
]
const classes = [Baby, Greedy, Tartaglia]

test.each([{}, { futures: true }, { splurges: true }, { options: true }, every])(
  'the better agent has more in all with %j',
  (extensions) => {
    const sums = [0, 0, 0]
    for (const order of orders) {
      const agents = order.map((which) => new classes[which]!())
      const { state } = played(agents, { map: mapOf('grid'), ...extensions })
      for (const [seat, which] of order.entries()) sums[which]! += scoreOf(state.punters[seat]!)
    }
    const [baby, greedy, tartaglia] = sums
    expect(greedy).toBeGreaterThan(baby!)
    expect(tartaglia).toBeGreaterThan(greedy!)
  },
)

test('the reference agent bets and wins its bets, splurges, and buys options', () => {
  const { state, kinds } = played([new Tartaglia(), new Greedy()], { map: mapOf('grid'), ...every })
  expect(futureScore(state.punters[0]!)).toBeGreaterThan(0)
  expect([...kinds[0]!].sort()).toEqual(['claim', 'option', 'pass', 'splurge'])
})
