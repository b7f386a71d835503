import { existsSync, readFileSync, statSync, type Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path'
import * as z from 'zod'
import { complaintSentence, parsePlainly } from '../../contract/complaints.ts'
import type { GameId } from '../../contract/ids.ts'
import { whyNoNewName } from '../../contract/names.ts'
import { isKitName, KIT_NAME, ownName } from '../../contract/players/kit-names.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { withSchemaLink } from '../../contract/schema-link.ts'
import { resources } from '../machine/resources.ts'
import { writeZip } from './zip.ts'
import { sentence } from '../../contract/sentence.ts'

/** A file as it is handed in. */
export interface PackedAgent {
  readonly name: string
  /** Without folders. */
  readonly fileName: string
  readonly bytes: Uint8Array
  /** The paths in it; one for a script alone. */
  readonly files: readonly string[]
  /** The paths that were left out; none for a script alone, whose folder is not read: what comes with a kit, what tools make, histories. */
  readonly leftOut: readonly string[]
}

const manifestName = 'agent.json'
/** A script of a kit, in the order of preference. */
const scripts = ['agent.ts', 'agent.cjs', 'agent.js', 'agent.mjs', 'agent.mts', 'agent.cts']
/** Folders that are left out whole. */
const junkFolders = /^(node_modules|__pycache__|\.[^/]*|cases|data|packed|venv|env)$/
/** Files of kits, of tools and of matches, such as the pages of `replay --html`. */
const junkFiles =
  /^(\..*|tartaglia\.mjs|package(-lock)?\.json|tsconfig\.json|receipt-\d+(-\d+)?\.json|agent_test\.(go|py)|.*\.(md|html|pyc|history|zip|tgz|log|test\.[cm]?[jt]s|d\.ts)|.*\.tar\.gz|Thumbs\.db)$/
/** A program's results of builds, beside the files that its build names: they are made anew from what is handed in. */
const builtFolders = /^(target|classes|cache)$|\.dSYM$/
const builtFiles = /\.(exe|pdb|o|class)$/
const FILES_MAX = 2_000

/**
 * Makes the file that is handed in from a script, or from a folder with an agent.json or a script called `agent`. `name`: the
 * agent's; absent: that of its agent.json, file or folder, unless a kit gave it. `needsName` false: it may have the kit's, because the
 * class knows which agent it is. `game` null: a script that needs other files says no game, and must not need them. Throws
 * ExpectedError 'usage'.
 */
export async function packAgent(
  path: string,
  game: GameId | null,
  name?: string,
  needsName = true,
): Promise<PackedAgent> {
  const at = resolve(path)
  const there = statSync(at, { throwIfNoEntry: false })
  if (there === undefined) throw new ExpectedError('usage', 'file-unreadable', `There is no file or folder ${path}.`)
  if (!there.isDirectory()) {
    if (!/^\.[cm]?[jt]s$/.test(extname(at)))
      throw new ExpectedError(
        'usage',
        'package-form-unknown',
        `${path} is not a script: pack the folder of a program, which has an agent.json.`,
      )
    return packScript(at, game, name, needsName)
  }
  if (existsSync(join(at, manifestName))) return packFolder(at, name, needsName)
  const script = scriptIn(at)
  if (script === null)
    throw new ExpectedError(
      'usage',
      'script-missing',
      `The folder ${path} has neither an agent.json nor a script called ${scripts[1]} or ${scripts[0]}; give the script's file.`,
    )
  return packScript(join(at, script), game, name, needsName)
}

/** A script that imports no file beside it is handed in as it is. */
async function packScript(
  file: string,
  game: GameId | null,
  wanted: string | undefined,
  needsName: boolean,
): Promise<PackedAgent> {
  const folder = dirname(file)
  const bytes = bytesOf(file)
  const stem = basename(file, extname(file))
  const name = chosenName(wanted, null, [stem, basename(folder)], needsName)
  const text = new TextDecoder().decode(bytes).replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$|^\s*import type .*$/gm, '')
  // The folder of a script alone is not read: it may be a whole home.
  if (!/(\bfrom|\bimport|\brequire)\s*\(?\s*['"]\.{1,2}\//.test(text))
    return { name, fileName: `${name}${extname(file)}`, bytes, files: [basename(file)], leftOut: [] }
  if (game === null)
    throw new ExpectedError(
      'usage',
      'option-missing',
      `${file} imports files beside it, so that a package is made of them: say for which game, with --game.`,
    )
  const manifest = { name, game, kind: 'script', main: basename(file) }
  return packed(folder, name, manifest, await filesToPack(folder, () => false))
}

/** True for a folder that can be packed: it has an agent.json, or a script called `agent`. */
export const holdsAgent = (folder: string): boolean =>
  existsSync(join(folder, manifestName)) || scriptIn(folder) !== null

/** The script of a folder that has no agent.json; other paths stay as they are. */
export function playableFile(path: string): string {
  const script = existsSync(join(path, manifestName)) ? null : scriptIn(path)
  return script === null ? path : join(path, script)
}

const scriptIn = (folder: string): string | null => scripts.find((each) => existsSync(join(folder, each))) ?? null

async function packFolder(folder: string, wanted: string | undefined, needsName: boolean): Promise<PackedAgent> {
  const manifest = readManifest(join(folder, manifestName))
  const declared = typeof manifest['name'] === 'string' ? manifest['name'] : null
  const name = chosenName(wanted, declared, [basename(folder)], needsName)
  return packed(folder, name, { ...manifest, name }, await filesToPack(folder, builtBy(manifest)))
}

function packed(
  folder: string,
  name: string,
  manifest: object,
  { kept, leftOut }: Awaited<ReturnType<typeof filesToPack>>,
): PackedAgent {
  const files = new Map<string, Uint8Array>([
    [manifestName, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)],
    ...kept
      .filter((path) => path !== manifestName)
      .map((path) => [path, bytesOf(join(folder, path))] as [string, Uint8Array]),
  ])
  return { name, fileName: `${name}.zip`, bytes: writeZip(files), files: [...files.keys()], leftOut }
}

/** Its fields are checked when the package is read. */
const anyManifest = withSchemaLink(
  z.custom<Readonly<Record<string, unknown>>>(
    (value) => value !== null && typeof value === 'object' && !Array.isArray(value),
    'it is not a JSON object',
  ),
)

function readManifest(file: string): Readonly<Record<string, unknown>> {
  let manifest: unknown
  try {
    manifest = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new ExpectedError('usage', 'manifest-invalid', sentence(`${file} is not JSON: ${why}`))
  }
  const read = parsePlainly(anyManifest, manifest)
  if (read.ok) return read.value
  throw new ExpectedError('usage', 'manifest-invalid', `${file}: ${complaintSentence(read.complaint)}`)
}

/** Throws ExpectedError 'usage' if nothing but names of the kit is there, or the wanted name is not allowed. */
function chosenName(
  wanted: string | undefined,
  declared: string | null,
  places: readonly string[],
  needsName: boolean,
): string {
  const name = wanted ?? ownName(declared, places) ?? (needsName ? null : KIT_NAME)
  if (name === null || (needsName && isKitName(name)))
    throw new ExpectedError(
      'usage',
      'name-missing',
      `The agent still has the name that every kit has ("${name ?? declared ?? places[0]}"): give it one with --name.`,
    )
  const problem = whyNoNewName(name)
  if (problem !== null) throw new ExpectedError('usage', 'input-invalid', `The name "${name}": ${problem}.`)
  return name
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    throw unreadable(folder, error)
  }
}

function bytesOf(file: string): Uint8Array {
  try {
    return readFileSync(file)
  } catch (error) {
    throw unreadable(file, error)
  }
}

function unreadable(path: string, error: unknown): ExpectedError {
  const why = error instanceof Error ? error.message : String(error)
  return new ExpectedError('usage', 'file-unreadable', sentence(`${path} cannot be read: ${why}`))
}

/** True for the paths that a build leaves in the folder of an agent with this manifest. */
function builtBy({ build }: Readonly<Record<string, unknown>>): (path: string) => boolean {
  if (!Array.isArray(build)) return () => false
  const words = build.flatMap((word) => String(word).split(' '))
  const outputs = words.filter((_, at) => words[at - 1] === '-o')
  return (path) => outputs.includes(path) || builtFolders.test(path) || builtFiles.test(path)
}

/** The files of a folder, sorted, without links, and the files and folders that are left out. */
async function filesToPack(
  folder: string,
  isBuilt: (path: string) => boolean,
): Promise<{ readonly kept: readonly string[]; readonly leftOut: readonly string[] }> {
  const kept: string[] = []
  const leftOut: string[] = []
  const visit = async (at: string): Promise<void> => {
    const entries = (await entriesOf(at)).sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const entry of entries) {
      const full = join(at, entry.name)
      const path = relative(folder, full).split(sep).join('/')
      // The kit's program; a folder dist/ of one's own stays.
      const isProgram = path === 'dist' && existsSync(join(full, 'cli.js'))
      if (entry.isDirectory()) {
        if (junkFolders.test(entry.name) || isProgram || isBuilt(path)) leftOut.push(`${path}/`)
        else await visit(full)
      } else if (!entry.isFile() || junkFiles.test(entry.name) || isBuilt(path)) leftOut.push(path)
      else kept.push(path)
      if (kept.length > FILES_MAX)
        throw new ExpectedError(
          'usage',
          'too-large',
          `${folder} holds more than ${FILES_MAX} files; pack a folder that holds only the agent.`,
        )
    }
  }
  await visit(folder)
  return { kept, leftOut }
}

/** The game of the kit in which a folder is; null: it is in none. */
export const gameOfKit = (folder: string): GameId | null => kitAround(folder)?.game ?? null

/** The kit in which a folder is, and the root of that kit; null: it is in none. */
export function kitAround(folder: string): { readonly root: string; readonly game: GameId | null } | null {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const kit = kitAt(at)
    if (kit !== null) return { root: at, ...kit }
    if (dirname(at) === at) return null
  }
}

/** The game in the agent.json of a folder; null: it has none, and packing says what is wrong with the file. */
export function declaredGame(folder: string): GameId | null {
  const file = join(folder, manifestName)
  try {
    const { game } = readManifest(file)
    return typeof game === 'string' ? game : null
  } catch {
    return null
  }
}

/** The root of the kit that this program is part of, as it would be. */
const thisRoot = (): string => join(dirname(resources.renderer), '..')

/** The game of the kit that this program is part of; null: it is a whole Tartaglia. */
export const gameOfThisKit = (): GameId | null => kitAt(thisRoot())?.game ?? null

/** The folder of the kit that this program is part of. Throws ExpectedError `kit-unavailable` if it is a whole Tartaglia. */
export function thisKit(): string {
  if (kitAt(thisRoot()) !== null) return thisRoot()
  throw new ExpectedError(
    'usage',
    'kit-unavailable',
    'This program is not part of a kit, so it has no folder of matches and cases.',
  )
}

/** The kit whose root a folder is; null: the folder is not the root of a kit. */
function kitAt(folder: string): { readonly game: GameId | null } | null {
  const file = join(folder, 'package.json')
  if (!existsSync(file) || !existsSync(join(folder, 'tartaglia.mjs'))) return null
  const { tartaglia } = readManifest(file) as { readonly tartaglia?: { readonly game?: unknown } }
  return { game: typeof tartaglia?.game === 'string' ? tartaglia.game : null }
}
