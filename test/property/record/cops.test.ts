import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'
import type { Input } from '../../../main/referees/cops/input.ts'
import { elect, rules } from '../../../main/referees/cops/rules.ts'
import { nameOf, ROBBER, roundSeats, type State } from '../../../main/referees/cops/state.ts'
import { games } from '../../../main/referees/games.ts'
import { repeats } from '../../long.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { answerOf, completed } from '../../unit/cops/stage.ts'
import { dice } from '../../unit/record/haggle-matches.ts'
import { askedOf, build, record, rowsOf, seedOf, type Played } from '../../unit/record/stage.ts'
import { expectRows, grouped, mean } from './plain.ts'
import { endedWithFaults, expectCommonAnswers } from './common.ts'

const cops = games.get('cops')!

interface Claim {
  readonly agent: string
  readonly certainty: number
  readonly isTrue: boolean | null
}

interface Vote {
  readonly match: number
  readonly world: number
  readonly agent: string
  readonly ballot: string
  readonly own_place: number
  readonly winner: string | null
}

type Next = (below: number) => number

/** A match in which cops announce, vote and walk at random. */
function playedMatch(match: number, next: Next): { played: Played; claims: Claim[]; against: Vote[] } {
  const config = completed({ lastWorld: 8 + 2 * next(4), illegal: next(2) === 0 ? 'stands-still' : 'disqualified' })
  const entrants = 2 + next(5)
  const seats = cops.seats({ ...config }, entrants)
  if (typeof seats === 'string') throw new Error(seats)
  const names = ['anna', 'ben', 'cleo', 'dan', 'eve', 'finn'].slice(0, entrants)
  const seatNames = seats.map(({ entrant }) => names[entrant]!)
  const state = rules.initial(config, seats, seedOf(match))
  const inputs: Input[] = []
  const [claims, against]: [Claim[], Vote[]] = [[], []]
  /** By world: the intersection of each robot. */
  const worlds: Readonly<Record<string, string>>[] = []
  let ballots: { readonly seat: number; readonly ballot: readonly number[] }[] = []
  while (state.end === null) {
    if (state.step !== 'register') worlds[state.world] ??= placesOf(state)
    const seat = state.waiting[next(state.waiting.length)]!
    const { step, world } = state
    const candidates = step === 'register' ? [] : roundSeats(state)
    const input = nextInput(state, seat, next)
    expect(rules.apply(state, input)).toBeNull()
    inputs.push(input)
    if (input.type === 'said' && input.answer.type === 'inform' && step === 'inform')
      for (const { bot, loc, world: of, certainty } of input.answer.informs) {
        const there = of > world ? undefined : worlds[of]?.[bot]
        claims.push({ agent: seatNames[seat]!, certainty, isTrue: there === undefined ? null : there === loc })
      }
    if (input.type === 'said' && input.answer.type === 'vote') {
      const ballot = input.answer.ballot.map((name) => candidates.find((each) => nameOf(state, each) === name)!)
      const isLegal = new Set(ballot).size === candidates.length && ballot.length === candidates.length
      if (isLegal && !ballot.includes(undefined as never)) ballots.push({ seat, ballot })
    }
    if (step !== 'vote' || state.step === 'vote') continue
    // The election is over, or was not held.
    if ((state.end as State['end']) !== 'disqualified') {
      const all = ballots.map(({ ballot }) => ballot)
      const winner = elect(candidates, all)
      for (const [at, { seat: voter, ballot }] of ballots.entries()) {
        const others = all.filter((_, each) => each !== at)
        const ownFirst = [voter, ...ballot.filter((each) => each !== voter)]
        if (winner === voter || elect(candidates, [...others.slice(0, at), ownFirst, ...others.slice(at)]) !== voter)
          continue
        against.push({
          ...{ match, world, agent: seatNames[voter]!, own_place: ballot.indexOf(voter) + 1 },
          ballot: JSON.stringify(ballot.map((each) => nameOf(state, each))),
          winner: winner === null ? null : seatNames[winner]!,
        })
      }
    }
    ballots = []
  }
  const happenings = inputs.map((input) => ({ input: input as unknown as Json }))
  return { played: { match, config: { ...config }, names, happenings }, claims, against }
}

function placesOf(state: State): Readonly<Record<string, string>> {
  const loc = (node: number): string => state.town.nodes[node]!.loc
  return Object.fromEntries([
    [nameOf(state, ROBBER), loc(state.robber)],
    ...state.bots.map(({ node }, bot) => [nameOf(state, bot + 1), loc(node)] as const),
  ])
}

function nextInput(state: State, seat: number, next: Next): Input {
  if (next(60) === 0) return { type: 'fault', seat, fault: { kind: 'timeout', text: 'late' }, gone: next(3) === 0 }
  if (state.step === 'register') {
    const ptype = seat === ROBBER ? 'robber' : 'cop-foot'
    return { type: 'said', seat, answer: { type: 'register', bot: seat === ROBBER ? 'R' : `C${seat}`, ptype } }
  }
  if (state.step === 'inform') {
    const informs = Array.from({ length: next(4) }, () => {
      const bot = ['R', 'C1', 'C2', 'C3', 'X'][next(5)]!
      const places = placesOf(state)
      const loc = next(2) === 0 ? (places[bot] ?? 'r0') : `r${next(20)}`
      const ptype = bot === 'R' ? ('robber' as const) : ('cop-foot' as const)
      return { bot, loc, ptype, world: Math.max(0, state.world + next(4) - 2), certainty: next(201) - 100 }
    })
    return { type: 'said', seat, answer: { type: 'inform', informs } }
  }
  if (state.step === 'vote') {
    const left = roundSeats(state).map((each) => nameOf(state, each))
    const ballot: string[] = []
    while (left.length > 0) ballot.push(...left.splice(next(left.length), 1))
    // Some ballots are not legal.
    if (next(25) === 0) ballot.pop()
    return { type: 'said', seat, answer: { type: 'vote', ballot } }
  }
  const node = seat === ROBBER ? state.robber : state.bots[seat - 1]!.node
  const near = [node, ...state.town.foot[node]!]
  return { type: 'said', seat, answer: answerOf(state, seat, { loc: state.town.nodes[near[next(near.length)]!]!.loc }) }
}

test('ready questions about random contests are answered as by following each match', async () => {
  const folder = temporaryFolder('cops-record')
  let [found, honest] = [0, 0]
  for (let round = 0; round < repeats({ short: 5, long: 200 }); round++) {
    const next = dice(round + 300)
    const matches = Array.from({ length: 1 + next(4) }, (_, match) => playedMatch(match, next))
    const dir = join(folder, String(round))
    const ended = matches.map(({ played }) => endedWithFaults(cops, played, next))
    await record(
      dir,
      cops,
      ended.map(({ played }) => played),
    )
    await build(dir, cops)
    expectCommonAnswers(dir, cops, ended, { agent: ended[0]!.agents[0]!, match: next(ended.length) })
    expect(rowsOf(dir, cops, 'SELECT broken FROM matches WHERE broken IS NOT NULL')).toEqual([])
    const against = matches.flatMap((match) => match.against)
    found += against.length
    expectRows(
      askedOf(dir, cops, 'votes-against-own-interest'),
      against.map((vote) => ({ ...vote })),
      ['line', 'move'],
    )
    expectRows(askedOf(dir, cops, 'false-claims'), falseClaims(matches.flatMap(({ claims }) => claims)))
    for (const { agent, untrue, most_certain: certainty, match, line, move } of askedOf(dir, cops, 'false-claims')) {
      const lies = rowsOf(
        dir,
        cops,
        `SELECT match, line, move FROM claims WHERE is_true = 0 AND agent = '${String(agent)}' AND certainty = ${String(certainty)}`,
      )
      if (untrue === 0) expect([match, line, move]).toEqual([null, null, null])
      else expect(lies).toContainEqual({ match, line, move })
      honest += untrue === 0 ? 1 : 0
    }
  }
  expect(found).toBeGreaterThan(0)
  expect(honest).toBeGreaterThan(0)
})

function falseClaims(claims: readonly Claim[]) {
  const judged = claims.filter(({ certainty, isTrue }) => isTrue !== null && certainty > 0)
  return grouped(judged, ({ agent }) => agent).map(([agent, own]) => {
    const untrue = own.filter(({ isTrue }) => isTrue === false).map(({ certainty }) => certainty)
    return {
      ...{ agent, claims: own.length, untrue: untrue.length, share: untrue.length / own.length },
      ...{ certainty: mean(untrue), most_certain: untrue.length === 0 ? null : Math.max(...untrue) },
    }
  })
}
