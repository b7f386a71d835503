import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { passingFolder } from '../../administrator/classroom/scratch.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ContestId } from '../../contract/ids.ts'
import type { ContestEntry } from '../../contract/procedures/classroom.ts'
import { contestFolder } from '../machine/data-folder.ts'
import { createContestRecords, type ContestRecords, type RecordedContest } from './contest-record.ts'

/** The records of the contests of an open class. */
export interface ClassRecords {
  /** Throws ExpectedError 'usage' if there is no such contest, or none of its matches has begun. */
  of<T>(contest: ContestId, ask: (records: ContestRecords, place: RecordedContest) => Promise<T>): Promise<T>
  /** Several contests at once, without those of which no match has begun. Throws ExpectedError 'usage' for an unknown contest. */
  ofAll<T>(
    contests: readonly ContestId[],
    ask: (records: ContestRecords, places: readonly RecordedContest[]) => Promise<T>,
  ): Promise<T>
  /** Stops what is running. */
  close(): void
}

/** `entryOf` throws ExpectedError 'usage' for an unknown contest. */
export function openClassRecords(
  home: Pick<ClassFolder, 'folder' | 'key' | 'isReadOnly'>,
  entryOf: (contest: ContestId) => ContestEntry,
): ClassRecords {
  const records = createContestRecords()
  /** The databases of a class that is open to look at; null until the first. */
  let passing: string | null = null
  const storeOf = (contest: ContestId, folder: string): string => {
    if (!home.isReadOnly) return folder
    passing ??= passingFolder('mine')
    const store = join(passing, contest)
    mkdirSync(store, { recursive: true })
    return store
  }
  /** Null: no match of it has begun. */
  const placeOf = (contest: ContestId): RecordedContest | null => {
    const { description } = entryOf(contest)
    const folder = contestFolder(home.folder, contest)
    if (!existsSync(folder)) return null
    const [game, key] = [description.game, home.key.publicKey]
    return { contest, game, folder, key, store: storeOf(contest, folder) }
  }
  return {
    async of(contest, ask) {
      const place = placeOf(contest)
      if (place === null)
        throw new ExpectedError(
          'usage',
          'contest-not-begun',
          `No match of ${contest} has been played yet: there is nothing to ask about.`,
        )
      return ask(records, place)
    },
    async ofAll(contests, ask) {
      return ask(
        records,
        contests.map(placeOf).filter((place) => place !== null),
      )
    },
    close() {
      records.close()
      if (passing !== null) rmSync(passing, { recursive: true, force: true })
    },
  }
}
