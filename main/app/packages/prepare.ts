import type { AgentPackage } from '../../administrator/classroom/agents.ts'
import { agentManifest, type AgentManifest } from '../../contract/agents.ts'
import type { EntrantId, GameId } from '../../contract/ids.ts'
import { readJsonText } from '../../contract/json-text.ts'
import type { IsolationTier } from '../../contract/limits.ts'
import { whyNoAddress } from '../../players/web/address.ts'
import { buildProgram, bundleScript } from './build.ts'
import { whyUnsafe, type PackageFile } from './files.ts'
import { refused } from './refused.ts'
import { readTar, writeTar } from './tar.ts'
import { readZip } from './zip.ts'

/** The largest script that is taken: it is held in memory by every worker. */
export const SCRIPT_BYTES_MAX = 16 * 1024 * 1024
/** The largest file that is taken as an agent, a program's stored package among them. */
export const AGENT_BYTES_MAX = 80 * 1024 * 1024

const manifestName = 'agent.json'
const manifestBytesMax = 65_536

/** What a student has handed in, as it was. */
export interface Submission {
  /** Its ending says what it is. */
  readonly fileName: string
  readonly content: Uint8Array
  readonly game: GameId
  /** The tier in which programs are held here; asked for when a package has a build step. */
  isolation(): Promise<IsolationTier>
}

/** An agent that can be stored and played. */
export interface PreparedAgent {
  readonly manifest: AgentManifest
  readonly agent: AgentPackage
  /** What was handed in, where the agent was made from it; null: it is the agent. */
  readonly source: Uint8Array | null
}

/**
 * Makes an agent of what was handed in: a script, TypeScript, a zip with `agent.json`, the `agent.json` of a web application, or a
 * stored package. Throws Trouble 'usage' that says what is wrong with it, Trouble 'host' where it cannot be bundled or built on
 * this machine.
 */
export async function prepareAgent(submission: Submission): Promise<PreparedAgent> {
  const { fileName, content, game } = submission
  if (content.length === 0) throw refused(fileName, 'it is empty')
  const [stem, ending] = split(fileName)
  const manifest: AgentManifest = { name: nameFrom(stem), game, kind: 'script' }
  if (ending === 'zip') return preparePackage(submission, unzipped(fileName, content), nameFrom(stem))
  if (ending === 'tar') return { ...storedProgram(submission), source: null }
  if (ending === 'json') return webApplication(submission, [{ path: manifestName, bytes: content }])
  if (/^[cm]?js$/.test(ending)) return { manifest, agent: scriptOf(fileName, content), source: null }
  if (!/^[cm]?ts$/.test(ending))
    throw refused(fileName, 'only .js and .ts files, .zip packages and the agent.json of a web application are taken')
  const plain = fileName.split(/[\\/]/).at(-1) ?? ''
  const main = whyUnsafe([plain]) === null ? plain : `agent.${ending}`
  const bundled = await bundleScript({ fileName, files: [{ path: main, bytes: content }], main })
  return { manifest, agent: scriptOf(fileName, bundled), source: content }
}

async function preparePackage(
  submission: Submission,
  files: readonly PackageFile[],
  name: EntrantId,
): Promise<PreparedAgent> {
  const { fileName, content, game } = submission
  const isolation = (): Promise<IsolationTier> => submission.isolation()
  const scripts = files.filter(({ path }) => /\.[cm]?[jt]s$/i.test(path))
  const manifest = manifestOf(fileName, files, game) ?? { name, game, kind: 'script' }
  if (manifest.kind === 'program') {
    const built =
      manifest.build === undefined
        ? files
        : await buildProgram({ fileName, files, command: manifest.build, isolation }).then((made) => [
            ...made.filter(({ path }) => path !== manifestName),
            // What the agent is follows from what was handed in, not from what its build says.
            files.find(({ path }) => path === manifestName)!,
          ])
    return { manifest, agent: { kind: 'program', bytes: writeTar(built) }, source: content }
  }
  if (manifest.kind === 'web') return webApplication(submission, files)
  if (manifest.kind !== 'script') {
    const text = `its agent.json says that it is a ${manifest.kind}; only scripts, programs and web applications are taken`
    throw refused(fileName, text)
  }
  const wanted = manifest.main?.replace(/^\.\//, '')
  const main = wanted === undefined ? onlyScript(fileName, scripts) : files.find(({ path }) => path === wanted)
  if (main === undefined) throw refused(fileName, `there is no ${wanted ?? 'script'} in it`)
  // One file of JavaScript is an agent as it is.
  const plain = scripts.length === 1 && /\.[cm]?js$/i.test(main.path)
  const bytes = plain ? main.bytes : await bundleScript({ fileName, files, main: main.path })
  return { manifest, agent: scriptOf(fileName, bytes), source: content }
}

function onlyScript(fileName: string, scripts: readonly PackageFile[]): PackageFile | undefined {
  if (scripts.length <= 1) return scripts[0]
  throw refused(fileName, `it holds ${scripts.length} scripts; say in an agent.json which is the "main" one`)
}

/** An agent that runs elsewhere is what its agent.json says, and nothing else. */
function webApplication({ fileName, game }: Submission, files: readonly PackageFile[]): PreparedAgent {
  const manifest = manifestOf(fileName, files, game)
  if (manifest?.address === undefined) throw refused(fileName, 'it is no agent.json of a web application')
  const problem = whyNoAddress(manifest.address)
  if (problem !== null) throw refused(fileName, `its address is ${manifest.address}, and ${problem}`)
  // Written anew, so that equal agents have equal bytes.
  const bytes = new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`)
  return { manifest, agent: { kind: 'web', bytes }, source: null }
}

/** A program as a data folder keeps it. */
function storedProgram({ fileName, content, game }: Submission): Pick<PreparedAgent, 'manifest' | 'agent'> {
  const files = readTar(content)
  if (typeof files === 'string') throw refused(fileName, files)
  const manifest = manifestOf(fileName, files, game)
  if (manifest?.kind !== 'program') throw refused(fileName, 'it is no package of a program that was handed in before')
  // Written anew, so that equal agents have equal bytes.
  return { manifest, agent: { kind: 'program', bytes: writeTar(files) } }
}

/** The files of a zip and their bytes. */
function unzipped(fileName: string, content: Uint8Array): readonly PackageFile[] {
  const entries = readZip(content)
  if (typeof entries === 'string') throw refused(fileName, entries)
  const files = entries
    .filter(({ path }) => !isLitter(path))
    .map(({ path, size, read }): PackageFile => {
      const bytes = read(size)
      if (typeof bytes === 'string') throw refused(fileName, `${path}: ${bytes}`)
      return { path, bytes }
    })
  return withoutCommonFolder(files)
}

function manifestOf(fileName: string, files: readonly PackageFile[], game: GameId): AgentManifest | null {
  const file = files.find(({ path }) => path === manifestName)
  if (file === undefined) return null
  if (file.bytes.length > manifestBytesMax) throw refused(fileName, `${manifestName} is larger than 64 kB`)
  const read = readJsonText(new TextDecoder().decode(file.bytes), agentManifest)
  if (!read.ok) throw refused(fileName, `${manifestName}:${read.line}:${read.column}: ${read.message}`)
  if (read.value.game !== game) {
    throw refused(fileName, `its agent.json says that it plays ${read.value.game}, not ${game}`)
  }
  return read.value
}

/** Most tools put everything into one folder. */
function withoutCommonFolder(files: readonly PackageFile[]): readonly PackageFile[] {
  const [first = ''] = files[0]?.path.split('/') ?? []
  if (!files.every(({ path }) => path.startsWith(`${first}/`))) return files
  return files.map((file) => ({ ...file, path: file.path.slice(first.length + 1) }))
}

/** What systems add unasked. */
function isLitter(path: string): boolean {
  return /(^|\/)(__MACOSX|\.DS_Store|Thumbs\.db)(\/|$)/.test(path)
}

function scriptOf(fileName: string, bytes: Uint8Array): AgentPackage {
  if (bytes.length > SCRIPT_BYTES_MAX) throw refused(fileName, `it is larger than ${SCRIPT_BYTES_MAX >> 20} MB`)
  if (bytes.includes(0)) throw refused(fileName, 'it is no text')
  return { kind: 'script', bytes }
}

/** Name and ending, without folders. */
function split(fileName: string): readonly [string, string] {
  const base = fileName.split(/[\\/]/).at(-1) ?? ''
  const dot = base.lastIndexOf('.')
  return dot <= 0 ? [base, ''] : [base.slice(0, dot), base.slice(dot + 1).toLowerCase()]
}

/** A pseudonym made of what of the text can be in one. */
function nameFrom(text: string): EntrantId {
  const name = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9 ._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64)
    .replace(/[ -]+$/, '')
  return name === '' ? 'agent' : name
}
