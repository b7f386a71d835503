import { challengeFileJob } from '../services/challenges/challenge-files.ts'
import { challengeJob } from '../services/challenges/class-challenges.ts'
import { configJob, lengthJob, seatsJob } from '../services/contests/descriptions/contest-file.ts'
import { foreignScriptJob } from '../services/agents/foreign-scripts.ts'
import { shippedPrintsJob } from '../services/agents/similarity/shipped-prints.ts'
import { similarAgentsJob } from '../services/agents/similarity/similar-agents.ts'
import { passagesJob } from '../services/agents/similarity/passages.ts'
import { earlierPairsJob, ownCodeJob, similarPairsJob } from '../services/agents/similarity/similar-pairs.ts'
import { entriesJob } from '../services/entries/entries-file.ts'
import { textProblemJob } from '../services/texts/class-texts.ts'
import { agentTextJob, lookJob, manifestJob, storedFileJob, writeJob } from '../services/agents/handed-in-files.ts'
import { sourceListJob, sourceTextJob, sourceZipJob } from '../services/agents/public-sources.ts'
import { componentJob } from '../services/components/class-components.ts'
import { seatReportsJob } from '../services/contests/command/seat-reports.ts'
import { unpackJob } from '../services/packages/codes.ts'
import {
  buildEventsJob,
  buildTextsJob,
  checkEventsJob,
  compareJob,
  queryJob,
  searchJob,
  writeRowsJob,
} from '../services/record/jobs.ts'
import {
  copyHistoryJob,
  dossierJob,
  tellInsteadJob,
  tellLinesJob,
  tellPlayedJob,
  zipDossierJob,
} from '../services/evidence/jobs.ts'
import { caseRecordJob } from '../services/cases/opened-record.ts'
import { termTableJob } from '../services/grades/term-table-job.ts'
import type { ReadingJob } from '../services/machine/reading.ts'

type AnyJob = ReadingJob<unknown, unknown>

/** The jobs of the reading process, by name. The main process sends each the input that it declares. */
export const readingJobs: ReadonlyMap<string, AnyJob> = new Map(
  [
    ...[challengeJob, challengeFileJob, configJob, lengthJob, seatsJob, textProblemJob],
    ...[sourceListJob, sourceTextJob, sourceZipJob],
    ...[lookJob, writeJob, agentTextJob, foreignScriptJob, similarAgentsJob, ownCodeJob, similarPairsJob],
    ...[earlierPairsJob, passagesJob, shippedPrintsJob],
    ...[manifestJob, storedFileJob, seatReportsJob],
    ...[unpackJob, entriesJob, componentJob, termTableJob],
    ...[tellLinesJob, tellInsteadJob, tellPlayedJob, copyHistoryJob, zipDossierJob, dossierJob, caseRecordJob],
    ...[buildEventsJob, buildTextsJob, checkEventsJob, compareJob, queryJob, searchJob, writeRowsJob],
  ].map((job) => [job.name, job as AnyJob]),
)
