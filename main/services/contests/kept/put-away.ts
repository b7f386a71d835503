import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import { revealsIn } from '../../../administrator/classroom/revealed.ts'
import { deletedContest } from '../../../administrator/classroom/deletions.ts'
import type { Classroom, ContestEntry } from '../../../contract/procedures/classroom.ts'
import type { ContestId, Sha256 } from '../../../contract/ids.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { Deletion } from '../../../contract/procedures/answers.ts'
import { MachineError, machineErrorFrom } from '../../../histories/machine-error.ts'
import { changed, readHeads } from '../../../histories/match-ending.ts'
import { deleteComments, hasComments } from '../../histories/match-comments.ts'
import { editEntry, entryOf, folderOf, type KeptContests } from './kept-entries.ts'
import { renamed } from '../../../histories/put-in-place.ts'

// Contests that are over are archived, which hides them, or deleted.

/** Hides a contest in lists, or shows it again; its results go on counting. Throws ExpectedError 'usage' if it is open. */
export async function archiveContest(kept: KeptContests, id: ContestId, archived: boolean): Promise<void> {
  if (archived) checkOver(entryOf(kept, id), 'archived')
  await editEntry(kept, id, (found) => {
    if (archived) found.archived = true
    else delete found.archived
  })
}

/** The consequences of deleting a contest. `played`: the number of its finished matches. */
export function deletionOf(content: Classroom, entry: ContestEntry, played: number): Deletion {
  const { id, description, state } = entry
  const needed = neededBy(content, id)
  const refusal =
    state === 'open'
      ? `The contest ${id} is not over: cancel it first.`
      : needed.length > 0
        ? `The contest ${id} is needed by ${needed.join(', ')}, which continue or repeat it: delete these first.`
        : null
  const others = content.contests.length - 1
  const rest = revealsIn({ ...content, contests: content.contests.filter((each) => each.id !== id) })
  const hidden = [...revealsIn(content)].flatMap(([version, { after, contests }]) =>
    contests >= after && (rest.get(version)?.contests ?? 0) < after ? [version.manifest.name] : [],
  )
  const consequences = [
    `${played === 1 ? 'The history of 1 match is' : `The histories of ${played} matches are`} deleted for good, with the contest's seed, standings, tables, notices and comments.`,
    ...(description.practice === true
      ? []
      : [`The results, faults and ratings of its ${description.entrants.length} entrants no longer count it.`]),
    ...(hidden.length === 0 ? [] : [`Sources that are no longer public: ${[...new Set(hidden)].join(', ')}.`]),
    'Its agents, exported histories and backups stay. Exported histories still verify.',
    `No other contest gets its name ${id}. ${others === 1 ? '1 other contest stays' : `${others} other contests stay`}.`,
  ]
  return { consequences, refusal }
}

/**
 * Deletes a contest that is over, with its histories and the comments on them. A process that is killed has deleted all of it or nothing, see
 * `finishDeletions`. Throws ExpectedError 'usage' if it is open or another contest needs it, and MachineError.
 */
export async function deleteContest(kept: KeptContests, id: ContestId): Promise<void> {
  const { home } = kept
  await home.inTurn(async () => {
    const entry = entryOf(kept, id)
    const { refusal } = deletionOf(home.content, entry, 0)
    if (refusal !== null) {
      if (entry.state === 'open') throw new ExpectedError('usage', 'contest-not-over', refusal)
      throw new ExpectedError('usage', 'contest-needed', refusal)
    }
    const heads = await headsWithComments(kept, id)
    const [folder, away] = [folderOf(kept, id), deletedContest(home.folder, id)]
    try {
      if (existsSync(folder)) await renamed(folder, away)
      await removeEntry(home, id).catch(async (error: unknown) => {
        if (existsSync(away)) await renamed(away, folder)
        throw error
      })
      await rm(away, { recursive: true, force: true })
      if (heads.size > 0) await deleteComments(home.folder, heads)
    } catch (error) {
      throw machineErrorFrom(error, 'delete the contest in', folder)
    }
    kept.records.forget(id)
  })
}

/** The heads of its matches if the class keeps comments; those on damaged histories stay, as their heads are not known. */
async function headsWithComments(kept: KeptContests, id: ContestId): Promise<ReadonlySet<Sha256>> {
  if (!(await hasComments(kept.home.folder))) return new Set()
  const folder = folderOf(kept, id)
  try {
    const leaves = (await kept.records.get(id)).finished.leaves()
    return new Set(
      await leaves.heads(0, leaves.count, { read: (rows) => readHeads(folder, rows), changed: () => changed(folder) }),
    )
  } catch (error) {
    if (error instanceof ExpectedError || error instanceof MachineError) return new Set()
    throw error
  }
}

const removeEntry = (home: ClassFolder, id: ContestId): Promise<void> =>
  home.change((content) => {
    content.contests = content.contests.filter((each) => each.id !== id)
    content.deleted.push(id)
  })

/** The contests that continue or repeat a contest. */
function neededBy({ contests }: Classroom, id: ContestId): readonly ContestId[] {
  return contests
    .filter(({ description, rerun }) => description.phase?.after === id || rerun?.of === id)
    .map((each) => each.id)
}

function checkOver({ id, state }: ContestEntry, what: string): void {
  if (state === 'open')
    throw new ExpectedError('usage', 'contest-not-over', `The contest ${id} is not over, so it cannot be ${what}.`)
}
