import { hash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { AgentPackage } from '../../administrator/classroom/agents.ts'
import { agentManifest, type AgentManifest } from '../../contract/players/agents.ts'
import type { GameId } from '../../contract/ids.ts'
import { problemsLine, readJsonText } from '../../contract/json-text.ts'
import type { IsolationTier } from '../../contract/limits.ts'
import type { BuildLimits } from '../../contract/people/hand-in.ts'
import { whyNotOffered, type OfferedToolchain } from '../../contract/players/toolchains.ts'
import { nameFrom, whyNoName } from '../../contract/names.ts'
import { linksSchema, withSchemaLink } from '../../contract/schema-link.ts'
import { ownName } from '../../contract/players/kit-names.ts'
import { whyNoAddress } from '../../players/web/address.ts'
import { readBytes } from '../files/read-file.ts'
import { filesOfTarGz, filesOfZip } from './archives.ts'
import { buildProgram, bundleScript } from './build.ts'
import { games } from '../../referees/games.ts'
import {
  bundlingFailure,
  componentsBeside,
  componentsIn,
  componentsOfEither,
  findComponents,
  hasRecord,
  isComponentPath,
  mentionsComponents,
  withRecord,
  type ComponentSource,
} from './component-files.ts'
import { PackageProblem, whyUnsafe, type PackageFile } from './files.ts'
import { checkContent, formOf, partsOf, refused } from './form.ts'
import { withSourceMap } from './source-map.ts'
import { readForeignTar, writeTar } from './tar.ts'

/** The maximum size of a script; every worker holds it in memory. */
export const SCRIPT_BYTES_MAX = 16 * 1024 * 1024
/** The maximum size of an agent's file, including the stored package of a program. */
export const AGENT_BYTES_MAX = 80 * 1024 * 1024

const manifestName = 'agent.json'
const manifestBytesMax = 65_536
const writtenManifest = withSchemaLink(agentManifest)

/** A file as a student handed it in. */
export interface Submission {
  /** Its ending determines how it is read. */
  readonly fileName: string
  readonly content: Uint8Array
  readonly game: GameId
  /** The tier for programs on this machine; called if a package has a build step. */
  isolation(): Promise<IsolationTier>
  /** Absent: the usual ones. */
  readonly builds?: BuildLimits
  /** The toolchains that its contest offers; absent: any will do. */
  readonly toolchains?: readonly OfferedToolchain[] | undefined
  /** The source of the components that its scripts import; absent: only the package itself. */
  readonly components?: ComponentSource
  /** True: a script that has its own hash as its name is a package as data folders store it, with its record of components. */
  readonly stored?: true
}

/** An agent that can be stored and can play. */
export interface PreparedAgent {
  readonly manifest: AgentManifest
  readonly agent: AgentPackage
  /** The file that was handed in, if the agent was made from it; null: that file is the agent. */
  readonly source: Uint8Array | null
}

/** A submission that has been read, but not bundled or built. */
export interface ReadSubmission extends Omit<PreparedAgent, 'agent'> {
  /** The agent, or a function that makes it in isolation. */
  readonly agent: AgentPackage | (() => Promise<AgentPackage>)
}

/**
 * Reads a submission like `readForm`. A name in its agent.json that still is the kit's is replaced by the file's name, if that
 * is not the kit's too.
 */
export async function readSubmission(submission: Submission): Promise<ReadSubmission> {
  const read = await readForm(submission)
  const { stem } = partsOf(submission.fileName)
  // A stored package has its hash as its name.
  const name = /^[0-9a-f]{64}$/.test(stem) ? null : ownName(read.manifest.name, [stem])
  return name === null || name === read.manifest.name ? read : { ...read, manifest: { ...read.manifest, name } }
}

/**
 * Reads a submission: JavaScript, TypeScript, a zip or .tar.gz with `agent.json` or in the form of the game's own
 * contest, the `agent.json` of a web application, or a stored package. Throws ExpectedError 'usage' that says what is wrong with it.
 */
async function readForm(submission: Submission): Promise<ReadSubmission> {
  const { fileName, content, game } = submission
  const form = formOf(fileName)
  checkContent(fileName, form, content)
  const { base, stem, ending } = partsOf(fileName)
  const manifest: AgentManifest = { name: nameFrom(stem), game, kind: 'script' }
  if (form === 'zip') return readPackage(submission, filesOfZip(fileName, content), manifest)
  if (form === 'tar.gz') return readPackage(submission, await filesOfTarGz(fileName, content), manifest)
  if (form === 'tar') return { ...(await storedProgram(submission)), source: null }
  if (form === 'json') return webApplication(submission, [{ path: manifestName, bytes: content }])
  if (form === 'js') {
    const script = scriptOf(fileName, content)
    if (submission.stored === true && base === `${hash('sha256', content)}.js`)
      return { manifest, agent: script, source: null }
    checkNoRecord(fileName, content)
    const main = whyUnsafe([base]) === null ? base : 'agent.js'
    const files = [{ path: main, bytes: content }]
    if (isModule(content)) return { manifest, agent: bundled(submission, files, main), source: content }
    if (!mentionsComponents(content)) return { manifest, agent: script, source: null }
    return { manifest, agent: bundled(submission, files, main, script), source: content }
  }
  const main = whyUnsafe([base]) === null ? base : `agent.${ending}`
  return { manifest, agent: bundled(submission, [{ path: main, bytes: content }], main), source: content }
}

/**
 * Makes an agent from a submission; bundling and building are isolated. Throws ExpectedError 'usage' that says what is
 * wrong with it, 'host' if this machine lacks the isolation.
 */
export async function prepareAgent(submission: Submission): Promise<PreparedAgent> {
  const { agent, ...read } = await readSubmission(submission)
  return { ...read, agent: typeof agent === 'function' ? await agent() : agent }
}

/**
 * Like `prepareAgent`, for a file by its path; components are also looked up in the folder `components` beside it. Throws
 * ExpectedError 'usage' also if the file cannot be read.
 */
export async function readAgentFile(
  file: string,
  { components, ...given }: Pick<Submission, 'game' | 'isolation' | 'components' | 'builds'>,
): Promise<PreparedAgent> {
  const beside = componentsBeside(dirname(file))
  const known = components === undefined ? beside : componentsOfEither(components, beside)
  return prepareAgent({ ...(await submissionIn(file)), ...given, components: known, stored: true })
}

/** An agent's file; nothing is bundled or built. Throws ExpectedError 'usage' like `readAgentFile`. */
export async function lookAtFile(file: string, game: GameId): Promise<ReadSubmission> {
  const isolation = (): Promise<never> => Promise.reject(new Error('nothing is built'))
  return readSubmission({ ...(await submissionIn(file)), game, isolation, stored: true })
}

async function submissionIn(file: string): Promise<Pick<Submission, 'fileName' | 'content'>> {
  const there = await stat(file).catch(() => null)
  if (there?.isDirectory() === true)
    throw refused(
      'package-is-folder',
      file,
      'it is a folder; an agent of several files is a .zip with an agent.json, which "tartaglia pack" makes',
    )
  const fileName = basename(file)
  // A file that does not exist is reported first, whatever its name.
  const packed = there === null || formOf(fileName) !== 'js'
  return { fileName, content: await readBytes(file, packed ? AGENT_BYTES_MAX : SCRIPT_BYTES_MAX) }
}

function readPackage(submission: Submission, given: readonly PackageFile[], unsaid: AgentManifest): ReadSubmission {
  const { fileName, content, game } = submission
  const scripts = given.filter(({ path }) => /\.[cm]?[jt]s$/i.test(path) && !isComponentPath(path))
  const submitted = submittedProgram(submission, given, unsaid)
  if (typeof submitted === 'string' && scripts.length === 0) throw refused('submission-incomplete', fileName, submitted)
  if (submitted !== null && typeof submitted !== 'string') return readPackage(submission, submitted, unsaid)
  const manifest = manifestOf(fileName, given, game) ?? unsaid
  const files = withoutSchemaLink(given, manifest)
  if (manifest.kind === 'program') {
    checkOffered(submission, manifest)
    const agent =
      manifest.build === undefined ? programOf(files) : built(submission, files, manifest.build, manifest.command)
    return { manifest, agent, source: content }
  }
  if (manifest.kind === 'web') return webApplication(submission, files)
  if (manifest.kind !== 'script') {
    const text = `its agent.json says that it is a ${manifest.kind}; only scripts, programs and web applications are accepted`
    throw refused('kind-not-accepted', fileName, text)
  }
  const wanted = manifest.main?.replace(/^\.\//, '').normalize()
  const main = wanted === undefined ? onlyScript(fileName, scripts) : files.find(({ path }) => path === wanted)
  if (main === undefined) throw refused('package-file-missing', fileName, `there is no ${wanted} in it`)
  // A single JavaScript file that imports nothing needs no bundling.
  const plain =
    scripts.length === 1 && /\.[cm]?js$/i.test(main.path) && !isModule(main.bytes) && !requiresFiles(main.bytes)
  const script = plain ? scriptOf(fileName, main.bytes, main.path) : null
  if (script !== null) checkNoRecord(fileName, script.bytes)
  const agent =
    script !== null && !mentionsComponents(script.bytes) ? script : bundled(submission, files, main.path, script)
  return { manifest, agent, source: content }
}

/** A statement of an ES module at the beginning of a line. */
const moduleStatement =
  /^(?:import\s*["'{*]|import\s+[\w$]+\s*(?:,|\bfrom\b)|export\s*(?:default\b|[{*]|(?:async\s+)?(?:class|const|function|let|var)\b))/m
/** A file of the package that a script requires by its relative path. */
const relativeRequire = /\brequire\(\s*["']\.{1,2}\//

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const isModule = (bytes: Uint8Array): boolean => moduleStatement.test(textOf(bytes))
const requiresFiles = (bytes: Uint8Array): boolean => relativeRequire.test(textOf(bytes))

/** Before it is built: the compiler may not be there, and a build takes time. */
function checkOffered({ fileName, toolchains }: Submission, manifest: AgentManifest): void {
  const why = toolchains === undefined ? null : whyNotOffered(toolchains, manifest)
  if (why !== null) throw refused('toolchain-not-offered', fileName, why)
}

const programOf = (files: readonly PackageFile[]): AgentPackage => ({ kind: 'program', bytes: writeTar(files) })

function built(
  { fileName, isolation, builds }: Submission,
  files: readonly PackageFile[],
  build: readonly string[],
  command: readonly string[] | undefined,
): () => Promise<AgentPackage> {
  return async () => {
    const made = await buildProgram({ fileName, files, command: build, isolation, limits: builds })
    const [program = ''] = command ?? []
    if (program.startsWith('./') && !made.some(({ path }) => path === program.slice(2)))
      throw refused('build-incomplete', fileName, `its build leaves no ${program}, which is the command of the agent`)
    return programOf([
      ...made.filter(({ path }) => path !== manifestName),
      // The agent's manifest is the one that was handed in, whatever the build writes.
      files.find(({ path }) => path === manifestName)!,
    ])
  }
}

/** `plain`: the agent if no component is imported; null: the bundle. */
function bundled(
  { fileName, components = componentsBeside(null) }: Submission,
  files: readonly PackageFile[],
  main: string,
  plain: AgentPackage | null = null,
): () => Promise<AgentPackage> {
  return async () => {
    const found = await findComponents(fileName, files, components)
    const own = files.filter(({ path }) => !found.uses.has(path))
    const all = [...own, ...found.files]
    const bundle = await bundleScript({ fileName, files: all, main }).catch((error: unknown) => {
      throw bundlingFailure(fileName, error, found, components)
    })
    const uses = componentsIn(bundle.inputs, found)
    if (uses.length === 0 && plain !== null) return plain
    const script = scriptOf(fileName, bundle.bytes)
    checkNoRecord(fileName, script.bytes)
    const recorded = withRecord(uses, script.bytes)
    const lines = uses.length === 0 ? 0 : 1
    return { ...script, bytes: withSourceMap(recorded, bundle.sourceMap, lines, SCRIPT_BYTES_MAX) }
  }
}

function onlyScript(fileName: string, [script, ...others]: readonly PackageFile[]): PackageFile {
  if (script === undefined)
    throw refused(
      'script-missing',
      fileName,
      'it contains no script, and no agent.json that names the command of a program',
    )
  if (others.length === 0) return script
  const number = others.length + 1
  throw refused(
    'script-ambiguous',
    fileName,
    `it holds ${number} scripts; name the "main" one in an agent.json, or hand in each one separately`,
  )
}

/** A web application is described completely by its agent.json. */
function webApplication({ fileName, game }: Submission, files: readonly PackageFile[]): PreparedAgent {
  const manifest = manifestOf(fileName, files, game)
  if (manifest?.address === undefined) {
    const what = manifest === null ? 'it is not an agent.json' : `its agent.json says that it is a ${manifest.kind}`
    throw refused(
      'kind-not-accepted',
      fileName,
      `${what}; only that of a web application can be handed in without a .zip`,
    )
  }
  const problem = whyNoAddress(manifest.address)
  if (problem !== null) throw refused('address-invalid', fileName, `its address is ${manifest.address}, and ${problem}`)
  // Written anew, so that equal agents have equal bytes.
  return { manifest, agent: { kind: 'web', bytes: bytesOf(manifest) }, source: null }
}

/** Reads a program in the form in which data folders store it. */
async function storedProgram(submission: Submission): Promise<Pick<PreparedAgent, 'manifest' | 'agent'>> {
  const { fileName, content, game } = submission
  const files = await readForeignTar(content)
  if (files instanceof PackageProblem) throw refused(files.code, fileName, files.why)
  const manifest = manifestOf(fileName, files, game)
  if (manifest?.kind !== 'program')
    throw refused('kind-not-accepted', fileName, 'it is not the stored package of a program')
  checkOffered(submission, manifest)
  // Written anew, so that equal agents have equal bytes.
  return { manifest, agent: { kind: 'program', bytes: writeTar(withoutSchemaLink(files, manifest)) } }
}

/**
 * The files of a package for the game's own contest, with the agent.json that says the same; null: it has an agent.json
 * already, or is not for that contest. A string: it looks like one, and what it lacks.
 */
function submittedProgram(
  { game }: Submission,
  files: readonly PackageFile[],
  { name }: AgentManifest,
): readonly PackageFile[] | string | null {
  const byPath = new Map(files.map(({ path, bytes }) => [path, bytes]))
  if (byPath.has(manifestName)) return null
  const text = (path: string): string | null => {
    const bytes = byPath.get(path)
    return bytes === undefined ? null : new TextDecoder().decode(bytes)
  }
  const program = games.get(game)?.agents.submission?.({ has: (path) => byPath.has(path), text }) ?? null
  if (program === null || typeof program === 'string') return program
  const manifest: AgentManifest = { name, game, kind: 'program', ...program }
  return [...files, { path: manifestName, bytes: bytesOf(manifest) }]
}

function manifestOf(fileName: string, files: readonly PackageFile[], game: GameId): AgentManifest | null {
  const file = files.find(({ path }) => path === manifestName)
  if (file === undefined) {
    checkNoneBelow(fileName, files)
    return null
  }
  if (file.bytes.length > manifestBytesMax) throw refused('too-large', fileName, `${manifestName} is larger than 64 kB`)
  const read = readJsonText(textOf(file.bytes), writtenManifest)
  if (!read.ok) throw refused('manifest-invalid', fileName, `${manifestName}:${problemsLine(read)}`)
  if (read.value.game !== game) {
    throw refused('other-game', fileName, `its agent.json says that it plays ${read.value.game}, not ${game}`)
  }
  for (const field of ['name', 'team'] as const) {
    const problem = whyNoName(read.value[field] ?? read.value.name)
    if (problem !== null) throw refused('manifest-invalid', fileName, `${manifestName}: ${field}: ${problem}`)
  }
  return read.value
}

const bytesOf = (manifest: AgentManifest): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`)

/** The files, whose agent.json names no schema: an agent does not depend on how its author's editor finds one. `manifest`: that of the files. */
const withoutSchemaLink = (files: readonly PackageFile[], manifest: AgentManifest): readonly PackageFile[] =>
  files.map((file) =>
    file.path === manifestName && linksSchema(JSON.parse(textOf(file.bytes)))
      ? { ...file, bytes: bytesOf(manifest) }
      : file,
  )

/** An agent.json in a wrong place must not be ignored, especially those of several agents. */
function checkNoneBelow(fileName: string, files: readonly PackageFile[]): void {
  const below = files.map(({ path }) => path).filter((path) => /^(?!.*node_modules\/).*\/agent\.json$/.test(path))
  const [first, second] = below
  if (first === undefined) return
  if (second === undefined)
    throw refused('manifest-misplaced', fileName, `its agent.json is ${first}; it must be at the top level`)
  throw refused(
    'manifest-misplaced',
    fileName,
    `it holds ${below.length} agents, ${first} and ${second} among them; hand in each one separately`,
  )
}

/** Only Tartaglia writes records of components: nobody can claim a use. */
function checkNoRecord(fileName: string, bytes: Uint8Array): void {
  if (!hasRecord(bytes)) return
  throw refused(
    'component-record',
    fileName,
    'it begins with the record of components that Tartaglia writes; hand in the file before that',
  )
}

/** `path`: the script's path if it is in a package. */
function scriptOf(fileName: string, bytes: Uint8Array, path?: string): AgentPackage {
  if (bytes.length > SCRIPT_BYTES_MAX)
    throw refused('too-large', fileName, `it is larger than ${SCRIPT_BYTES_MAX >> 20} MB`)
  checkContent(path === undefined ? fileName : `${path} in ${fileName}`, 'js', bytes)
  return { kind: 'script', bytes }
}
