import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chosenFormat, stagePairings } from '../../../main/services/contests/formats/registry.ts'
import { matchSeed, scheduleOf } from '../../../main/services/contests/schedule/schedule.ts'
import { scheduleFrom, type ScheduledMatch } from '../../../main/services/contests/schedule/scheduled-match.ts'
import { contestDescription, type ContestDescription } from '../../../main/contract/contests/contests.ts'

/** As recorded while schedules were lists: data folders of those days are resumed by match numbers. */
interface Recorded {
  readonly format: object
  readonly entrants: number
  readonly seed: string
  /** Ordered pairs: the entrants of the final. */
  readonly finalists?: readonly number[]
  readonly matches: number
  /** The lines of its matches, by `linesOf`. */
  readonly sha256: string
}

const recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, 'fixtures', 'schedules.json'), 'utf8'),
) as readonly Recorded[]

const descriptionOf = ({ format, entrants, seed, finalists }: Recorded): ContestDescription =>
  contestDescription.parse({
    title: 'A contest',
    game: 'haggle',
    format: finalists === undefined ? format : { ...format, finalists: finalists.length },
    seed,
    entrants: Array.from({ length: entrants }, (_, at) => ({ name: `agent ${at}`, agent: 'a'.repeat(64) })),
  })

function matchesOf(description: ContestDescription, finalists: Recorded['finalists']): Iterable<ScheduledMatch> {
  if (finalists === undefined) {
    const schedule = scheduleOf(description)
    if (typeof schedule === 'string') throw new Error(schedule)
    return schedule
  }
  const { entrants, seed } = description
  const chosen = chosenFormat(description.format, {})
  if (typeof chosen === 'string') throw new Error(chosen)
  // Scores that bring these to the final, in this order.
  const first = entrants.map((_, at) => {
    const place = finalists.indexOf(at)
    return { matches: 0, points: 0, wins: 0, score: place === -1 ? -1 : finalists.length - place }
  })
  const [before = 0] = chosen.format.stages(chosen.settings, entrants.length)
  return scheduleFrom(
    before,
    stagePairings(chosen, { entrants: entrants.length, seed, outcomes: () => null }, [first], []),
  )
}

/** Number, entrants by seat, scenario and seed of each match, hashed. */
function digestOf(description: ContestDescription, matches: Iterable<ScheduledMatch>) {
  const hash = createHash('sha256')
  let count = 0
  for (const match of matches) {
    const { match: number, entrants, scenario = null } = match
    hash.update(`${JSON.stringify([number, entrants, scenario, matchSeed(description.seed, match, 'sha256')])}\n`)
    count += 1
  }
  return { matches: count, sha256: hash.digest('hex') }
}

test.each(recorded)('$format, $entrants entrants, seed $seed: the schedule is the recorded one', (each) => {
  const description = descriptionOf(each)
  const { matches, sha256 } = each
  expect(digestOf(description, matchesOf(description, each.finalists))).toEqual({ matches, sha256 })
})
