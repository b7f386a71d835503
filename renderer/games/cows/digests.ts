import type { SeatId } from '../../../main/contract/ids.ts'
import { type Viewer, seesAs } from '../../../main/contract/histories/viewer.ts'
import { visible } from '../../parts/lists/visible.ts'
import { count, number } from '../../words.ts'
import type { Reader } from '../fold.ts'
import type { Digest as AnyDigest, Line } from '../game.ts'
import type { Places } from './histories-of-places.ts'
import { rules } from '../../../main/referees/cows/rules.ts'

/** A summary of one event of a match. */
export interface Digest extends AnyDigest {
  readonly kind: 'step' | 'fault' | 'console'
  /** The text of a fault or of a line of output. */
  readonly text: string
  /** By seat: cows that reached its corral in this step, and the score after it. */
  readonly caught: readonly number[]
  readonly scores: readonly number[]
  /** By seat: bodies that moved, those that were stopped, and those that gave no answer. */
  readonly moved: readonly number[]
  readonly stopped: readonly number[]
  readonly silent: readonly number[]
  /** As the viewer knew it after the step. */
  readonly places: Places
}

/** Characters of a text that are kept; all of it stays in the history. */
const LONGEST = 4_000

export function readerOf(
  width: number,
): Reader<State, Digest, { readonly round: number; readonly scores: readonly number[] }> {
  return {
    before: ({ step, scores }) => ({ round: step + 1, scores: [...scores] }),
    after(state, event, before, viewer) {
      const { scores } = state
      const about = {
        at: event.at,
        round: before.round,
        scores: [...scores],
        caught: scores.map((score, seat) => score - before.scores[seat]!),
        places: placesOf(state, viewer, width),
      }
      const none = scores.map(() => 0)
      if (event.kind !== 'input') {
        const text = (event.kind === 'fault' ? event.fault.text : event.text).slice(0, LONGEST)
        return { ...about, kind: event.kind, seat: event.seat, text, moved: none, stopped: none, silent: none }
      }
      const { actions } = event.input as Input
      const counted = (of: (seat: SeatId, body: number) => boolean): readonly number[] =>
        actions.map((team, seat) => team.filter((_, body) => of(seat, body)).length)
      const failed = (seat: SeatId, body: number): boolean => state.stopped[seat * state.bodies + body] === 1
      const moves = (seat: SeatId, body: number): boolean => (actions[seat]![body] ?? 'skip') !== 'skip'
      return {
        ...about,
        kind: 'step',
        seat: null,
        text: '',
        moved: counted((seat, body) => moves(seat, body) && !failed(seat, body)),
        stopped: counted((seat, body) => moves(seat, body) && failed(seat, body)),
        silent: counted((seat, body) => actions[seat]![body] === null),
      }
    },
  }
}

function placesOf(state: State, viewer: Viewer, width: number): Places {
  const { herders, cows } = rules.view(state, seesAs(viewer))
  const cell = ({ x, y }: { readonly x: number; readonly y: number }): number => y * width + x
  const teams = herders.map((team) => {
    const known = new Map(team.map((each) => [each.body, cell(each)]))
    return Array.from({ length: state.bodies }, (_, body) => known.get(body) ?? -1)
  })
  return { herders: teams, cows: cows.map(cell) }
}

/** An event in one sentence. */
export function lineOf(digest: Digest, name: (seat: number) => string): Line {
  const { kind, seat, text, round, caught, scores, silent } = digest
  if (kind !== 'step') {
    const who = name(seat ?? 0)
    return kind === 'console'
      ? { seat, text: `${who} prints: ${visible(text)}`, rule: { name: 'Console', title: '' }, tone: 'console' }
      : { seat, text: `${who}: ${visible(text)}`, rule: { name: 'Fault', title: '', number: 22 }, tone: 'bad' }
  }
  const catches = caught.flatMap((cows, team) =>
    cows === 0 ? [] : [`${count(cows, 'cow')} in the corral of ${name(team)}`],
  )
  if (catches.length > 0) {
    const score = scores.map((each) => number(each)).join(' to ')
    const only = caught.filter((cows) => cows > 0).length === 1 ? caught.findIndex((cows) => cows > 0) : null
    return {
      seat: only,
      text: `Step ${number(round)}: ${catches.join(', ')}; now ${score}.`,
      rule: { name: 'Catch', title: '', number: 18 },
      tone: 'plain',
    }
  }
  const quiet = silent.flatMap((bodies, team) =>
    bodies === 0 ? [] : [`${count(bodies, 'herder')} of ${name(team)} gave no answer`],
  )
  const said = quiet.length > 0 ? quiet.join(', ') : movesOf(digest, name)
  return {
    seat: null,
    text: `Step ${number(round)}: ${said}.`,
    rule: { name: 'Step', title: '', number: 5 },
    tone: quiet.length > 0 ? 'bad' : 'plain',
  }
}

function movesOf({ moved, stopped }: Digest, name: (seat: number) => string): string {
  return moved
    .map((bodies, team) => {
      const failed = stopped[team]!
      return `${name(team)} moves ${number(bodies)}${failed === 0 ? '' : `, ${number(failed)} fail`}`
    })
    .join('; ')
}

/** Cows that a team caught in one step. */
export function swingOf(round: number, seat: SeatId, amount: number, name: (seat: number) => string): string {
  return `${name(seat)} catches ${count(amount, 'cow')} in step ${number(round)}.`
}

export { rules }
export type State = ReturnType<typeof rules.initial>
export type Input = Parameters<typeof rules.apply>[1]
export type View = ReturnType<typeof rules.view>
