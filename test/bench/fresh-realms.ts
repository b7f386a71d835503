import { createContext, Script } from 'node:vm'
import { withEchoes, type Echoes } from './echo-script.ts'
import { mediansOf, rate } from './measure.ts'
import { rowOf, type Bench, type Row } from './row.ts'

const ROUNDS = 7
const MATCHES = 400
const IN_FLIGHT = 8

/** Matches of a script that are seated in a fresh realm, asked once and closed, on warm processes. */
export const freshRealms: Bench = {
  name: 'realms',
  measure: () => withEchoes(IN_FLIGHT, async (echoes) => [await rowWith(echoes, 1), await rowWith(echoes, IN_FLIGHT)]),
}

async function rowWith(echoes: Echoes, inFlight: number): Promise<Row> {
  const { first, second } = await mediansOf(
    ROUNDS,
    () => rate(MATCHES, () => playMatches(echoes, inFlight)),
    () => rate(MATCHES, bareContexts),
  )
  return rowOf(
    { name: `fresh realms, ${inFlight} at a time, tier ${echoes.tier}`, value: first, unit: 'matches/s' },
    { name: 'bare contexts in this process', value: second, unit: 'contexts/s' },
  )
}

async function playMatches({ seat }: Echoes, inFlight: number): Promise<void> {
  let next = 0
  const player = async (): Promise<void> => {
    while (next < MATCHES) {
      const echo = await seat(next++)
      await echo.ask([1])
      echo.close()
    }
  }
  await Promise.all(Array.from({ length: inFlight }, player))
}

function bareContexts(): void {
  const script = new Script('(message) => message')
  for (let n = 0; n < MATCHES; n++) {
    const answer = script.runInContext(createContext()) as (message: unknown) => unknown
    answer([1])
  }
}
