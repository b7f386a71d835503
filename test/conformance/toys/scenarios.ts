import { expect } from 'vitest'
import type { Audience } from '../../../main/contract/game/table.ts'
import type { Json } from '../../../main/contract/json.ts'
import { council } from './council.ts'
import { actingPlayer, play, verifies, type Act, type Match, type Played } from './harness.ts'
import { market } from './market.ts'
import { teams } from './teams.ts'

export type Message = Readonly<Record<string, Json>>

/** One toy played and examined. `bend` replaces parts of the match by wrong ones; then the scenario must throw. */
export type Scenario = (bend?: (match: Match) => Match) => Promise<void>

const straight = (match: Match): Match => match

/** Inputs as short text, `play 0 1 true @0`: seat and body, the other values, the audience. */
export const inputsOf = (played: Played): string[] =>
  played.inputs.map(({ audience, input }) => {
    const { type, seat, body, ...rest } = input as Message
    const values = [type, seat, body, ...Object.values(rest)].filter((value) => value !== undefined)
    return [...values.map(wordOf), `@${audienceText(audience)}`].join(' ')
  })
const wordOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))
const audienceText = (audience: Audience): string => (typeof audience === 'string' ? audience : audience.join('+'))

export const faultsOf = (played: Played): string[] => played.faults.map(({ seat, kind }) => `${String(seat)} ${kind}`)

/** (a) Three bodies a seat under one deadline, each with a secret; crash, invalid, time-out and a late answer. */
export const teamsScenario: Scenario = async (bend = straight) => {
  const acts: Record<string, Act> = {
    '1 0 1': { fault: 'crash' },
    '1 1 0': { fault: 'timeout', late: { play: false } },
    '2 1 2': { answer: { play: 3 } },
    '3 0 2': { fault: 'crash', gone: true },
  }
  const rounds = 5
  const barrier = createBarriers()
  const played = await play(
    bend({
      game: teams,
      config: { rounds },
      entrants: 2,
      seatPlayer: (_seat, { seat, body }, emit) =>
        actingPlayer((message, asked) => {
          if (!asked) return undefined
          const round = Number((message as Message)['round'])
          // Nobody answers before all have been asked; the body that is gone is not asked any more.
          const after = barrier(round, round > 3 ? 5 : 6)
          return { ...(acts[`${String(round)} ${String(seat)} ${String(body)}`] ?? { answer: { play: true } }), after }
        }, emit),
    }),
  )
  verifies(played)

  const expected = Array.from({ length: rounds }, (_, round) => [
    ...[0, 1].flatMap((seat) =>
      [0, 1, 2].map((body) => {
        const act = acts[`${String(round)} ${String(seat)} ${String(body)}`]
        const why = seat === 0 && body === 2 && round > 3 ? 'crash' : act?.answer === undefined ? act?.fault : 'invalid'
        const who = `${String(seat)} ${String(body)}`
        return why === undefined ? `play ${who} true @${String(seat)}` : `skip ${who} ${why} @public`
      }),
    ),
    'reveal @public',
  ])
  expect(inputsOf(played)).toEqual(expected.flat())
  expect(faultsOf(played)).toEqual(['0 crash', '1 timeout', '1 invalid', '0 crash'])
  expect(played.faults.every(({ question }) => question !== null)).toBe(true)

  // The messages to each body and the view of each viewer: its own card, nobody else's.
  const fold = played.match.game.fold(played.config, played.seats, played.seed)
  let round = 0
  for (const { input } of played.inputs) {
    const { cards: all } = fold.view('panel') as { cards: number[] }
    const asked = played.heard.filter(
      ({ question, message }) => question !== null && (message as Message)['round'] === round,
    )
    expect(asked).toHaveLength(round > 3 ? 5 : 6)
    for (const { seat, body, message } of asked) {
      expect(message).toEqual({ type: 'card', round, card: all[seat * 3 + body] })
    }
    for (const seat of [0, 1]) expect(fold.view(seat)).toMatchObject({ cards: all.slice(seat * 3, seat * 3 + 3) })
    expect(fold.view('public')).toMatchObject({ cards: [] })
    fold.apply(input)
    if ((input as Message)['type'] === 'reveal') round++
  }
  const told = played.heard.filter(({ question }) => question === null)
  expect(told).toHaveLength(6 * rounds)
  expect(told.every(({ message }) => Object.keys(message as Message).join() === 'type,round,scores')).toBe(true)
}

/** (a) A long match has state hashes on its way, and equal seeds make equal matches. */
export const longScenario: Scenario = async (bend = straight) => {
  const run = (seed: string): Promise<Played> =>
    play(
      bend({
        game: teams,
        config: { rounds: 100 },
        entrants: 2,
        seed,
        seatPlayer: (_seat, _post, emit) =>
          actingPlayer((message) => ({ answer: { play: Number((message as Message)['card']) < 6 } }), emit),
      }),
    )
  const [first, again, other] = [await run('one'), await run('one'), await run('another')]
  for (const played of [first, again, other]) {
    verifies(played)
    expect(played.body.filter(({ k }) => k === 'checkpoint')).toHaveLength(2)
  }
  expect(again.outcome.state).toBe(first.outcome.state)
  expect(inputsOf(again)).toEqual(inputsOf(first))
  expect(other.outcome.state).not.toBe(first.outcome.state)
}

/** Resolves for everybody in a round once enough have come. */
function createBarriers(): (round: number, of: number) => Promise<void> {
  const rounds = new Map<number, { came: number; open: () => void; gate: Promise<void> }>()
  return (round, of) => {
    let entry = rounds.get(round)
    if (entry === undefined) {
      let open = (): void => undefined
      const gate = new Promise<void>((resolve) => void (open = resolve))
      entry = { came: 0, open, gate }
      rounds.set(round, entry)
    }
    if (++entry.came === of) entry.open()
    return entry.gate
  }
}

/** (b) Unasked speech: order, races, refusals that leave no trace, an invalid word, a crash, the bell. */
export const marketScenario: Scenario = async (bend = straight) => {
  const minds: readonly ((message: Message) => Act | undefined)[] = [
    // Takes 0, 1 and 2 in one breath, and the next as soon as its third is confirmed.
    ({ type, seat, n }) => {
      if (type === 'open') return { says: [1, 2, 3].map((each) => ({ n: each, take: each - 1 })) }
      return type === 'taken' && seat === 0 && n === 3 ? { says: [{ n: 4, take: 5 }] } : undefined
    },
    // Is too late for 0, takes 3, then mixes up its numbers, then takes 4.
    ({ type }) =>
      type === 'open' ? { says: [0, 3, 4, 4].map((take, i) => ({ n: [1, 1, 7, 2][i]!, take })) } : undefined,
    // Cannot be read.
    ({ type }) =>
      type === 'open'
        ? {
            says: [
              { n: 'one', take: 6 },
              { n: 1, take: 6 },
            ],
          }
        : undefined,
    // Takes 6, then crashes when somebody takes 5.
    ({ type, take }) => {
      if (type === 'open') return { says: [{ n: 1, take: 6 }] }
      return type === 'taken' && take === 5 ? { fault: 'crash', gone: true } : undefined
    },
    // Takes the last thing once it has heard of the crash of the fourth: nobody tells, so when it hears of 5.
    ({ type, take }) => (type === 'taken' && take === 5 ? { says: [{ n: 1, take: 7 }] } : undefined),
  ]
  const played = await play(
    bend({
      game: market,
      config: { goods: 8 },
      entrants: 5,
      seatPlayer: (_seat, { seat }, emit) => actingPlayer((message) => minds[seat]!(message as Message), emit),
    }),
  )
  verifies(played)
  expect(inputsOf(played)).toEqual([
    'take 0 1 0 @public',
    'take 0 2 1 @public',
    'take 0 3 2 @public',
    'take 1 1 3 @public',
    'take 1 2 4 @public',
    'out 2 invalid @public',
    'take 3 1 6 @public',
    'take 0 4 5 @public',
    'out 3 crash @public',
    'take 4 1 7 @public',
    'bell @public',
  ])
  expect(faultsOf(played)).toEqual(['2 invalid', '3 crash'])
  expect(played.heard.every(({ question }) => question === null)).toBe(true)
  // A refusal goes only to the player that was refused.
  const refused = played.heard.flatMap(({ seat, message }) =>
    (message as Message)['type'] === 'refused' ? [[seat, (message as Message)['why']]] : [],
  )
  expect(refused).toEqual([
    [1, 'it is taken'],
    [1, 'this is number 7, out of order'],
  ])
  // The records of a player stand in the order of its messages.
  for (const seat of [0, 1, 2, 3, 4]) {
    const said = played.reported.flatMap((each) =>
      each.seat === seat && each.event.type === 'said' ? [JSON.stringify(each.event.value)] : [],
    )
    const kept = played.inputs.flatMap(({ input }) => {
      const { type, seat: of, ...value } = input as Message
      return type === 'take' && of === seat ? [JSON.stringify(value)] : []
    })
    expect(kept).toEqual(said.filter((each) => kept.includes(each)))
  }
  expect(played.outcome.outcome.places.map(({ score, removed }) => [score, removed])).toEqual([
    [4, false],
    [2, false],
    [0, true],
    [1, true],
    [1, false],
  ])
}

/** (b) Nobody says anything: the bell is an input like all else. */
export const bellScenario: Scenario = async (bend = straight) => {
  const played = await play(
    bend({
      game: market,
      config: { goods: 1, bellMs: 5 },
      entrants: 2,
      seatPlayer: (_seat, _post, emit) => actingPlayer(() => undefined, emit),
    }),
  )
  verifies(played)
  expect(inputsOf(played)).toEqual(['bell @public'])
}

/** (e) Two roles from one package: hidden rounds, a vote closed early, a ballot that comes too late, one that is illegal. */
export const councilScenario: Scenario = async (bend = straight) => {
  /** By seat: what each proposes and votes in each round. */
  const proposals = [[], [0, 1, 4], [1, 1, 4], [2, 3, 4]]
  const ballots: readonly (readonly Act[])[] = [
    [],
    [{ answer: { place: 1 } }, { answer: { place: 1 } }, { answer: { place: 4 } }],
    [{ answer: { place: 1 } }, { answer: { place: 3 } }, { answer: { place: 4 } }],
    // Withdrawn, and answered when the next proposals are asked for: that answer must go nowhere.
    [{ late: { place: 0 } }, { late: { place: 0 } }, { fault: 'timeout' }],
  ]
  /** One package, both roles. */
  const mind = (seat: number): ((message: Json, asked: boolean) => Act | undefined) => {
    let round = -1
    return (message, asked) => {
      if (!asked) return undefined
      const { type } = message as Message
      if (type === 'hide') return { answer: { place: 4 } }
      if (type === 'propose') return { answer: { place: proposals[seat]![++round]! } }
      return ballots[seat]![round]!
    }
  }
  const played = await play(
    bend({
      game: council,
      entrants: 2,
      seatPlayer: (_seat, { seat }, emit) => actingPlayer(mind(seat), emit),
    }),
  )
  verifies(played)
  expect(played.seats.map(({ role, name }) => [role, name])).toEqual([
    ['hider', 'agent-0'],
    ['seeker', 'agent-1'],
    ['seeker', 'agent-1'],
    ['seeker', 'agent-1'],
  ])
  expect(inputsOf(played)).toEqual([
    'hide 4 @0',
    ...['propose 1 0', 'propose 2 1', 'propose 3 2', 'vote 1 1', 'vote 2 1'].map((each) => `${each} @1+2+3`),
    'search @public',
    ...['propose 1 1', 'propose 2 1', 'propose 3 3', 'vote 1 1', 'vote 2 3'].map((each) => `${each} @1+2+3`),
    'search @public',
    ...['propose 1 4', 'propose 2 4', 'propose 3 4', 'vote 1 4', 'vote 2 4'].map((each) => `${each} @1+2+3`),
    'search @public',
  ])
  expect(faultsOf(played)).toEqual(['3 timeout'])
  expect(played.outcome.outcome.places.map(({ rank }) => rank)).toEqual([4, 1, 1, 1])
  // The hider hears what was searched and nothing of the council; a proposal reaches nobody before all are in.
  for (const { seat, message } of played.heard) {
    const { type, ...rest } = message as Message
    if (seat === 0) expect(['hide', 'searched']).toContain(type)
    if (type === 'vote') expect((rest as { proposals?: Json }).proposals).toHaveLength(3)
    if (type === 'propose') expect(Object.keys(rest).sort()).toEqual(['role', 'round'])
    if (seat > 0) expect(JSON.stringify(message)).not.toContain('hidden')
  }
  const fold = played.match.game.fold(played.config, played.seats, played.seed)
  for (const { input } of played.inputs.slice(0, 4)) expect(fold.apply(input)).toBeNull()
  expect(fold.view(0)).toMatchObject({ hidden: 4, proposals: [] })
  expect(fold.view(2)).toMatchObject({ hidden: null, proposals: [null, 0, 1, 2] })
  expect(fold.view('public')).toMatchObject({ hidden: null, proposals: [] })
}

/** (e) Seekers that fail are out, one after the other, each by another fault; the hider wins. */
export const councilFaultsScenario: Scenario = async (bend = straight) => {
  const failing: Record<number, Record<string, Act>> = {
    1: { propose: { fault: 'crash', gone: true } },
    // Nobody has proposed this place: the rules refuse it, and nothing of it may be recorded.
    2: { propose: { answer: { place: 0 } }, vote: { answer: { place: 3 } } },
    3: { propose: { answer: { place: 9 } } },
  }
  const played = await play(
    bend({
      game: council,
      entrants: 4,
      seatPlayer: (_seat, { seat }, emit) =>
        actingPlayer((message, asked) => {
          const type = wordOf((message as Message)['type']!)
          return asked ? (failing[seat]?.[type] ?? { answer: { place: 4 } }) : undefined
        }, emit),
    }),
  )
  verifies(played)
  expect(inputsOf(played)).toEqual([
    'hide 4 @0',
    'out 1 crash @public',
    'propose 2 0 @1+2+3',
    'out 3 invalid @public',
    'out 2 invalid @public',
  ])
  expect(faultsOf(played)).toEqual(['1 crash', '3 invalid'])
  expect(played.outcome.outcome.places.map(({ rank, removed }) => [rank, removed])).toEqual([
    [1, false],
    [2, true],
    [2, true],
    [2, true],
  ])
}
