import type { GameTables, TableForms } from '../../../contract/game/event-tables.ts'
import type { Input } from '../input.ts'
import { moverOf, onTable, scoresOf, sharesOf, worth, type Share, type State } from '../rules.ts'
import { questions } from './questions.ts'

const forms = {
  sessions: {
    about: 'A row for each session.',
    rows: 'event',
    columns: {
      first: { kind: 'seat', about: 'the side that makes the first demand' },
      second: { kind: 'seat', about: 'the other side' },
      objects: { kind: 'json', about: 'number of objects of each type' },
      first_values: { kind: 'json', about: 'value of an object of each type to the first side' },
      second_values: { kind: 'json', about: 'value of an object of each type to the second side' },
      total: { kind: 'whole', about: 'value of all objects to each side, in dollars' },
      ending: { kind: 'text', about: '`agreed`, `not agreed` or `abort`' },
      turns: { kind: 'whole', about: 'number of demands and acceptances' },
      first_score: { kind: 'whole', about: 'dollars of the first side' },
      second_score: { kind: 'whole', about: 'dollars of the second side' },
      best_least: {
        kind: 'whole',
        about: 'the most dollars that both sides could have had at least; null: too many divisions to look at',
      },
      demanded_least: {
        kind: 'whole',
        about: 'the most dollars that a demand left to both sides at least; null: no demand',
      },
    },
  },
  demands: {
    about: 'Demands of all sessions.',
    rows: 'event',
    columns: {
      agent: { kind: 'seat', about: 'the side that demands' },
      opponent: { kind: 'seat', about: 'the other side' },
      turn: { kind: 'whole', about: 'the turn of the session, from 1' },
      own_turn: { kind: 'whole', about: 'the turn of this side, from 1' },
      objects: { kind: 'json', about: 'number of objects of each type that it wants' },
      own: { kind: 'whole', about: 'dollars that it would get' },
      left_over: { kind: 'whole', about: 'dollars that it leaves to the other side' },
      total: { kind: 'whole', about: 'value of all objects to each side, in dollars' },
      accepted: { kind: 'yes-no', about: 'the other side accepted it' },
    },
    indices: [['match', 'turn']],
  },
} as const satisfies TableForms

/** The sessions and demands of a contest. Values are known to all when a session is over. */
export const tables: GameTables<State, Input, typeof forms> = {
  tables: forms,
  questions,
  rows(state, writer) {
    /** The demand that nobody has answered. */
    let last: (() => void) | null = null
    let demandedLeast: number | null = null
    const demandOf = (agent: number): (() => void) => {
      const place = writer.here()
      const { offers, counts, values } = state
      const objects = offers.at(-1) ?? []
      const [own, leftOver] = dollarsOf(state, agent)
      demandedLeast = Math.max(demandedLeast ?? 0, Math.min(own, leftOver))
      const turn = offers.length
      const row = {
        ...{ agent, opponent: 1 - agent, turn, own_turn: Math.ceil(turn / 2), objects: JSON.stringify(objects) },
        ...{ own, left_over: leftOver, total: worth(counts, values[0]) },
      }
      return () => writer.add('demands', { ...row, accepted: state.ending?.type === 'agreed' }, place)
    }
    return {
      input(input) {
        const mover = moverOf(state)
        const before = state.offers.length
        return () => {
          const isDemand = input.type === 'answer' && state.offers.length > before && state.offers.at(-1) !== null
          if (state.offers.length > before || state.ending !== null) last?.()
          last = isDemand ? demandOf(mover) : null
        }
      },
      end() {
        // The last demand of a session was not accepted.
        last?.()
        const { counts, values, offers, ending } = state
        const [first, second] = scoresOf(state)
        writer.add('sessions', {
          ...{ first: 0, second: 1, objects: JSON.stringify(counts) },
          ...{ first_values: JSON.stringify(values[0]), second_values: JSON.stringify(values[1]) },
          ...{ total: worth(counts, values[0]), ending: ending?.type ?? '', turns: offers.length },
          ...{ first_score: first, second_score: second },
          ...{ best_least: bestLeast(counts, values), demanded_least: demandedLeast },
        })
      },
    }
  },
}

/** Dollars of the side that demands, and of the other one, if the last demand is accepted. */
function dollarsOf(state: State, agent: number): readonly [number, number] {
  if (sharesOf(state) === null) return [0, 0]
  const dollars = onTable(state)
  return agent === 0 ? dollars : [dollars[1], dollars[0]]
}

/** Divisions that are looked at. */
const DIVISIONS_MAX = 20_000

/** The largest amount that some division of the objects gives to both sides at least; null: there are too many. */
function bestLeast(counts: Share, [mine, theirs]: State['values']): number | null {
  if (counts.reduce((product, count) => product * (count + 1), 1) > DIVISIONS_MAX) return null
  const divide = (type: number, first: number, second: number): number => {
    const count = counts[type]
    if (count === undefined) return Math.min(first, second)
    let best = 0
    for (let taken = 0; taken <= count; taken++)
      best = Math.max(best, divide(type + 1, first + taken * mine[type]!, second + (count - taken) * theirs[type]!))
    return best
  }
  return divide(0, 0, 0)
}
