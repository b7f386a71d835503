import type { EventPlace, GameTables, TableForms } from '../../../contract/game/event-tables.ts'
import type { SeatId } from '../../../contract/ids.ts'
import type { Course } from '../course.ts'
import type { Input } from '../input.ts'
import { takingsOf } from '../legality.ts'
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
      refused: {
        kind: 'text',
        about: 'the reason why the move was refused and became a pass; null: it was not refused',
      },
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
    const riversAt = riversBySite(state.course)
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
        const taken = takenBy(state, riversAt, input)
        return () => {
          const after = riverScore(punters[seat]!)
          const refused = input.type === 'fault' ? input.fault.text : punters[seat]!.refused
          writer.add('moves', {
            ...{ agent: seat, turn, round: 1 + Math.floor((turn - 1) / punters.length) },
            kind: kindOf(input, refused),
            ...{ rivers: taken.length, gain: after - score, score: after, refused },
          })
          for (const river of taken) writer.add('rivers', { agent: seat, turn, ...river })
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

/** A row of the rivers that a move takes, except for who takes it and when. */
interface TakenRiver {
  readonly source: number
  readonly target: number
  readonly how: 'claim' | 'option'
  readonly border: boolean
  readonly mine: boolean
}

/** The rivers that an input will take. `state`: before it. `riversAt`: the rivers that touch each site. */
function takenBy(state: State, riversAt: readonly (readonly number[])[], input: Input): readonly TakenRiver[] {
  if (input.type !== 'move') return []
  const { seat, move } = input
  const { course, owners } = state
  const takings = takingsOf(state, seat, move, state.punters[seat]!.credit + 1)
  if (typeof takings === 'string') return []
  const rowOf = (river: number, how: TakenRiver['how']): TakenRiver => {
    const { source, target } = course.rivers[river]!
    // The river itself does not count, though it is another punter's where its option is bought.
    const near = [...riversAt[source]!, ...riversAt[target]!].filter((other) => other !== river)
    const border = near.some((other) => owners[other] !== -1 && owners[other] !== seat)
    const mine = course.mine(source) !== undefined || course.mine(target) !== undefined
    return { source: course.ids[source]!, target: course.ids[target]!, how, border, mine }
  }
  return [
    ...takings.claims.map((river) => rowOf(river, 'claim')),
    ...takings.options.map((river) => rowOf(river, 'option')),
  ]
}

/** By site: the rivers that touch it. */
function riversBySite({ rivers, ids }: Course): readonly (readonly number[])[] {
  const bySite = ids.map((): number[] => [])
  for (const [river, { source, target }] of rivers.entries()) {
    bySite[source]!.push(river)
    if (target !== source) bySite[target]!.push(river)
  }
  return bySite
}
