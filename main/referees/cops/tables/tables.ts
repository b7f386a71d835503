import type { EventPlace, GameTables, RowWriter, TableForms } from '../../../contract/game/event-tables.ts'
import type { SeatId } from '../../../contract/ids.ts'
import type { Input } from '../input.ts'
import { ballotOf } from '../legality.ts'
import { elect } from '../rules.ts'
import { botName, COPS, isDirty, nameOf, ROBBER, roundSeats, type State } from '../state.ts'
import { questions } from './questions.ts'

const forms = {
  claims: {
    about: 'The announcements of brains about robots, one row for each place.',
    rows: 'event',
    columns: {
      agent: { kind: 'seat', about: 'the brain that announces it' },
      world: { kind: 'whole', about: 'the world in which it is announced' },
      robot: { kind: 'text', about: 'the name of the robot, as it was announced' },
      loc: { kind: 'text', about: 'the intersection' },
      ptype: { kind: 'text', about: '`robber`, `cop-foot` or `cop-car`' },
      of_world: { kind: 'whole', about: 'the world that it is about' },
      certainty: { kind: 'whole', about: 'per cent, below 0 for "it is not there"' },
      is_true: {
        kind: 'yes-no',
        about: 'the robot was there; null: the world was still to come, or there is no robot of this name',
      },
    },
  },
  votes: {
    about: 'The ballots that count.',
    rows: 'event',
    columns: {
      agent: { kind: 'seat', about: 'the voter' },
      world: { kind: 'whole', about: 'the world' },
      ballot: { kind: 'json', about: 'the names of the plans, the best one first' },
      own_place: { kind: 'whole', about: 'the place of its own plan, from 1' },
      winner: { kind: 'seat', about: 'the brain whose plan was elected; null: nobody' },
      own_lost: {
        kind: 'yes-no',
        about: 'its own plan lost, and would have won if it had put it first',
      },
    },
    indices: [['match', 'world']],
  },
  moves: {
    about: 'The moves of robots that their brains asked for.',
    rows: 'event',
    columns: {
      agent: { kind: 'seat', about: 'the brain' },
      world: { kind: 'whole', about: 'the world' },
      robot: { kind: 'text', about: 'the name of the robot' },
      loc: { kind: 'text', about: 'the intersection to which it was to go' },
      ptype: { kind: 'text', about: '`robber`, `cop-foot` or `cop-car`' },
      refused: { kind: 'text', about: 'the reason why the message did not count; null: it counted' },
    },
  },
  thefts: {
    about: 'The thefts from banks.',
    rows: 'event',
    columns: {
      robber: { kind: 'seat', about: 'the robber' },
      world: { kind: 'whole', about: 'the world' },
      bank: { kind: 'text', about: 'the intersection of the bank' },
      dollars: { kind: 'whole', about: 'the amount' },
    },
  },
  bribes: {
    about: 'The cops that were bribed.',
    rows: 'event',
    columns: {
      cop: { kind: 'seat', about: 'the cop' },
      world: { kind: 'whole', about: 'the world' },
    },
  },
  accusations: {
    about: 'Accusations of the second phase.',
    rows: 'event',
    columns: {
      accuser: { kind: 'seat', about: 'the cop that accuses' },
      accused: { kind: 'seat', about: 'the cop that is accused' },
      world: { kind: 'whole', about: 'the world' },
      is_true: { kind: 'yes-no', about: 'the accused had been bribed' },
    },
  },
} as const satisfies TableForms

/** A ballot whose election is not over. */
interface OpenVote {
  readonly seat: SeatId
  readonly world: number
  readonly ballot: readonly SeatId[]
  readonly place: EventPlace
}

/** The intersections of all robots in a world. */
interface Places {
  readonly robber: string
  readonly cops: readonly string[]
}

/** The messages of a contest and their consequences. All of it is known to all when a match is over. */
export const tables: GameTables<State, Input, typeof forms> = {
  tables: forms,
  questions,
  rows(state, writer) {
    /** By world, when it began. */
    const worlds = new Map<number, Places>([[0, placesNow(state)]])
    let votes: OpenVote[] = []
    return {
      input(input) {
        const { seat } = input
        const before = noteBefore(state)
        const answer = input.type === 'said' ? input.answer : null
        const isVote = before.step === 'vote' && answer?.type === 'vote'
        const ballot = isVote ? ballotOf(state, before.voters, answer.ballot) : ''
        return () => {
          if (answer !== null) addSaid(state, writer, seat, answer, before, worlds)
          if (typeof ballot !== 'string') votes.push({ seat, world: before.world, ballot, place: writer.here() })
          if (before.step === 'vote' && (state.step !== 'vote' || state.world !== before.world)) {
            addVotes(state, writer, votes, before.voters)
            votes = []
          }
          addConsequences(state, writer, before)
          if (state.world > before.world) worlds.set(state.world, placesNow(state))
        }
      },
    }
  },
}

const placesNow = ({ town, robber, bots }: State): Places => ({
  robber: town.nodes[robber]!.loc,
  cops: bots.map(({ node }) => town.nodes[node]!.loc),
})

interface Before {
  readonly world: number
  readonly step: State['step']
  readonly loot: number
  /** Seats with a ballot in this world. */
  readonly voters: readonly SeatId[]
  readonly bribed: ReadonlySet<SeatId>
  readonly accusations: number
  readonly falseAccusations: number
}

function noteBefore(state: State): Before {
  const { world, step, loot, brains, accusations, falseAccusations } = state
  return {
    ...{ world, step, loot, voters: step === 'register' ? [] : roundSeats(state) },
    bribed: new Set(COPS.filter((seat) => isDirty(brains[seat]!))),
    ...{ accusations: accusations.length, falseAccusations: falseAccusations.length },
  }
}

type Answer = Extract<Input, { readonly type: 'said' }>['answer']

function addSaid(
  state: State,
  writer: RowWriter<typeof forms>,
  agent: SeatId,
  answer: Answer,
  { world, step }: Before,
  worlds: ReadonlyMap<number, Places>,
): void {
  const brain = state.brains[agent]!
  const refused = brain.disqualified ?? brain.refused
  if (answer.type === 'inform' && step === 'inform') {
    for (const { bot, loc, ptype, world: of, certainty } of answer.informs) {
      const there = placeOf(state, bot, worlds.get(of))
      const isTrue = of > world || there === null ? null : there === loc
      writer.add('claims', { agent, world, robot: bot, loc, ptype, of_world: of, certainty, is_true: isTrue })
    }
  }
  for (const { bot, loc, ptype } of movesIn(state, agent, answer))
    writer.add('moves', { agent, world, robot: bot, loc, ptype, refused })
}

/** The intersection of a robot; null: there is none of this name, or nobody knows. */
function placeOf(state: State, name: string, places: Places | undefined): string | null {
  if (places === undefined) return null
  if (name === nameOf(state, ROBBER)) return places.robber
  const bot = state.bots.findIndex((_, each) => botName(state, each) === name)
  return places.cops[bot] ?? null
}

interface Going {
  readonly bot: string
  readonly loc: string
  readonly ptype: string
}

function movesIn(state: State, agent: SeatId, answer: Answer): readonly Going[] {
  switch (answer.type) {
    case 'move':
      return [{ bot: nameOf(state, agent), loc: answer.loc, ptype: answer.ptype }]
    case 'orders':
      return answer.moves
    case 'robber-orders':
      return [answer.move]
    default:
      return []
  }
}

/** The ballots of an election that is over, or that was not held because somebody was disqualified. */
function addVotes(
  state: State,
  writer: RowWriter<typeof forms>,
  votes: readonly OpenVote[],
  candidates: readonly SeatId[],
): void {
  const ballots = votes.map(({ ballot }) => ballot)
  const isHeld = state.end !== 'disqualified'
  const elected = (given: readonly (readonly SeatId[])[]): SeatId | null =>
    // If scoundrels elect nobody, the robber's plan wins.
    elect(candidates, given) ?? (candidates.includes(ROBBER) ? ROBBER : null)
  const winner = isHeld ? elected(ballots) : null
  for (const [at, { seat, world, ballot, place }] of votes.entries()) {
    const ownFirst = [seat, ...ballot.filter((each) => each !== seat)]
    const couldWin = isHeld && winner !== seat && elected(ballots.with(at, ownFirst)) === seat
    writer.add(
      'votes',
      {
        ...{ agent: seat, world, ballot: JSON.stringify(ballot.map((each) => nameOf(state, each))) },
        ...{ own_place: ballot.indexOf(seat) + 1, winner, own_lost: couldWin },
      },
      place,
    )
  }
}

function addConsequences(state: State, writer: RowWriter<typeof forms>, before: Before): void {
  const { world } = before
  if (state.loot > before.loot)
    writer.add('thefts', {
      ...{ robber: ROBBER, world, bank: state.town.nodes[state.robber]!.loc, dollars: state.loot - before.loot },
    })
  for (const cop of COPS)
    if (isDirty(state.brains[cop]!) && !before.bribed.has(cop)) writer.add('bribes', { cop, world })
  for (const { accuser, accused } of state.accusations.slice(before.accusations))
    writer.add('accusations', { accuser, accused, world, is_true: true })
  for (const { accuser, accused } of state.falseAccusations.slice(before.falseAccusations))
    writer.add('accusations', { accuser, accused, world, is_true: false })
}
