import { config, type Config } from '../../../main/referees/punter/config.ts'
import { rules } from '../../../main/referees/punter/rules.ts'
import type { Move } from '../../../main/referees/punter/messages.ts'
import { isOver, turnOf, type State } from '../../../main/referees/punter/state.ts'

/** The map of section 2: mines 1 and 5. */
export const SAMPLE = mapText(
  [4, 1, 3, 6, 5, 0, 7, 2],
  [
    [3, 4],
    [0, 1],
    [2, 3],
    [1, 3],
    [5, 6],
    [4, 5],
    [3, 5],
    [6, 7],
    [5, 7],
    [1, 7],
    [0, 7],
    [1, 2],
  ],
  [1, 5],
)

export function mapText(
  sites: readonly number[],
  rivers: readonly (readonly [number, number])[],
  mines: readonly number[],
): string {
  return JSON.stringify({
    sites: sites.map((id) => ({ id })),
    rivers: rivers.map(([source, target]) => ({ source, target })),
    mines,
  })
}

/** A path of sites from 0 on, with a mine at 0. */
export const pathMap = (rivers: number): string =>
  mapText(
    Array.from({ length: rivers + 1 }, (_, id) => id),
    Array.from({ length: rivers }, (_, at) => [at, at + 1] as const),
    [0],
  )

export const seatsOf = (punters: number) =>
  Array.from({ length: punters }, (_, id) => ({ id, entrant: id, role: 'punter', bodies: 1 }))

export const completed = (settings: object): Config => config.parse({ map: SAMPLE, ...settings })

/** A match in which everybody is ready, with these futures by seat. */
export function begun(punters: number, settings: object = {}, futures: readonly (readonly object[])[] = []): State {
  const state = rules.initial(completed(settings), seatsOf(punters), '')
  for (const { id } of seatsOf(punters)) {
    must(rules.apply(state, { type: 'ready', seat: id, futures: (futures[id] ?? []) as never }))
  }
  return state
}

/** The one whose turn it is moves; gives why it was refused. */
export function plays(state: State, move: Move): string | null {
  const seat = turnOf(state)
  must(rules.apply(state, { type: 'move', seat, move }))
  return state.punters[seat]!.refused
}

/** The one whose turn it is does not move. */
export function misses(state: State, kind: 'timeout' | 'stall' | 'invalid' | 'crash' = 'timeout', gone = false): void {
  must(rules.apply(state, { type: 'fault', seat: turnOf(state), fault: { kind, text: `It made a ${kind}.` }, gone }))
}

export function passesOn(state: State): void {
  while (!isOver(state)) plays(state, { pass: {} })
}

export const claim = (source: number, target: number): Move => ({ claim: { source, target } })
export const option = (source: number, target: number): Move => ({ option: { source, target } })
export const splurge = (...route: number[]): Move => ({ splurge: { route } })
export const pass: Move = { pass: {} }

function must(refusal: string | null): void {
  if (refusal !== null) throw new Error(refusal)
}
