import type { HerderAction } from '../../../../main/referees/cows/messages.ts'

/** An action as people choose it. */
export interface PadKey {
  readonly action: HerderAction
  readonly sign: string
  /** On the keyboard. */
  readonly letter: string
}

/** Three rows of three, as on a compass, with the letters in the same places. */
export const pad: readonly PadKey[] = [
  { action: 'northwest', sign: '↖', letter: 'q' },
  { action: 'north', sign: '↑', letter: 'w' },
  { action: 'northeast', sign: '↗', letter: 'e' },
  { action: 'west', sign: '←', letter: 'a' },
  { action: 'skip', sign: '•', letter: 's' },
  { action: 'east', sign: '→', letter: 'd' },
  { action: 'southwest', sign: '↙', letter: 'z' },
  { action: 'south', sign: '↓', letter: 'x' },
  { action: 'southeast', sign: '↘', letter: 'c' },
]

/** The move towards a place at a distance in cells. */
export const actionTowards = (dx: number, dy: number): HerderAction =>
  pad[4 + 3 * Math.sign(dy) + Math.sign(dx)]!.action
