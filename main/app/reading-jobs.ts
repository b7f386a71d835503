import { challengeJob } from '../services/challenges/class-challenges.ts'
import { configJob, lengthJob, seatsJob } from '../services/contests/descriptions/contest-file.ts'
import { foreignScriptJob } from '../services/agents/foreign-scripts.ts'
import { similarAgentsJob } from '../services/agents/similarity/similar-agents.ts'
import { ownCodeJob, similarPairsJob } from '../services/agents/similarity/similar-pairs.ts'
import { entriesJob } from '../services/entries/entries-file.ts'
import { textProblemJob } from '../services/texts/class-texts.ts'
import type { ReadingJob } from '../services/machine/reading.ts'

type AnyJob = ReadingJob<unknown, unknown>

/** The jobs of the reading process, by name. The main process sends each the input that it declares. */
export const readingJobs: ReadonlyMap<string, AnyJob> = new Map(
  [
    challengeJob,
    configJob,
    lengthJob,
    seatsJob,
    foreignScriptJob,
    similarAgentsJob,
    ownCodeJob,
    similarPairsJob,
    entriesJob,
    textProblemJob,
  ].map((job) => [job.name, job as AnyJob]),
)
