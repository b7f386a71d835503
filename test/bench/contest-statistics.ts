import { createRecord } from '../../main/services/contests/standings/contest-record.ts'
import { contestDescription } from '../../main/contract/contests/contests.ts'
import { randomStream } from '../../main/contract/random.ts'
import { sha256 } from '../../main/histories/canonical.ts'
import { mediansOf, mustBe } from './measure.ts'
import { rowOf, type Bench } from './row.ts'

const ENTRANTS = 30
const ROUNDS = 5

/** The time of a plain loop of the arithmetic on this machine, in ms. */
function gridCost(): number {
  const began = performance.now()
  let sum = 0
  for (let at = 0; at < 10_000_000; at++) sum += Math.exp(-at / 1e7)
  mustBe(sum > 0)
  return performance.now() - began
}

/** Schedule, standings, ratings and their intervals of a double round-robin of 30 agents. */
export const contestStatistics: Bench = {
  name: 'contest-statistics',
  async measure() {
    const description = contestDescription.parse({
      ...{ title: 'Bench', game: 'toy', format: { type: 'double-round-robin' }, seed: 'bench' },
      entrants: Array.from({ length: ENTRANTS }, (_, at) => ({ name: `agent ${at}`, agent: 'a'.repeat(64) })),
    })
    const next = randomStream(sha256('results'))
    const outcomes = Array.from({ length: ENTRANTS * (ENTRANTS - 1) }, () => 1 + (next() % 2))
    const work = (): number => {
      const began = performance.now()
      const record = createRecord(description)
      for (const { match, entrants } of record.stage(0)!) {
        const first = outcomes[match]!
        record.finish({
          ...{ match, attempt: 1, run: match + 1, head: '0'.repeat(64), state: '0'.repeat(64), ms: 1 },
          outcome: {
            places: [first, 3 - first].map((rank, seat) => ({ seat, rank, score: 2 - rank, removed: false })),
          },
          entrants: entrants.map((at) => description.entrants[at]!.name),
          ...{ faults: [0, 0], printed: [0, 0], isolation: 'none' },
          from: { segment: 1, byte: 0 },
          to: { segment: 1, byte: 1 },
        })
      }
      record.ratedStandings()
      return performance.now() - began
    }
    const { first: whole, second: cost } = await mediansOf(ROUNDS, work, gridCost)
    return [
      rowOf(
        { name: 'schedule, ratings and intervals for 30 agents', value: whole, unit: 'ms' },
        { name: '10,000,000 exponentials in a plain loop', value: cost, unit: 'ms' },
        { of: 'value', below: 1_000 },
      ),
    ]
  },
}
