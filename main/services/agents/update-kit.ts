import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import * as z from 'zod'
import { ExpectedError } from '../../contract/expected-error.ts'
import { sha256Hex } from '../../contract/ids.ts'
import { sha256 } from '../../histories/canonical.ts'
import { makeFolder } from '../../histories/durable.ts'
import { writeOutFile } from '../files/output-file.ts'
import { readBytes } from '../files/read-file.ts'
import { PackageProblem } from '../packages/files.ts'
import { readZip } from '../packages/zip.ts'

/** The hashes of the files of a kit as they were shipped, by path: whatever differs is the student's own. */
export const KIT_FILES = 'dist/kit-files.json'
const kitFiles = z.record(z.string(), sha256Hex)

/** The most bytes of the zip of a kit, which has some megabytes. */
const KIT_BYTES_MAX = 64 * 1024 * 1024

/** The text of `KIT_FILES` for the files of a kit. */
export function kitFilesText(files: ReadonlyMap<string, Uint8Array>): string {
  const hashes = Object.fromEntries([...files].map(([path, bytes]) => [path, sha256(bytes)]))
  return `${JSON.stringify(hashes, null, 2)}\n`
}

/** The folder, in that of a kit, for what a newer kit has changed as well as the student. Agents are packed without it. */
export const NEWER = '.newer'

/** The result of an update. Paths are relative to the folder of the kit. */
export interface UpdatedKit {
  readonly folder: string
  /** Files that were added or replaced. */
  readonly written: readonly string[]
  /** Files of the newer kit of which the folder has another version of the student's own, which stays. */
  readonly kept: readonly string[]
  /** Those of them that the newer kit has changed too: its version is below `NEWER`, at the same path. */
  readonly conflicts: readonly string[]
  /** Files of the older kit that the newer one has no longer. */
  readonly removed: readonly string[]
}

/**
 * Brings the kit in a folder to the version of a newer one, a zip; null: the newest zip of a kit in the folder, as a browser saves it.
 * Files that the student has changed, deleted or added stay as they are. Throws ExpectedError `kit-unavailable` if the folder is not a
 * kit, or the zip not one for the same game and language; `file-unreadable`;
 * `too-large`.
 */
export async function updateKit(folder: string, given: string | null): Promise<UpdatedKit> {
  const own = await choiceIn(folder)
  if (own === null) throw notAKit(`${folder} is not the folder of a kit: it has no package.json of one.`)
  const stem = `tartaglia-${own.replace(' ', '-')}`
  const newer = given ?? (await newestZip(folder, stem))
  if (newer === null)
    throw notAKit(
      `${folder} has no zip of a newer kit, such as ${stem}.zip: download one from the class into it, or name one.`,
    )
  const files = filesOf(newer, await readBytes(newer, KIT_BYTES_MAX))
  if (own !== choiceOf(files.get('package.json'))) throw notAKit(`${newer} is a kit for another game or language.`)
  const before = await shippedIn(folder)
  const [written, kept, conflicts, removed]: [string[], string[], string[], string[]] = [[], [], [], []]
  for (const [path, content] of files) {
    const place = join(folder, path)
    const there = await hashOf(place)
    if (there === sha256(content)) continue
    const shipped = before[path]
    const isProgram = path.startsWith('dist/')
    // A file that was shipped and is gone was deleted on purpose.
    if (isProgram || (there === null ? shipped === undefined : there === shipped)) {
      makeFolder(dirname(place))
      writeOutFile({ path: place, overwrite: true }, content)
      written.push(path)
      continue
    }
    kept.push(path)
    const aside = join(folder, NEWER, path)
    // A conflict that an earlier update has told waits until the student has deleted that file.
    if (there === null || (shipped === sha256(content) && (await hashOf(aside)) !== shipped)) continue
    makeFolder(dirname(aside))
    writeOutFile({ path: aside, overwrite: true }, content)
    conflicts.push(path)
  }
  for (const path of await pathsBelow(join(folder, NEWER)))
    if (!conflicts.includes(path)) await rm(join(folder, NEWER, path))
  for (const [path, hash] of Object.entries(before)) {
    if (files.has(path) || path === KIT_FILES || (await hashOf(join(folder, path))) !== hash) continue
    await rm(join(folder, path))
    removed.push(path)
  }
  return { folder, written, kept, conflicts, removed }
}

/** The zip of a kit that was saved last in a folder, of those with this beginning of a name; null: there is none. */
async function newestZip(folder: string, stem: string): Promise<string | null> {
  const names = (await readdir(folder)).filter(
    (name) => name.startsWith(stem) && /^(?![a-z]).*\.zip$/i.test(name.slice(stem.length)),
  )
  const zips = await Promise.all(
    names.map(async (name) => ({ path: join(folder, name), saved: (await stat(join(folder, name))).mtimeMs })),
  )
  return zips.toSorted((a, b) => b.saved - a.saved)[0]?.path ?? null
}

/** The files below a folder, which need not exist, by their paths with forward slashes. */
async function pathsBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/'))
}

const notAKit = (message: string): ExpectedError => new ExpectedError('usage', 'kit-unavailable', message)

/** The files of a kit in a zip, by their paths in the kit: the zip has one folder, which is the kit. */
function filesOf(name: string, bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const entries = readZip(bytes)
  const files = new Map<string, Uint8Array>()
  if (entries instanceof PackageProblem) throw notAKit(`${name} cannot be read as a kit.`)
  for (const entry of entries) {
    const content = entry.read(entry.size)
    const path = /^[^/]+\/(.+)$/.exec(entry.path)?.[1]
    if (!(content instanceof Uint8Array) || path === undefined) throw notAKit(`${name} cannot be read as a kit.`)
    files.set(path, content)
  }
  if (!files.has(KIT_FILES))
    throw notAKit(`${name} is not the zip of a kit, or one of a version that cannot update another.`)
  return files
}

const manifestOfKit = z.looseObject({ tartaglia: z.looseObject({ game: z.string(), kit: z.string() }) })

/** The game and the language of a kit, by its package.json; null: it is not a kit. */
function choiceOf(manifest: Uint8Array | undefined): string | null {
  try {
    const { tartaglia } = manifestOfKit.parse(JSON.parse(Buffer.from(manifest ?? []).toString('utf8')))
    return `${tartaglia.game} ${tartaglia.kit}`
  } catch {
    return null
  }
}

async function choiceIn(folder: string): Promise<string | null> {
  return choiceOf(await readFile(join(folder, 'package.json')).catch(() => undefined))
}

/** The hashes of the files as the kit in the folder was shipped; empty: it is of a version that did not note them. */
async function shippedIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(join(folder, KIT_FILES), 'utf8').catch(() => '{}')
  try {
    // A path that leads out of the folder was not shipped.
    return Object.fromEntries(Object.entries(kitFiles.parse(JSON.parse(text))).filter(([path]) => isInside(path)))
  } catch {
    return {}
  }
}

const isInside = (path: string): boolean => !/^[/\\]|^[A-Za-z]:|(^|[/\\])\.\.([/\\]|$)/.test(path)

/** The SHA-256 of a file; null: it does not exist. */
async function hashOf(path: string): Promise<string | null> {
  const bytes = await readFile(path).catch(() => null)
  return bytes === null ? null : sha256(bytes)
}
