import { config, type Config } from '../../../main/referees/cows/config.ts'
import type { HerderAction } from '../../../main/referees/cows/messages.ts'
import { mapText, type HerdMap } from '../../../main/referees/cows/maps/map-file.ts'
import { initialState, type State } from '../../../main/referees/cows/state.ts'
import { playStep } from '../../../main/referees/cows/step.ts'

/** Settings for a map that is drawn: `a` and `b` are herders of the first team, `A` and `B` of the second, `c` cows, `#` obstacles. */
export function drawn(rows: readonly string[], more: Partial<Config> & Partial<Pick<HerdMap, 'corrals'>> = {}): Config {
  const { corrals = cornerCorrals(rows), ...settings } = more
  const placesOf = (letters: string): [number, number][] =>
    Array.from(letters).flatMap((letter) =>
      rows.flatMap((row, y) => (row.includes(letter) ? [[row.indexOf(letter), y] as [number, number]] : [])),
    )
  const map: HerdMap = {
    rows: rows.map((row) => row.replace(/[^#c]/g, '.')),
    corrals,
    herders: [placesOf('ab'), placesOf('AB')],
  }
  return config.parse({ map: mapText(map), failure: 0, ...settings })
}

/** A cell each in the first and the last corner. */
function cornerCorrals(rows: readonly string[]): HerdMap['corrals'] {
  const [x, y] = [rows[0]!.length - 1, rows.length - 1]
  return [
    { x0: 0, y0: 0, x1: 0, y1: 0 },
    { x0: x, y0: y, x1: x, y1: y },
  ]
}

const seed = 'ab'.repeat(32)

export const begun = (settings: Config, of = seed): State => initialState(settings, of)

/** Plays one step. `moves`: by seat, an action for each herder; those that are left out skip. */
export function play(state: State, ...moves: readonly (readonly HerderAction[])[]): State {
  playStep(
    state,
    [0, 1].map((seat) => Array.from({ length: state.bodies }, (_, body) => moves[seat]?.[body] ?? 'skip')),
  )
  return state
}

/** The position of each herder, as `x,y`; the first team's first. */
export const herdersIn = ({ herders, width }: State): readonly string[] =>
  Array.from(herders, (cell) => `${cell % width},${Math.floor(cell / width)}`)

/** The position of each cow, as `x,y`; null: it was caught. */
export const cowsIn = ({ cows, width }: State): readonly (string | null)[] =>
  Array.from(cows, (cell) => (cell === -1 ? null : `${cell % width},${Math.floor(cell / width)}`))

/** Seeds of matches, for what chance decides. */
export const seeds = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => at.toString(16).padStart(64, '0'))
