import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pointsOf } from '../../../main/services/contests/formats/counting.ts'
import { sha256 } from '../../../main/histories/canonical.ts'
import { rules, worth, type State } from '../../../main/referees/haggle/rules.ts'
import { repeats } from '../../long.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { dice, haggle, haggleMatch } from '../../unit/record/haggle-matches.ts'
import { askedOf, build, record, type Played } from '../../unit/record/stage.ts'
import { expectOrder, expectRows, grouped, mean, sum, type Row } from './plain.ts'

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
    expectRows(ask('faults'), faults(sessions), ['match', 'line', 'move'])
    expectRows(ask('time-used'), times(sessions))
    expectRows(ask('upsets'), upsets(sessions), [])
    expectRows(
      ask('upsets', 'ben'),
      upsets(sessions).filter(({ agent, opponent }) => agent === 'ben' || opponent === 'ben'),
      [],
    )
    expectRows(ask('worst-losses'), losses(sessions), [])
    const chosen = next(sessions.length)
    const like = askedOf(dir, haggle, 'matches-like', { match: String(chosen) })
    expectRows(like, alike(sessions, chosen), [])
    expectOrder(like, 'same_entrants', 'falling')
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

function faults(sessions: readonly Session[]) {
  const all = sessions.flatMap(({ played }) =>
    played.happenings.flatMap((each) =>
      'fault' in each ? [{ match: played.match, agent: played.names[each.seat]!, kind: each.fault.kind }] : [],
    ),
  )
  return grouped(all, ({ agent, kind }) => JSON.stringify([agent, kind])).map(([, same]) => ({
    ...{ agent: same[0]!.agent, version: sha256(`agent of ${same[0]!.agent}`).slice(0, 8), kind: same[0]!.kind },
    ...{ faults: same.length, matches: new Set(same.map(({ match }) => match)).size },
  }))
}

function times(sessions: readonly Session[]) {
  const waits = sessions.flatMap(({ played: { happenings, names } }) => {
    let before = 0
    return happenings.flatMap((each, at) => {
      if ('printed' in each) return []
      const waited = at - before
      before = at
      return 'input' in each ? [{ agent: names[(each.input as { seat: number }).seat]!, waited }] : []
    })
  })
  return grouped(waits, ({ agent }) => agent).map(([agent, all]) => {
    const all_ = all.map(({ waited }) => waited)
    return { agent, inputs: all_.length, ms: sum(all_), mean: mean(all_), longest: Math.max(...all_) }
  })
}

/** The places of a match. */
function placesOf({ played, state }: Session) {
  const outcome = rules.outcome(state)!
  const points = pointsOf(outcome, haggle.contests)
  return outcome.places.map((place, at) => ({ ...place, agent: played.names[place.seat]!, points: points[at]! }))
}

function upsets(sessions: readonly Session[]) {
  const means = new Map(
    grouped(sessions.flatMap(placesOf), ({ agent }) => agent).map(([agent, all]) => [
      agent,
      mean(all.map(({ points }) => points))!,
    ]),
  )
  return sessions.flatMap((session) => {
    const places = placesOf(session)
    return places.flatMap((winner) =>
      places.flatMap((loser) => {
        const [own, others] = [means.get(winner.agent)!, means.get(loser.agent)!]
        if (winner.rank >= loser.rank || own >= others) return []
        return [
          {
            ...{ match: session.played.match, agent: winner.agent, opponent: loser.agent },
            ...{ difference: others - own, mean: own, opponent_mean: others },
          },
        ]
      }),
    )
  })
}

function losses(sessions: readonly Session[]) {
  return sessions.flatMap((session) => {
    const places = placesOf(session)
    const best = Math.max(...places.map(({ score }) => score))
    return places.flatMap(({ agent, rank, score, removed, reason }) =>
      rank === 1
        ? []
        : [
            {
              ...{ match: session.played.match, agent, rank, score, behind: best - score },
              ...{ removed: removed ? 1 : 0, reason: reason ?? null },
            },
          ],
    )
  })
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

/** The matches like a chosen one. */
function alike(sessions: readonly Session[], chosen: number): readonly Row[] {
  const all = sessions.map(({ played, state }) => {
    const outcome = rules.outcome(state)!
    const kinds = played.happenings.flatMap((each) => ('fault' in each ? `${each.seat} ${each.fault.kind}` : []))
    return {
      ...{ match: played.match, config: JSON.stringify(played.config) },
      entrants: [...played.names].sort().join(', '),
      outcome: outcome.places.map(({ rank, removed }) => `${rank}${removed ? ' removed' : ''}`).join(', '),
      faults: [...new Set(kinds)].sort().join(', '),
    }
  })
  const one = all.find(({ match }) => match === chosen)!
  return all
    .filter((each) => each !== one)
    .map(({ match, config, entrants, outcome, faults: fault }) => ({
      ...{ match, entrants, outcome, faults: fault },
      same_entrants: Number(entrants === one.entrants),
      same_settings: Number(config === one.config),
      same_outcome: Number(outcome === one.outcome),
      same_faults: Number(fault === one.faults),
    }))
    .filter((each) => each.same_entrants === 1 || (each.same_outcome === 1 && each.same_faults === 1))
}
