import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, normalize, sep } from 'node:path'
import { readJsonText, problemsLine } from '../../contract/json-text.ts'
import { declaredToolchains, toolchainKinds, type ToolchainName } from '../../contract/players/toolchains.ts'
import { homeFolder } from './home-folder.ts'
import { isEnteredByAll, isRoot } from './runtime.ts'

/** The folders of toolchains that are not in the system's own, as boxes need them. */
export interface ToolchainFolders {
  /** Agents and builds may read them, at the same paths. */
  readonly folders: readonly string[]
  /** Folders in which programs are searched for, before those of the system. */
  readonly path: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/** The environment variable that names the file of declared toolchains. */
export const TOOLCHAINS_VARIABLE = 'TARTAGLIA_TOOLCHAINS'

/** The file in which the operator of this machine declares toolchains; it need not exist unless the variable names it. */
export function toolchainsFile(): string {
  const shared = process.env['XDG_CONFIG_HOME'] ?? ''
  // The XDG Base Directory Specification says to ignore relative paths.
  const settings = isAbsolute(shared) ? shared : join(homeFolder() ?? '/', '.config')
  return process.env[TOOLCHAINS_VARIABLE] ?? join(settings, 'tartaglia', 'toolchains.json')
}

/** Reads that file; without one at the usual place no toolchain is declared. Rejects with an Error that says what is wrong in it. */
export async function declaredFolders(file = toolchainsFile()): Promise<ToolchainFolders> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (process.env[TOOLCHAINS_VARIABLE] === undefined) return null
    throw new Error(`${file}, which ${TOOLCHAINS_VARIABLE} names, cannot be read: ${String(error)}`)
  })
  if (text === null) return { folders: [], path: [], environment: {} }
  const read = readJsonText(text, declaredToolchains)
  if (!read.ok) throw new Error(`${file}:${problemsLine(read)}`)
  const declared = Object.entries(read.value)
  for (const [name, { folder, path }] of declared) {
    const problem = (await whyUnusable(folder)) ?? (await whyUseless(name as ToolchainName, folder, path))
    if (problem !== null) throw new Error(`${file}: the folder of ${name}, ${folder}, ${problem}`)
  }
  const environment = declared.flatMap(([, { folder, environment: variables }]) =>
    Object.entries(variables).map(([key, value]) => [key, value.replaceAll('{folder}', folder)] as const),
  )
  return {
    folders: declared.map(([, { folder }]) => folder),
    path: declared.flatMap(([, { folder, path }]) => path.map((each) => join(folder, each))),
    environment: Object.fromEntries(environment),
  }
}

/** Folders that hold more than a toolchain. */
const WHOLE = ['/', '/home', '/root', '/etc', '/boot', '/opt', '/srv', '/mnt', '/media', '/var', '/var/lib', '/var/tmp']
/** Folders that a box has of its own. */
const OWN = /^\/(?:tmp|proc|sys|dev|run|agent|work)(?:\/|$)/

async function whyUnusable(folder: string): Promise<string | null> {
  if (!isAbsolute(folder)) return 'is not an absolute path'
  const place = await realpath(folder).catch(() => null)
  if (place === null || !(await stat(place)).isDirectory()) return 'is not a folder'
  if (folder.includes(':') || normalize(folder) !== folder) return 'is not written plainly: without :, . and ..'
  // A link leads to what it shows: /proc of this machine tells about everybody's processes.
  if (OWN.test(folder) || OWN.test(place)) return 'lies where boxes have folders of their own'
  if (WHOLE.includes(place) || dirname(place) === '/home') return 'holds more than a toolchain'
  const named = homeFolder()
  const home = named === null ? null : await realpath(named).catch(() => null)
  if (home !== null && `${home}/`.startsWith(`${place}/`)) return 'holds the home of this user'
  if (isRoot() && !(await isEnteredByAll(place))) return 'cannot be entered by the user of agents (nobody)'
  return null
}

/** Without its programs the system's would be taken for those of the declared toolchain, and nobody would notice. */
async function whyUseless(name: ToolchainName, folder: string, path: readonly string[]): Promise<string | null> {
  // `node` is always that of Tartaglia.
  if (name === 'node') return null
  const [program] = toolchainKinds[name].asks
  const place = await realpath(folder)
  const reasons = await Promise.all(path.map((each) => whyNotStarted(join(folder, each, program), place)))
  if (reasons.includes(null)) return null
  const reason = reasons.find((each) => each !== MISSING)
  if (reason !== undefined) return `has a program ${program} that ${reason}`
  return `has no program ${program} in ${path.join(' or ')}: name the folders of its programs with "path"`
}

const MISSING = 'is not there'

/** Says why a box would not start a program of a declared folder, which lies at `place`; null: it would. */
async function whyNotStarted(program: string, place: string): Promise<string | null> {
  const file = await realpath(program).catch(() => null)
  const found = file === null ? null : await stat(file)
  if (file === null || found?.isFile() !== true) return MISSING
  // The host follows every link.
  if (!file.startsWith(`${place}${sep}`) && !file.startsWith('/usr/'))
    return `is a link to ${file}, where agents cannot read`
  // Agents of root run as nobody.
  return (found.mode & (isRoot() ? 0o001 : 0o111)) === 0 ? 'may not be executed by agents' : null
}
