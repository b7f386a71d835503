import type { EventPlace, GameTables, TableForms } from '../../../contract/game/event-tables.ts'
import type { SeatId } from '../../../contract/ids.ts'
import type { Input } from '../input.ts'
import type { State } from '../state.ts'
import { questions } from './questions.ts'

const forms = {
  steps: {
    about: 'Each step of each team.',
    rows: 'event',
    columns: {
      team: { kind: 'seat', about: 'the team' },
      step: { kind: 'whole', about: 'the number of the step, from 0' },
      moved: { kind: 'whole', about: 'number of its herders that moved' },
      failed: { kind: 'whole', about: 'number of those that wanted to move and could not' },
      skipped: { kind: 'whole', about: 'number of those that skipped' },
      unanswered: { kind: 'whole', about: 'number of those without an answer in time' },
      score: { kind: 'whole', about: 'number of cows in its corral so far' },
    },
  },
  captures: {
    about: 'The cows that came into a corral.',
    rows: 'event',
    columns: {
      team: { kind: 'seat', about: 'the team whose corral it is' },
      step: { kind: 'whole', about: 'the number of the step, from 0' },
      cow: { kind: 'whole', about: 'the number of the cow' },
      driver: {
        kind: 'seat',
        about: 'the team with the herder nearest to the cow before the step; null: both were as near',
      },
      distance: { kind: 'whole', about: 'cells from the cow to that herder, in the direction in which they are more' },
    },
  },
  herders: {
    about:
      'The herders of each match with counts of their actions; a row leads to the step with which the longest rest began.',
    rows: 'event',
    columns: {
      team: { kind: 'seat', about: 'its team' },
      herder: { kind: 'whole', about: 'its number in the team, from 0' },
      steps: { kind: 'whole', about: 'number of steps' },
      moved: { kind: 'whole', about: 'number of steps in which it moved' },
      failed: { kind: 'whole', about: 'number of steps in which it wanted to move and could not' },
      skipped: { kind: 'whole', about: 'number of steps in which it skipped' },
      unanswered: { kind: 'whole', about: 'number of steps without an answer in time' },
      longest_rest: { kind: 'whole', about: 'the most steps in a row in which it did not move' },
    },
  },
} as const satisfies TableForms

/** The actions of a herder so far. */
interface Herder {
  moved: number
  failed: number
  skipped: number
  unanswered: number
  /** Steps in a row without a move, up to now. */
  resting: number
  /** The event of the first of them. */
  since: EventPlace | null
  longest: number
  /** The event of the first step of the longest rest. */
  place: EventPlace | null
}

type Deed = 'moved' | 'failed' | 'skipped' | 'unanswered'

/** The steps, captures and herders of a contest. */
export const tables: GameTables<State, Input, typeof forms> = {
  tables: forms,
  questions,
  rows(state, writer) {
    const herders = Array.from(state.herders, (): Herder => ({
      ...{ moved: 0, failed: 0, skipped: 0, unanswered: 0, resting: 0, since: null, longest: 0, place: null },
    }))
    let steps = 0
    return {
      input({ step, actions }) {
        const before: Before = { herders: state.herders.slice(), cows: state.cows.slice(), scores: [...state.scores] }
        return () => {
          steps += 1
          for (const team of [0, 1]) {
            const done = { moved: 0, failed: 0, skipped: 0, unanswered: 0 }
            for (let body = 0; body < state.bodies; body++) {
              const deed = deedOf(state, actions[team]?.[body] ?? null, team * state.bodies + body)
              done[deed] += 1
              note(herders[team * state.bodies + body]!, deed, () => writer.here())
            }
            writer.add('steps', { team, step, ...done, score: state.scores[team]! })
          }
          for (const [cow, cell] of before.cows.entries()) {
            if (cell === -1 || state.cows[cow] !== -1) continue
            writer.add('captures', { team: catcherOf(state, cell, before), step, cow, ...nearest(state, cell, before) })
          }
        }
      },
      end() {
        for (const [at, { moved, failed, skipped, unanswered, longest, place }] of herders.entries())
          writer.add(
            'herders',
            {
              ...{ team: Math.floor(at / state.bodies), herder: at % state.bodies, steps },
              ...{ moved, failed, skipped, unanswered, longest_rest: longest },
            },
            place ?? writer.here(),
          )
      },
    }
  },
}

/** A state before a step. */
interface Before {
  readonly herders: Int32Array
  readonly cows: Int32Array
  readonly scores: readonly number[]
}

/** `state`: after the step. */
function deedOf({ stopped }: State, action: string | null, herder: number): Deed {
  if (action === null) return 'unanswered'
  if (action === 'skip') return 'skipped'
  return stopped[herder] === 1 ? 'failed' : 'moved'
}

function note(herder: Herder, deed: Deed, here: () => EventPlace): void {
  herder[deed] += 1
  if (deed === 'moved') {
    herder.resting = 0
    return
  }
  if (herder.resting === 0) herder.since = here()
  herder.resting += 1
  if (herder.resting <= herder.longest) return
  herder.longest = herder.resting
  herder.place = herder.since
}

/** The team whose corral the cow came into: of the cells around `cell`, or where both are near, the one whose score rose. */
function catcherOf({ width, height, corrals, scores }: State, cell: number, before: Before): SeatId {
  const [x, y] = [cell % width, Math.floor(cell / width)]
  const near = new Set<number>()
  for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++)
    for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
      const owner = corrals[row * width + column]!
      if (owner !== -1) near.add(owner)
    }
  const risen = [0, 1].filter((team) => scores[team]! > before.scores[team]!)
  return risen.find((team) => near.has(team)) ?? risen[0] ?? 0
}

/** The team with the nearest herder, and its distance. */
function nearest(
  { width, bodies }: State,
  cell: number,
  { herders }: Before,
): { readonly driver: SeatId | null; readonly distance: number } {
  const least = [Infinity, Infinity]
  for (const [herder, at] of herders.entries()) {
    const team = herder < bodies ? 0 : 1
    const across = Math.abs((at % width) - (cell % width))
    const down = Math.abs(Math.floor(at / width) - Math.floor(cell / width))
    least[team] = Math.min(least[team]!, Math.max(across, down))
  }
  const [first, second] = [least[0]!, least[1]!]
  return { driver: first === second ? null : first < second ? 0 : 1, distance: Math.min(first, second) }
}
