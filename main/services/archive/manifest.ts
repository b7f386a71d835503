import * as z from 'zod'
import { CLASS_FORMAT, type Classroom } from '../../contract/procedures/classroom.ts'
import { partsThat } from '../../administrator/classroom/layout.ts'
import { PEOPLE_FORM } from '../../administrator/people/people-database.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { sha256Hex } from '../../contract/ids.ts'
import { whyUnsafe } from '../packages/files.ts'

/** The form of archives that is written. */
const ARCHIVE_FORM = 1
/** The first file of an archive, and the class's signature of its text. */
export const MANIFEST = 'manifest.json'
export const SIGNATURE = 'manifest.sig'
/** The folder of the class's files in an archive. */
export const CLASS_FOLDER = 'class'
/** Maximums of an archive. */
export const MANIFEST_BYTES_MAX = 64 * 1024 * 1024
const FILES_MAX = 250_000
/** The size of a file that fits into the header of a tar archive. */
export const FILE_BYTES_MAX = 8 * 1024 ** 3 - 1

const whole = z.int().min(0)

/** The numbers by which people recognize a class. */
const counts = z.strictObject({
  people: whole,
  teams: whole,
  agents: whole,
  components: whole,
  contests: whole,
})
export type Counts = z.infer<typeof counts>

/** The list of an archive: its origin, and each of its files in their order. */
const archiveManifest = z.strictObject({
  format: z.literal(`tartaglia-archive/${ARCHIVE_FORM}`),
  /** The version of the program that wrote it. */
  program: z.string().max(100),
  /** The forms of class.json and people.db. */
  data: z.strictObject({ class: whole, people: whole }),
  /** ISO 8601. */
  made: z.iso.datetime(),
  counts,
  files: z
    .array(z.strictObject({ path: z.string().max(1_000), size: whole.max(FILE_BYTES_MAX), sha256: sha256Hex }))
    .max(FILES_MAX),
})
export type ArchiveManifest = z.infer<typeof archiveManifest>

export const ARCHIVE_FORMAT = `tartaglia-archive/${ARCHIVE_FORM}` as const

export const countsOf = ({ people, teams, agents, components, contests }: Classroom): Counts => ({
  people: people.length,
  teams: teams.length,
  agents: agents.length,
  components: components.length,
  contests: contests.length,
})

export const totalBytes = (files: ArchiveManifest['files']): number => files.reduce((sum, { size }) => sum + size, 0)

const formsRead = z.looseObject({
  format: z.string().regex(/^tartaglia-archive\/\d{1,9}$/),
  program: z.string().max(100).catch('an unknown version'),
  data: z.looseObject({ class: whole.catch(0), people: whole.catch(0) }).catch({ class: 0, people: 0 }),
})

/**
 * Reads the list of an archive, which may be hostile. Throws ExpectedError 'usage' if it is not of a class, is newer than this program, or
 * lists files that a data folder cannot hold. Files may be compressed as well as they like: each has to have the size of the list.
 */
export function readManifest(text: string, archive: string): ArchiveManifest {
  const value = jsonOf(text)
  const forms = formsRead.safeParse(value)
  if (!forms.success) throw notOfClass(archive)
  const { format, program, data } = forms.data
  if (Number(format.split('/')[1]) > ARCHIVE_FORM || data.class > CLASS_FORMAT || data.people > PEOPLE_FORM)
    throw new ExpectedError(
      'usage',
      'archive-newer',
      `${archive} was written by Tartaglia ${JSON.stringify(program)}, which is newer: import it with that version or a later one.`,
    )
  const parsed = archiveManifest.safeParse(value)
  if (!parsed.success) throw refused(archive, 'archive-list-damaged', 'its list of files is damaged')
  const { files } = parsed.data
  const unsafe = whyUnsafe(files.map(({ path }) => path))
  if (unsafe !== null) throw refused(archive, unsafe.code, unsafe.why)
  const known = new Set(partsThat('moment', 'taken'))
  const foreign = files.find(({ path }) => !known.has(path.split('/')[0]!))
  if (foreign !== undefined)
    throw refused(archive, 'archive-file-unknown', `${JSON.stringify(foreign.path)} belongs to no class`)
  return parsed.data
}

/** The text of the list of an archive that is written. Throws ExpectedError 'host' if no import would take it. */
export function manifestText(list: ArchiveManifest): string {
  const text = `${JSON.stringify(list, null, 1)}\n`
  const why =
    list.files.length > FILES_MAX
      ? `it has ${list.files.length} files, and an archive holds ${FILES_MAX}`
      : Buffer.byteLength(text) > MANIFEST_BYTES_MAX
        ? `the list of its ${list.files.length} files is larger than 64 MB`
        : archiveManifest.safeParse(list).success
          ? null
          : 'the path of one of its files is longer than 1,000 characters'
  if (why !== null) throw new ExpectedError('host', 'too-large', `The class cannot be exported: ${why}.`)
  return text
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

export function notOfClass(archive: string): ExpectedError {
  return new ExpectedError(
    'usage',
    'archive-not-of-class',
    `${archive} is not the archive of a class, which "tartaglia class export" writes.`,
  )
}

/** The refusal of an archive. `why`: a phrase. Nothing has been written then. */
export function refused(archive: string, code: ExpectedError['code'], why: string): ExpectedError {
  return new ExpectedError('usage', code, `${archive} cannot be imported, and nothing was: ${why}.`)
}
