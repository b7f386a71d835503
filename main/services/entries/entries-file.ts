import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import type { AgentPackage } from '../../administrator/classroom/agents.ts'
import { agentManifest, type AgentManifest } from '../../contract/players/agents.ts'
import {
  ENTRIES_FORMAT,
  publicKey as schoolKey,
  schoolName,
  signedEntries,
  signedEntry,
  type EntriesManifest,
  type EntryStatement,
  type SignedEntry,
} from '../../contract/contests/entries.ts'
import type { ErrorCode } from '../../contract/error-codes.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { readJsonText } from '../../contract/json-text.ts'
import { findLikeness } from '../../contract/look-alike-names.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { canonicalText } from '../../histories/canonical.ts'
import { entriesText, isSignedEntry, signedBy, type SigningKey } from '../../histories/keys.ts'
import { games } from '../../referees/games.ts'
import { otherGameOf } from '../agents/named-agents.ts'
import { readText, readingJob } from '../machine/reading.ts'
import { checkContent } from '../packages/form.ts'
import { SCRIPT_BYTES_MAX, AGENT_BYTES_MAX } from '../packages/prepare.ts'
import { PackageProblem } from '../packages/files.ts'
import { readTar } from '../packages/tar.ts'
import { sentence } from '../../contract/sentence.ts'

/** The maximum size of an entries file. */
export const ENTRIES_BYTES_MAX = 512 * 1024 * 1024
/** The maximum size of its first line; a thousand entries need a fourth of it. */
const MANIFEST_BYTES_MAX = 4 * 1024 * 1024

/** An entry with its package. */
export interface PackedEntry {
  readonly entry: SignedEntry
  readonly bytes: Uint8Array
}

/** An entry of an entries file, which was checked as far as the file goes. */
export interface OpenedEntry extends PackedEntry {
  readonly agent: AgentPackage
  /**
   * Its manifest in the class that takes it. The name is the pseudonym, and no team is named, because it would be one of
   * the other school.
   */
  readonly manifest: AgentManifest
}

/** A whole entries file. */
export interface OpenedEntries {
  readonly school: string
  /** The school's raw public key. */
  readonly key: string
  readonly entries: readonly OpenedEntry[]
}

/** The bytes of an entries file: the signed manifest as one line, and the packages in its order. */
export function writeEntries(school: string, packed: readonly PackedEntry[], key: SigningKey): Buffer {
  const listed = packed.map(({ entry, bytes }) => ({ ...entry, bytes: bytes.length }))
  return Buffer.concat([firstLineOf(school, listed, key), ...packed.map(({ bytes }) => bytes)])
}

/** The first line of an entries file: the signed manifest. `bytes`: the sizes of the packages that follow. */
export function firstLineOf(school: string, entries: EntriesManifest['entries'], key: SigningKey): Buffer {
  const manifest: EntriesManifest = { format: ENTRIES_FORMAT, school, key: key.publicKey, entries }
  return Buffer.from(`${canonicalText({ manifest, signature: key.sign(entriesText(manifest)) })}\n`)
}

/**
 * Reads an entries file of a stranger: every signature, hash, size and package. Throws ExpectedError 'usage' with one
 * sentence that says what is wrong with it. `fileName`: for that sentence.
 */
export function readEntries(fileName: string, content: Uint8Array): OpenedEntries {
  return withPackages(checkEntries({ fileName, content }), fileName, content)
}

/** Like `readEntries`, in another process, which gets the path of the file. Rejects with MachineError if it cannot be read. */
export async function receiveEntries(fileName: string, path: string): Promise<OpenedEntries> {
  const listed = await readText(entriesJob, { fileName, path })
  return withPackages(listed, fileName, await contentAt(path))
}

const contentAt = (path: string): Promise<Uint8Array> =>
  readFile(path).catch((error: unknown) => {
    throw machineErrorFrom(error, 'read', path)
  })

/** The contents of an entries file, with the places of the packages instead of their bytes. */
const listedEntries = z.strictObject({
  school: schoolName,
  key: schoolKey,
  entries: z.array(z.strictObject({ entry: signedEntry, manifest: agentManifest, at: z.int(), size: z.int() })),
})
type ListedEntries = z.output<typeof listedEntries>

interface EntriesText {
  readonly fileName: string
  readonly content: Uint8Array
}

export const entriesJob = readingJob<{ readonly fileName: string; readonly path: string }, ListedEntries>({
  name: 'entries',
  what: 'an entries file',
  result: listedEntries,
  read: async ({ fileName, path }) => checkEntries({ fileName, content: await contentAt(path) }),
})

function withPackages({ school, key, entries }: ListedEntries, fileName: string, content: Uint8Array): OpenedEntries {
  const refuse = refusalOf(fileName)
  const opened = entries.map(({ entry, manifest, at, size }): OpenedEntry => {
    const bytes = content.subarray(at, at + size)
    const { name, game, kind } = entry.statement
    // Here, because the reading process of a packaged app cannot read the agents in its archive.
    const other = kind === 'script' ? otherGameOf(bytes, game) : null
    if (other !== null)
      refuse('other-game', `the entry "${name}": it is an agent of ${other} and does not play ${game}`)
    return { entry, manifest, bytes, agent: { kind: entry.statement.kind, bytes } }
  })
  return { school, key, entries: opened }
}

function checkEntries({ fileName, content }: EntriesText): ListedEntries {
  const refuse = refusalOf(fileName)
  const manifest = readManifest(content, refuse)
  const { school, key } = manifest
  const alike = findLikeness(manifest.entries.map(({ statement }) => statement.name))
  if (alike !== null) refuse('name-taken', alike)
  const entries: ListedEntries['entries'] = []
  let at = content.indexOf(10) + 1
  for (const { bytes: size, ...entry } of manifest.entries) {
    const end = at + size
    if (end > content.length) refuse('archive-cut-off', 'it is cut off')
    const bytes = content.subarray(at, end)
    const { statement } = entry
    const refuseEntry: Refuse = (code, why) => refuse(code, `the entry "${statement.name}": ${why}`)
    if (!isSignedEntry(entry)) refuseEntry('entry-signature-invalid', 'its signature does not hold')
    if (hash('sha256', bytes) !== statement.package)
      refuseEntry('entry-hash-differs', 'its package has another hash than was signed')
    if (!games.has(statement.game)) refuseEntry('game-unknown', `there is no game "${statement.game}" here`)
    entries.push({ entry, manifest: manifestOf(statement, bytes, refuseEntry), at, size })
    at = end
  }
  if (at !== content.length) refuse('entries-bytes-left', 'there are more bytes in it than its entries have')
  return { school, key, entries }
}

/** Throws the error of a file that is not accepted; `why`: the end of its sentence. */
type Refuse = (code: ErrorCode, why: string) => never

const refusalOf =
  (fileName: string): Refuse =>
  (code, why) => {
    throw new ExpectedError('usage', code, sentence(`${fileName} cannot be accepted as entries: ${why}`))
  }

const anyFormat = z.looseObject({ manifest: z.looseObject({ format: z.string() }) })

function readManifest(content: Uint8Array, refuse: Refuse): EntriesManifest {
  const end = content.subarray(0, MANIFEST_BYTES_MAX + 1).indexOf(10)
  const text = end === -1 ? null : textOf(content.subarray(0, end))
  if (text?.startsWith('{"manifest":') !== true)
    return end === -1 && content.length > MANIFEST_BYTES_MAX
      ? refuse('too-large', 'its first line is too long')
      : refuse('entries-list-missing', 'it does not begin with the list of its entries')
  const loose = readJsonText(text, anyFormat)
  const format = loose.ok ? loose.value.manifest.format : ''
  if (/^tartaglia-entries\/\d{1,9}$/.test(format) && format !== ENTRIES_FORMAT)
    return refuse(
      'entries-form-unknown',
      `its form is ${format}, and only ${ENTRIES_FORMAT} is known here; it may need a newer Tartaglia`,
    )
  const read = readJsonText(text, signedEntries)
  if (!read.ok) return refuse('json-invalid', `line 1, column ${read.column}: ${read.message}`)
  const { manifest, signature } = read.value
  // One spelling only, so that nothing in the file is read in two ways.
  if (canonicalText(read.value) !== text)
    return refuse('entries-not-canonical', 'its first line is not in canonical form')
  if (!signedBy(manifest.key, entriesText(manifest), signature))
    return refuse(
      'entries-signature-invalid',
      'its signature does not hold: it was changed after it was exported, or another key made it',
    )
  return manifest
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/** The manifest that the class keeps with an agent. A program's own agent.json says how it is run. */
function manifestOf(statement: EntryStatement, bytes: Uint8Array, refuse: Refuse): AgentManifest {
  const { name, game, kind, policies, packages } = statement
  const meant = policies === undefined ? {} : { policies }
  if (kind === 'script') {
    checkScript(bytes, refuse)
    return { name, game, kind, ...meant }
  }
  if (bytes.length > AGENT_BYTES_MAX)
    return refuse('too-large', `its package is larger than ${AGENT_BYTES_MAX >> 20} MB`)
  const files = readTar(bytes)
  if (files instanceof PackageProblem)
    return refuse(files.code, `its package is not one that a class stores: ${files.why}`)
  const text = files.find(({ path }) => path === 'agent.json')?.bytes
  if (text === undefined || text.length > AGENT_JSON_MAX)
    return refuse('manifest-missing', 'its package has no agent.json')
  const read = readJsonText(new TextDecoder().decode(text), agentManifest)
  if (!read.ok) return refuse('manifest-invalid', `agent.json:${read.line}:${read.column}: ${read.message}`)
  if (read.value.kind !== 'program')
    return refuse('kind-not-accepted', `its agent.json says that it is a ${read.value.kind}`)
  if (read.value.game !== game)
    return refuse('other-game', `its agent.json says that it plays ${read.value.game}, not ${game}`)
  const run: AgentManifest = { ...read.value }
  delete run.team
  delete run.policies
  return { ...run, name, ...meant, ...(packages === undefined ? {} : { packages }) }
}

const AGENT_JSON_MAX = 65_536

function checkScript(bytes: Uint8Array, refuse: Refuse): void {
  if (bytes.length > SCRIPT_BYTES_MAX) refuse('too-large', `its script is larger than ${SCRIPT_BYTES_MAX >> 20} MB`)
  try {
    checkContent('its script', 'js', bytes)
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error
    refuse(error.code, error.message.replace(/\.$/, ''))
  }
}
