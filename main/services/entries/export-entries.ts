import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { checkAgentFile } from '../../administrator/classroom/agents.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import type { Classroom, StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import { ENTRIES_MAX, schoolName, type EntryStatement, type SignedEntry } from '../../contract/contests/entries.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { complaintSentence, parsePlainly } from '../../contract/complaints.ts'
import { signEntry, fingerprint, type SigningKey } from '../../histories/keys.ts'
import { openKeys } from '../../histories/key-files.ts'
import { versionNamed } from '../agents/pinned-agents.ts'
import { existingClass } from '../machine/existing-class.ts'
import { writeOutFile, type OutFile } from '../files/output-file.ts'
import { PIECE_BYTES, type Download } from '../files/downloads.ts'
import { ENTRIES_BYTES_MAX, firstLineOf } from './entries-file.ts'

/** The choice of entries for an export: one version of each chosen agent. */
export interface ExportedChoice {
  /** The name of the class or school for others. */
  readonly school: string
  /** Agents by name: the newest version; `NAME@HASH`, with the first digits of its hash: that one. */
  readonly agents: readonly string[]
  /** True: other classes may see the agents' sources. */
  readonly showSource: boolean
}

/** The result of an export. */
export interface ExportedEntries {
  readonly school: string
  readonly fingerprint: string
  readonly entries: readonly EntryStatement[]
}

/** A class from which entries are exported; nothing in it changes. */
type Source = Pick<ClassFolder, 'folder' | 'key' | 'content'>

/** The name of an entries file. */
export const entriesName = (school: string): string =>
  `${school.toLowerCase().replace(/[^\p{L}\p{Nd}]+/gu, '-')}.entries`

/**
 * An entries file with these agents, whose packages are read when it is fetched. Throws ExpectedError 'usage' if an agent does not
 * exist or cannot be an entry, 'host' if its package is missing or was changed.
 */
export async function packEntries(
  { folder, key, content }: Source,
  { school, agents, showSource }: ExportedChoice,
): Promise<ExportedEntries & { readonly file: Download }> {
  const named = parsePlainly(schoolName, school)
  if (!named.ok)
    throw new ExpectedError('usage', 'input-invalid', `The name of the school: ${complaintSentence(named.complaint)}`)
  if (agents.length === 0) throw new ExpectedError('usage', 'argument-missing', 'Choose at least one agent to export.')
  if (agents.length > ENTRIES_MAX)
    throw new ExpectedError(
      'usage',
      'limit-reached',
      `An entries file has at most ${ENTRIES_MAX} entries; ${agents.length} were chosen.`,
    )
  const packed: PackedFile[] = []
  let size = 0
  for (const version of agents.map((agent) => exportable(content, agent))) {
    if (packed.some(({ entry }) => entry.statement.name === version.manifest.name))
      throw new ExpectedError(
        'usage',
        'name-taken',
        `"${version.manifest.name}" was chosen twice; an entry is one version of an agent.`,
      )
    const { kind, file } = await checkAgentFile(folder, version.hash)
    if (kind === 'web') throw noPackage(version)
    const { size: bytes } = await stat(file)
    packed.push({ entry: signEntry(statementOf(version, kind, { school, key, showSource }), key), file, bytes })
    size += bytes
    if (size > ENTRIES_BYTES_MAX)
      throw new ExpectedError(
        'usage',
        'too-large',
        `These agents are larger than ${ENTRIES_BYTES_MAX >> 20} MB together.`,
      )
  }
  const first = firstLineOf(
    school,
    packed.map(({ entry, bytes }) => ({ ...entry, bytes })),
    key,
  )
  const entries = packed.map(({ entry }) => entry.statement)
  return { school, fingerprint: fingerprint(key.publicKey), entries, file: fileOf(first, packed, first.length + size) }
}

/** An entry whose package, of a number of bytes, lies in a file. */
interface PackedFile {
  readonly entry: SignedEntry
  readonly file: string
  readonly bytes: number
}

function fileOf(first: Buffer, packed: readonly PackedFile[], total: number): Download {
  let given = 0
  async function* pieces(): AsyncGenerator<Buffer> {
    given += first.length
    yield first
    for (const { file } of packed)
      for await (const piece of createReadStream(file, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>) {
        given += piece.length
        yield piece
      }
  }
  return { pieces: pieces(), part: () => given / total }
}

/** Exports entries of the class in a data folder, which is only read, to a file. Throws like `packEntries`. */
export async function exportEntries(
  data: string,
  { school, ...choice }: Omit<ExportedChoice, 'school'> & { readonly school: string | undefined },
  to: OutFile,
): Promise<ExportedEntries> {
  const content = await existingClass(data)
  const named = school ?? content.settings.school
  if (named === '')
    throw new ExpectedError('usage', 'option-missing', 'Name the class or school for others with --school NAME.')
  const source = { folder: data, content, key: openKeys(join(data, 'keys')) }
  const { file, ...exported } = await packEntries(source, { ...choice, school: named })
  const pieces: Uint8Array[] = []
  for await (const piece of file.pieces) pieces.push(piece)
  writeOutFile(to, Buffer.concat(pieces))
  return exported
}

function statementOf(
  { hash, manifest, submitted }: StoredAgentVersion,
  kind: EntryStatement['kind'],
  { school, key, showSource }: { readonly school: string; readonly key: SigningKey; readonly showSource: boolean },
): EntryStatement {
  const { name, game, policies, packages } = manifest
  return {
    ...{ signs: 'tartaglia entry', school, key: key.publicKey, name, game, kind, package: hash, submitted },
    ...(policies === undefined ? {} : { policies }),
    ...(packages === undefined ? {} : { packages }),
    ...(showSource ? { source: 'shown' } : {}),
  }
}

/** A version that this class may export as its own. */
function exportable(content: Pick<Classroom, 'agents'>, wanted: string): StoredAgentVersion {
  const version = versionNamed(content, wanted)
  const { name, kind } = version.manifest
  if (version.entry !== undefined) {
    const { school } = version.entry.statement
    throw new ExpectedError(
      'usage',
      'entry-of-other-school',
      `"${name}" is an entry of ${school}: only its own school can export it.`,
    )
  }
  if (kind !== 'script' && kind !== 'program') throw noPackage(version)
  return version
}

const noPackage = ({ manifest: { name, kind } }: StoredAgentVersion): ExpectedError =>
  new ExpectedError(
    'usage',
    'kind-not-accepted',
    `"${name}" is a ${kind} agent: only scripts and programs can play on another machine.`,
  )
