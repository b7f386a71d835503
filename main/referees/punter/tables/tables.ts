import type { EventPlace, GameTables, RowWriter, TableForms } from '../../../contract/game/event-tables.ts'
import type { SeatId } from '../../../contract/ids.ts'
import type { Input } from '../input.ts'
import { isSetUp, riverScore, type State } from '../state.ts'
import { questions } from './questions.ts'

const forms = {
  futures: {
    about: 'The futures that count, kept or not; each row leads to the event in which it was named.',
    rows: 'event',
    columns: {
      agent: { kind: 'seat', about: 'the punter that named it' },
      mine: { kind: 'whole', about: 'id of the mine' },
      target: { kind: 'whole', about: 'id of the site that it was to be joined to' },
      worth: { kind: 'whole', about: 'its gain if it is kept, and its cost if it is not' },
      kept: { kind: 'yes-no', about: 'the punter joined both ends' },
    },
  },
  moves: {
    about: 'The turns of punters, without those of zombies.',
    rows: 'event',
    columns: {
      agent: { kind: 'seat', about: 'the punter on turn' },
      turn: { kind: 'whole', about: 'the number of the move in the match, from 1' },
      round: { kind: 'whole', about: 'the turn of this punter, from 1' },
      kind: { kind: 'text', about: '`claim`, `pass`, `splurge`, `option`, `refused` or `fault`' },
      rivers: { kind: 'whole', about: 'number of rivers that it took, options among them' },
      gain: { kind: 'whole', about: 'by how much the move raised the earnings of its rivers' },
      score: { kind: 'whole', about: 'the earnings of its rivers after the move, without futures' },
      refused: { kind: 'text', about: 'the reason why the move was refused and became a pass; null: it was not refused' },
    },
  },
  rivers: {
    about: 'The rivers that punters took.',
    rows: 'event',
    columns: {
      agent: { kind: 'seat', about: 'the punter that took it' },
      turn: { kind: 'whole', about: 'the number of the move in the match, from 1' },
      source: { kind: 'whole', about: 'id of the site at one end' },
      target: { kind: 'whole', about: 'id of the site at the other end' },
      how: { kind: 'text', about: '`claim`, or `option` for the river of another punter' },
      border: { kind: 'yes-no', about: 'an end of it touched a river of another punter' },
      mine: { kind: 'yes-no', about: 'one of its ends is a mine' },
    },
  },
} as const satisfies TableForms

/** The moves, rivers and futures of a contest. Futures are known to all when a match is over. */
export const tables: GameTables<State, Input, typeof forms> = {
  tables: forms,
  questions,
  rows(state, writer) {
    const { punters } = state
    const named = new Map<SeatId, EventPlace>()
    return {
      input(input) {
        const { seat } = input
        if (!isSetUp(state)) {
          return () => {
            named.set(seat, writer.here())
          }
        }
        const turn = state.moves + 1
        const score = riverScore(punters[seat]!)
        const before = { owners: state.owners.slice(), holders: state.holders.slice() }
        return () => {
          const taken = takenBy(state, before)
          const after = riverScore(punters[seat]!)
          const refused = input.type === 'fault' ? input.fault.text : punters[seat]!.refused
          writer.add('moves', {
            ...{ agent: seat, turn, round: 1 + Math.floor((turn - 1) / punters.length) },
            kind: kindOf(input, refused),
            ...{ rivers: taken.length, gain: after - score, score: after, refused },
          })
          for (const each of taken) addRiver(state, writer, before.owners, { ...each, seat, turn })
        }
      },
      end() {
        const { ids } = state.course
        for (const [agent, { futures }] of punters.entries())
          for (const { mine, target, worth, kept } of futures)
            writer.add('futures', { agent, mine: ids[mine]!, target: ids[target]!, worth, kept }, named.get(agent))
      },
    }
  },
}

function kindOf(input: Input, refused: string | null): string {
  if (input.type !== 'move') return 'fault'
  return refused === null ? (Object.keys(input.move)[0] ?? 'pass') : 'refused'
}

interface Taken {
  readonly river: number
  readonly how: 'claim' | 'option'
}

/** The rivers that changed hands since then, in the order of their numbers. */
function takenBy(
  { owners, holders }: State,
  before: { readonly owners: Int32Array; readonly holders: Int32Array },
): readonly Taken[] {
  const taken: Taken[] = []
  for (let river = 0; river < owners.length; river++) {
    if (owners[river] !== before.owners[river]) taken.push({ river, how: 'claim' })
    else if (holders[river] !== before.holders[river]) taken.push({ river, how: 'option' })
  }
  return taken
}

function addRiver(
  { course }: State,
  writer: RowWriter<typeof forms>,
  owners: Int32Array,
  { river, how, seat, turn }: Taken & { readonly seat: SeatId; readonly turn: number },
): void {
  const { source, target } = course.rivers[river]!
  // The river itself is no neighbour, though it is another punter's where its option was bought.
  const isBorder = course.rivers.some((other, at) => {
    const owner = owners[at]!
    const touches = [other.source, other.target].some((end) => end === source || end === target)
    return at !== river && owner !== -1 && owner !== seat && touches
  })
  writer.add('rivers', {
    ...{ agent: seat, turn, source: course.ids[source]!, target: course.ids[target]!, how, border: isBorder },
    mine: course.mine(source) !== undefined || course.mine(target) !== undefined,
  })
}
