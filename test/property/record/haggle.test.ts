import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rules, worth, type State } from '../../../main/referees/haggle/rules.ts'
import { repeats } from '../../long.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { dice, haggle, haggleMatch } from '../../unit/record/haggle-matches.ts'
import { askedOf, build, record, type Played } from '../../unit/record/stage.ts'
import { expectCommonAnswers } from './common.ts'
import { expectOrder, expectRows, grouped, mean } from './plain.ts'

interface Session {
  readonly played: Played
  readonly state: State
}

test('ready questions about random contests of sessions are answered as by folding each session', async () => {
  const folder = temporaryFolder('haggle')
  for (let round = 0; round < repeats({ short: 6, long: 200 }); round++) {
    const next = dice(round + 1)
    const sessions = Array.from({ length: 1 + next(12) }, (_, match): Session => haggleMatch(match, next))
    const dir = join(folder, String(round))
    await record(
      dir,
      haggle,
      sessions.map(({ played }) => played),
    )
    await build(dir, haggle)
    const ask = (name: string, agent?: string) => askedOf(dir, haggle, name, agent === undefined ? {} : { agent })
    expectRows(ask('first-offers'), firstOffers(sessions))
    expectOrder(ask('first-offers'), 'own_share', 'falling')
    expectRows(
      ask('first-offers', 'anna'),
      firstOffers(sessions).filter(({ agent }) => agent === 'anna'),
    )
    expectRows(ask('concession-curves'), concessions(sessions))
    expectRows(ask('missed-agreements'), missed(sessions), ['line', 'move', 'part'])
    const ended = sessions.map(({ played, state }) => ({
      ...{ played, outcome: rules.outcome(state)!, agents: played.names },
    }))
    expectCommonAnswers(dir, haggle, ended, { agent: 'ben', match: next(sessions.length) })
    expectPlaces(sessions, ask('first-offers'))
  }
})

interface Demand {
  readonly agent: string
  readonly ownTurn: number
  readonly own: number
  readonly other: number
  readonly total: number
  readonly accepted: boolean
}

function demandsOf({ played, state }: Session): readonly Demand[] {
  const { offers, counts, values } = state
  return offers.flatMap((demand, turn): Demand[] => {
    if (demand === null) return []
    const seat = turn % 2
    const rest = counts.map((count, type) => count - demand[type]!)
    return [
      {
        ...{ agent: played.names[seat]!, ownTurn: 1 + Math.floor(turn / 2), own: worth(demand, values[seat as 0 | 1]) },
        ...{ other: worth(rest, values[(1 - seat) as 0 | 1]), total: worth(counts, values[0]) },
        accepted: offers[turn + 1] === null,
      },
    ]
  })
}

function firstOffers(sessions: readonly Session[]) {
  const first = sessions.flatMap(demandsOf).filter(({ ownTurn }) => ownTurn === 1)
  return grouped(first, ({ agent }) => agent).map(([agent, demands]) => ({
    ...{ agent, sessions: demands.length, own_share: mean(demands.map(({ own, total }) => own / total)) },
    other_share: mean(demands.map(({ other, total }) => other / total)),
    accepted: demands.filter(({ accepted }) => accepted).length,
    boldest: Math.max(...demands.map(({ own }) => own)),
  }))
}

function concessions(sessions: readonly Session[]) {
  const key = ({ agent, ownTurn }: Demand): string => JSON.stringify([agent, ownTurn])
  return grouped(sessions.flatMap(demandsOf), key).map(([, demands]) => ({
    ...{ agent: demands[0]!.agent, own_turn: demands[0]!.ownTurn, demands: demands.length },
    own_share: mean(demands.map(({ own, total }) => own / total)),
    other_share: mean(demands.map(({ other, total }) => other / total)),
  }))
}

function missed(sessions: readonly Session[]) {
  return sessions.flatMap((session) => {
    const { played, state } = session
    const demands = demandsOf(session)
    const demanded = demands.length === 0 ? null : Math.max(...demands.map(({ own, other }) => Math.min(own, other)))
    const best = Math.max(...divisions(state.counts).map((share) => leastOf(state, share)))
    if (state.ending?.type === 'agreed' || Math.max(demanded ?? 0, best) === 0) return []
    const [first, second] = played.names
    return [
      {
        ...{
          match: played.match,
          first: first!,
          second: second!,
          ending: state.ending!.type,
          turns: state.offers.length,
        },
        ...{ demanded_least: demanded, best_least: best },
      },
    ]
  })
}

function divisions(counts: readonly number[]): readonly (readonly number[])[] {
  return counts.reduce<readonly (readonly number[])[]>(
    (shares, count) => shares.flatMap((share) => Array.from({ length: count + 1 }, (_, taken) => [...share, taken])),
    [[]],
  )
}

function leastOf({ counts, values }: State, share: readonly number[]): number {
  const rest = counts.map((count, type) => count - share[type]!)
  return Math.min(worth(share, values[0]), worth(rest, values[1]))
}

/** The place of a boldest demand is that of a demand of that value. */
function expectPlaces(sessions: readonly Session[], rows: readonly Readonly<Record<string, unknown>>[]): void {
  for (const { agent, boldest, match, move } of rows) {
    const { played, state } = sessions[Number(match)]!
    const happening = played.happenings[Number(move) - 1]!
    const input = ('input' in happening ? happening.input : null) as { seat: 0 | 1; value: number[] }
    expect(played.names[input.seat]).toBe(agent)
    expect(worth(input.value, state.values[input.seat])).toBe(boldest)
  }
}
