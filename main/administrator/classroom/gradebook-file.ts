import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ExpectedError } from '../../contract/expected-error.ts'
import { GRADEBOOK_FORM, gradebookFile, type GradebookFile, type Release } from '../../contract/grades/gradebook.ts'
import { readJsonText } from '../../contract/json-text.ts'
import type { PersonId } from '../../contract/people/people.ts'
import { MachineError, machineErrorFrom } from '../../histories/machine-error.ts'
import type { ClassFolder } from './classroom.ts'
import { syncedFile } from './synced-file.ts'

const empty: GradebookFile = {
  format: `tartaglia-gradebook/${GRADEBOOK_FORM}`,
  scheme: '',
  manual: [],
  release: null,
  earlier: [],
}
const pathIn = (data: string): string => join(data, 'gradebook.json')

/** The files that were read last, by path: with all explanations of a term one has megabytes, and each student asks for one grade of it. */
const lately = new Map<string, { readonly stamp: string; readonly file: Promise<GradebookFile> }>()
/** The maximum number of them. */
const LATELY_MAX = 4

/** Another text for each content that a path has had; '': nothing can be said about it. */
async function stampOf(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => null)
  return found === null ? '' : [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join()
}

/**
 * The gradebook of a data folder; an empty one if it has none. Throws ExpectedError 'usage' if the file is damaged or written by a newer
 * program, MachineError if it cannot be read. The file is left unchanged.
 */
export async function readGradebook(data: string): Promise<GradebookFile> {
  const path = pathIn(data)
  const stamp = await stampOf(path)
  const known = lately.get(path)
  if (stamp !== '' && known?.stamp === stamp) return known.file
  const file = readAnew(path)
  lately.delete(path)
  lately.set(path, { stamp, file })
  if (lately.size > LATELY_MAX) lately.delete(lately.keys().next().value!)
  try {
    return await file
  } catch (error) {
    if (lately.get(path)?.file === file) lately.delete(path)
    throw error
  }
}

async function readAnew(path: string): Promise<GradebookFile> {
  try {
    return (await syncedFile(path, gradebookFile).read()) ?? empty
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw machineErrorFrom(error, 'read', path)
    const form = await formIn(path)
    if (form <= GRADEBOOK_FORM) throw error
    throw new ExpectedError(
      'usage',
      'data-folder-newer',
      `${path} was written by a newer version of Tartaglia (form ${form}; this version reads up to form ${GRADEBOOK_FORM}). ` +
        'Open the class with that version or a later one. The file was not changed.',
    )
  }
}

/** The gradebook of a data folder, for those who can do without; null: it cannot be read. */
export async function gradebookIfReadable(data: string): Promise<GradebookFile | null> {
  try {
    return await readGradebook(data)
  } catch (error) {
    if (error instanceof ExpectedError || error instanceof MachineError) return null
    throw error
  }
}

/** Text that is another one after each decision. */
export function versionOf({ scheme, manual, release }: GradebookFile): string {
  const decisions = [scheme, manual.map(({ person, value, reason }) => [person, value, reason])]
  const released = release && [release.at, release.scheme, release.grades.length]
  return createHash('sha256')
    .update(JSON.stringify([...decisions, released]))
    .digest('hex')
    .slice(0, 16)
}

/**
 * Edits the gradebook in the turn of the class, so that a backup has all of a change or nothing, and returns its new version. `seen`: the
 * version that was looked at before; absent: any. Rejects with the errors of `readGradebook` and of `edit`, and with ExpectedError 'usage'
 * if the gradebook has another version than was seen.
 */
export function changeGradebook(
  { folder, inTurn }: Pick<ClassFolder, 'folder' | 'inTurn'>,
  edit: (file: GradebookFile) => GradebookFile | Promise<GradebookFile>,
  seen?: string,
): Promise<string> {
  return inTurn(async () => {
    const before = await readGradebook(folder)
    if (seen !== undefined && seen !== versionOf(before))
      throw new ExpectedError(
        'usage',
        'gradebook-changed',
        'The gradebook was changed in another window meanwhile: look at it as it is now, and decide again. Nothing was changed.',
      )
    const after = await edit(before)
    if (after !== before) await writeGradebook(folder, after)
    return versionOf(after)
  })
}

/** Writes the gradebook of a data folder that nobody else has open. Throws ExpectedError 'usage' for content that could not be read again. */
export async function writeGradebook(data: string, content: GradebookFile): Promise<void> {
  const path = pathIn(data)
  const again = readJsonText(JSON.stringify(content), gradebookFile)
  if (!again.ok)
    throw new ExpectedError(
      'usage',
      'gradebook-unfit',
      `The gradebook could not be read again after this change (${again.message}), so that ${path} was not changed.`,
    )
  try {
    await syncedFile(path, gradebookFile).write(content)
  } catch (error) {
    throw error instanceof MachineError ? error : machineErrorFrom(error, 'write', path)
  }
}

/** The gradebook of a new term: only the scheme. */
export const schemeAlone = ({ scheme }: GradebookFile): GradebookFile => ({ ...empty, scheme })

/** The gradebook without the grades of a person. */
export function withoutPerson(file: GradebookFile, person: PersonId): GradebookFile {
  const { manual, release, earlier } = file
  const releases = [...earlier, ...(release === null ? [] : [release])]
  const has = [...manual, ...releases.flatMap(({ grades }) => grades)].some((each) => each.person === person)
  if (!has) return file
  const without = (of: Release): Release => ({ ...of, grades: of.grades.filter((each) => each.person !== person) })
  return {
    ...file,
    manual: manual.filter((each) => each.person !== person),
    release: release && without(release),
    earlier: earlier.map(without),
  }
}

/** The number of the form that a file states; 0: it states none. */
async function formIn(path: string): Promise<number> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return Number(/^\s*\{\s*"format"\s*:\s*"tartaglia-gradebook\/(\d{1,9})"/.exec(text)?.[1] ?? 0)
}
