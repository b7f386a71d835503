import { moves, type Action, type Perception } from './knowledge/perception.ts'

/** Walks at random, and keeps a direction for a while. */
function act(body: number, { step }: Perception): Action {
  return moves[scrambled(17 * body + Math.floor(step / 4)) % moves.length]![0]
}

/** A number that looks random, the same in every match. */
function scrambled(number: number): number {
  let value = Math.imul(number + 1, 0x9e3779b1)
  value = Math.imul(value ^ (value >>> 15), 0x85ebca6b)
  return (value ^ (value >>> 13)) >>> 0
}

export default { act }
