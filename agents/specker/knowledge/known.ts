import type { StartMessage } from '../../../main/referees/specker/messages.ts'
import type { Challenge } from './challenge.ts'
import { maxCsp } from './max-csp.ts'
import { maxSat } from './max-sat.ts'

/** True if the break-even values of a challenge are known. */
export function knows({ challenge: { name } }: StartMessage): boolean {
  return name === 'max-csp' || name === 'max-sat'
}

/** The agent's knowledge of its challenge. Throws if it has none. */
export function challengeOf(start: StartMessage): Challenge {
  const { name, config } = start.challenge
  if (name === 'max-csp') return maxCsp(config)
  if (name === 'max-sat') return maxSat(config)
  throw new Error(`this agent cannot play the challenge ${name}`)
}
