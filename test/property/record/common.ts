import type { ErasedGame } from '../../../main/contract/game/game.ts'
import type { Outcome } from '../../../main/contract/game/outcome.ts'
import { sha256 } from '../../../main/histories/canonical.ts'
import { pointsOf } from '../../../main/services/contests/formats/counting.ts'
import { askedOf, seedOf, type Happening, type Played } from '../../unit/record/stage.ts'
import { expectOrder, expectRows, grouped, mean, sum, type Row } from './plain.ts'

/** A match of a test that has ended. */
export interface Ended {
  readonly played: Played
  readonly outcome: Outcome
  /** The names of the agents, by seat. */
  readonly agents: readonly string[]
}

/** A match with its outcome by the rules of its game, in which some seats had faults at its end. `next`: a die. */
export function endedWithFaults(game: ErasedGame, played: Played, next: (below: number) => number): Ended {
  const seats = game.seats(played.config, played.names.length)
  if (typeof seats === 'string') throw new Error(seats)
  const replayer = game.fold(played.config, seats, seedOf(played.match))
  for (const each of played.happenings) if ('input' in each) replayer.apply(each.input)
  const outcome = replayer.outcome()
  if (outcome === null) throw new Error(`match ${played.match} has not ended`)
  const faulty = Array.from({ length: next(4) }, (): Happening => {
    return { seat: next(seats.length), fault: { kind: KINDS[next(KINDS.length)]!, text: 'It failed.' } }
  })
  return {
    ...{ outcome, agents: seats.map(({ entrant }) => played.names[entrant]!) },
    played: { ...played, happenings: [...played.happenings, ...faulty] },
  }
}

const KINDS = ['crash', 'timeout', 'invalid'] as const

/** The ready questions about contests of every game are answered as by counting from the matches themselves. */
export function expectCommonAnswers(
  dir: string,
  game: ErasedGame,
  matches: readonly Ended[],
  { agent, match: chosen }: { readonly agent: string; readonly match: number },
): void {
  const ask = (name: string, more: Readonly<Record<string, string>> = {}): readonly Row[] =>
    askedOf(dir, game, name, more)
  expectRows(ask('faults'), faults(matches), ['match', 'line', 'move'])
  expectRows(ask('time-used'), times(matches))
  const [upset, lost] = [upsets(game, matches), losses(game, matches)]
  expectRows(ask('upsets'), upset, [])
  expectOrder(ask('upsets'), 'difference', 'falling')
  expectRows(
    ask('upsets', { agent }),
    upset.filter((each) => each.agent === agent || each.opponent === agent),
    [],
  )
  expectRows(ask('worst-losses'), lost, [])
  expectOrder(ask('worst-losses'), 'behind', 'falling')
  expectRows(
    ask('worst-losses', { agent }),
    lost.filter((each) => each.agent === agent),
    [],
  )
  const like = ask('matches-like', { match: String(chosen) })
  expectRows(like, alike(matches, chosen), [])
  expectOrder(like, 'same_entrants', 'falling')
}

/** The matches like a chosen one. */
function alike(matches: readonly Ended[], chosen: number): readonly Row[] {
  const all = matches.map(({ played, outcome, agents }) => {
    const places = outcome.places.toSorted((a, b) => a.seat - b.seat)
    const kinds = played.happenings.flatMap((each) => ('fault' in each ? `${each.seat} ${each.fault.kind}` : []))
    return {
      ...{ match: played.match, config: JSON.stringify(played.config) },
      entrants: places
        .map(({ seat }) => agents[seat]!)
        .sort()
        .join(', '),
      outcome: places.map(({ rank, removed }) => `${rank}${removed ? ' removed' : ''}`).join(', '),
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

function faults(matches: readonly Ended[]) {
  const all = matches.flatMap(({ played, agents }) =>
    played.happenings.flatMap((each) =>
      'fault' in each ? [{ match: played.match, agent: agents[each.seat]!, kind: each.fault.kind }] : [],
    ),
  )
  return grouped(all, ({ agent, kind }) => JSON.stringify([agent, kind])).map(([, same]) => ({
    ...{ agent: same[0]!.agent, version: sha256(`agent of ${same[0]!.agent}`).slice(0, 8), kind: same[0]!.kind },
    ...{ faults: same.length, matches: new Set(same.map(({ match }) => match)).size },
  }))
}

function times(matches: readonly Ended[]) {
  const waits = matches.flatMap(({ played: { happenings }, agents }) => {
    let before = 0
    return happenings.flatMap((each, at) => {
      if ('printed' in each) return []
      const waited = at - before
      before = at
      const { seat } = ('input' in each ? each.input : {}) as { readonly seat?: unknown }
      return typeof seat === 'number' ? [{ agent: agents[seat]!, waited }] : []
    })
  })
  return grouped(waits, ({ agent }) => agent).map(([agent, all]) => {
    const each = all.map(({ waited }) => waited)
    return { agent, inputs: each.length, ms: sum(each), mean: mean(each), longest: Math.max(...each) }
  })
}

/** The places of a match, with the scores of tables. */
function placesOf({ contests }: ErasedGame, { outcome, agents }: Ended) {
  const points = pointsOf(outcome, contests)
  return outcome.places.map(({ score, ...place }, at) => ({
    ...place,
    ...{ score: score / (contests.scoreUnit ?? 1), agent: agents[place.seat]!, points: points[at]! },
  }))
}

function upsets(game: ErasedGame, matches: readonly Ended[]) {
  const all = matches.flatMap((match) => placesOf(game, match))
  const means = new Map(
    grouped(all, ({ agent }) => agent).map(([agent, own]) => [agent, mean(own.map(({ points }) => points))!]),
  )
  return matches.flatMap((match) => {
    const places = placesOf(game, match)
    return places.flatMap((winner) =>
      places.flatMap((loser) => {
        const [own, others] = [means.get(winner.agent)!, means.get(loser.agent)!]
        if (winner.rank >= loser.rank || own >= others) return []
        return [
          {
            ...{ match: match.played.match, agent: winner.agent, opponent: loser.agent },
            ...{ difference: others - own, mean: own, opponent_mean: others },
          },
        ]
      }),
    )
  })
}

function losses(game: ErasedGame, matches: readonly Ended[]) {
  return matches.flatMap((match) => {
    const places = placesOf(game, match)
    const best = Math.max(...places.map(({ score }) => score))
    return places.flatMap(({ agent, rank, score, removed, reason }) =>
      rank === 1
        ? []
        : [
            {
              ...{ match: match.played.match, agent, rank, score, behind: best - score },
              ...{ removed: removed ? 1 : 0, reason: reason ?? null },
            },
          ],
    )
  })
}
