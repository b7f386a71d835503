import type { ErrorCode } from '../../contract/error-codes.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { sentence } from '../../contract/sentence.ts'

/** How a file that is handed in is read. `tar`: a program as data folders store it. `json`: an agent.json alone. */
export type AgentFileForm = 'js' | 'ts' | 'zip' | 'tar' | 'tar.gz' | 'json'

const forms: readonly (readonly [AgentFileForm, RegExp])[] = [
  ['js', /^[cm]?js$/],
  ['ts', /^[cm]?ts$/],
  ['zip', /^zip$/],
  ['tar', /^tar$/],
  ['tar.gz', /^(tar\.gz|tgz)$/],
  ['json', /^json$/],
]

/**
 * The form of an agent's file, by its name; command line, contest files and window all use this. Throws ExpectedError
 * 'usage' if the file name has no known ending.
 */
export function formOf(fileName: string): AgentFileForm {
  const { ending } = partsOf(fileName)
  const found = forms.find(([, endings]) => endings.test(ending))
  if (found !== undefined) return found[0]
  const taken = 'only .js and .ts files, .zip and .tar.gz packages and the agent.json of a web application are accepted'
  const program = 'a program in another language, such as Python, is a .zip with an agent.json that names its command'
  throw refused(
    'package-form-unknown',
    fileName,
    `${taken}; ${program} ("tartaglia kit python --game GAME --out kit.zip" makes one)`,
  )
}

/**
 * Throws ExpectedError 'usage' if a file's bytes cannot have its form: an empty file, or a text that is binary or not
 * UTF-8.
 */
export function checkContent(fileName: string, form: AgentFileForm, bytes: Uint8Array): void {
  if (bytes.length === 0) throw refused('package-empty', fileName, 'it is empty')
  if (form === 'zip' || form === 'tar' || form === 'tar.gz') return
  if (isZip(bytes)) throw refused('package-form-unknown', fileName, 'it is a zip file, whose name must end in .zip')
  if (isUtf16(bytes)) throw refused('not-utf8', fileName, 'it is text in UTF-16; save it as UTF-8')
  if (!bytes.includes(0)) return
  throw refused(
    'package-not-text',
    fileName,
    'it is not text; a compiled program is a .zip with an agent.json that names its command',
  )
}

/** A file's name without folders, and its parts before and after the last dot, or that of `.tar.gz`. */
export function partsOf(fileName: string): { readonly base: string; readonly stem: string; readonly ending: string } {
  const base = fileName.split(/[\\/]/).at(-1) ?? ''
  const dot = /\.tar\.gz$/i.test(base) ? base.length - '.tar.gz'.length : base.lastIndexOf('.')
  if (dot <= 0) return { base, stem: base, ending: '' }
  return { base, stem: base.slice(0, dot), ending: base.slice(dot + 1).toLowerCase() }
}

const isZip = ([p, k, three, four]: Uint8Array): boolean => p === 0x50 && k === 0x4b && three === 3 && four === 4

/** By the byte order mark, or else by the zero byte that UTF-16 has for each Latin letter. */
function isUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true
  const start = bytes.subarray(0, Math.min(bytes.length, 64) & ~1)
  const zeros = (from: number): boolean =>
    start.length >= 8 && start.every((byte, at) => (at % 2 === from) === (byte === 0))
  return zeros(0) || zeros(1)
}

/** The error for a file that is not accepted as an agent. `why`: the end of its sentence, after a colon. */
export function refused(code: ErrorCode, fileName: string, why: string, details: string | null = null): ExpectedError {
  return new ExpectedError('usage', code, sentence(`${fileName} cannot be accepted: ${why}`), details)
}
