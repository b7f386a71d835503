import { agentManifest } from '../../contract/agents.ts'
import type { EntrantId } from '../../contract/ids.ts'
import { readJsonText } from '../../contract/json-text.ts'
import { Trouble } from '../../contract/trouble.ts'
import { readZip, type ZipEntry } from './zip.ts'

/** The largest script that is taken: it is held in memory by every worker. */
export const SCRIPT_BYTES_MAX = 16 * 1024 * 1024

/** What a student has handed in: a script, and the name that it goes by. */
export interface Submission {
  readonly name: EntrantId
  readonly script: Uint8Array
}

/**
 * Reads a file that was handed in: a script, or a zip with one script and perhaps an `agent.json`. Throws Trouble 'usage'
 * that says what is wrong with it.
 */
export function readSubmission(fileName: string, content: Uint8Array, game: string): Submission {
  if (content.length === 0) throw refused(fileName, 'it is empty')
  const [stem, ending] = split(fileName)
  if (ending === 'zip') return readPackage(fileName, stem, content, game)
  return { name: nameFrom(stem), script: scriptOf(fileName, ending, content) }
}

function readPackage(fileName: string, stem: string, content: Uint8Array, game: string): Submission {
  const read = readZip(content)
  if (typeof read === 'string') throw refused(fileName, read)
  const files = withoutCommonFolder(read.filter(({ path }) => !path.endsWith('/') && !isLitter(path)))
  const manifest = manifestOf(fileName, files)
  if (manifest !== null) {
    if (manifest.game !== game)
      throw refused(fileName, `its agent.json says that it plays ${manifest.game}, not ${game}`)
    if (manifest.kind !== 'script')
      throw refused(fileName, `its agent.json says that it is a ${manifest.kind}; only scripts are taken`)
  }
  const scripts = files.filter(({ path }) => /\.[cm]?[jt]s$/i.test(path))
  const wanted = manifest?.main?.replace(/^\.\//, '')
  const main = wanted === undefined ? scripts[0] : files.find(({ path }) => path === wanted)
  if (main === undefined) throw refused(fileName, `there is no ${wanted ?? 'script'} in it`)
  if (scripts.length > 1)
    throw refused(fileName, `it holds ${scripts.length} scripts; bundle them into one, since an agent is one file`)
  const bytes = main.read(SCRIPT_BYTES_MAX)
  if (typeof bytes === 'string') throw refused(fileName, `${main.path}: ${bytes}`)
  return { name: manifest?.name ?? nameFrom(stem), script: scriptOf(main.path, split(main.path)[1], bytes) }
}

function manifestOf(fileName: string, files: readonly ZipEntry[]) {
  const entry = files.find(({ path }) => path === 'agent.json')
  if (entry === undefined) return null
  const bytes = entry.read(65_536)
  if (typeof bytes === 'string') throw refused(fileName, `agent.json: ${bytes}`)
  const manifest = readJsonText(new TextDecoder().decode(bytes), agentManifest)
  if (manifest.ok) return manifest.value
  throw refused(fileName, `agent.json:${manifest.line}:${manifest.column}: ${manifest.message}`)
}

/** Most tools put everything into one folder. */
function withoutCommonFolder(files: readonly ZipEntry[]): readonly ZipEntry[] {
  const [first = ''] = files[0]?.path.split('/') ?? []
  if (!files.every(({ path }) => path.startsWith(`${first}/`))) return files
  return files.map((file) => ({ ...file, path: file.path.slice(first.length + 1) }))
}

/** What systems add unasked. */
function isLitter(path: string): boolean {
  return /(^|\/)(__MACOSX|\.DS_Store|Thumbs\.db)(\/|$)/.test(path)
}

function scriptOf(fileName: string, ending: string, content: Uint8Array): Uint8Array {
  if (/^[cm]?ts$/.test(ending)) throw refused(fileName, 'it is TypeScript; hand in the JavaScript that it compiles to')
  if (!/^[cm]?js$/.test(ending)) throw refused(fileName, 'only .js files and .zip packages are taken')
  if (content.length > SCRIPT_BYTES_MAX) throw refused(fileName, `it is larger than ${SCRIPT_BYTES_MAX >> 20} MB`)
  if (content.includes(0)) throw refused(fileName, 'it is no text')
  return content
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

function refused(fileName: string, why: string): Trouble {
  return new Trouble('usage', `${fileName} cannot be taken: ${why}.`)
}
