import { ExpectedError } from '../../contract/expected-error.ts'
import type { Signer } from '../../contract/histories/trusted-keys.ts'
import { readPublicKey } from '../../histories/key-files.ts'
import { fingerprint, keyText, parseKeyText, type PublicKey } from '../../histories/keys.ts'
import { showMatch, whyNoHistory } from '../../histories/print-match.ts'
import { verifyMatch, type VerifiedMatch, type VerifyOptions, type VerifyVerdict } from '../../histories/verify.ts'
import type { SeatEntry } from '../../histories/verify-entries.ts'
import { games } from '../../referees/games.ts'
import { readHistoryLine } from '../../histories/read-line.ts'
import { readBytes } from '../files/read-file.ts'
import { signerOf, type KnownSigners } from './known-signers.ts'

/** The maximum size of a history, which is read into memory. */
const HISTORY_BYTES_MAX = 1024 * 1024 * 1024

/** A seat whose agent is the entry of a school, and whose key that is. `signer.name` null: the key is unknown. */
export type CheckedEntry = SeatEntry & { readonly signer: Signer }

/** The verdict on one file. `line`: the first faulty line, from 1. */
export type FileVerdict =
  | ({ readonly file: string; readonly ok: true; readonly signer: Signer } & CheckedMatch)
  | ({ readonly file: string } & Extract<VerifyVerdict, { ok: false }>)

type CheckedMatch = Omit<VerifiedMatch, 'entries'> & { readonly entries: readonly CheckedEntry[] }

/**
 * Returns a verifier for exported matches. `keys`: the public keys of classes and schools as texts, or files that hold
 * them, one of which must have signed each match; if empty, the signature is checked with the key in the file itself and
 * `signers` are known. Throws ExpectedError 'usage' if a key is not valid; the verifier throws it if a file cannot be read.
 */
export function historyVerifier(
  keys: readonly string[],
  signers: KnownSigners = new Map(),
): (file: string) => Promise<FileVerdict> {
  const options = verifyOptions(keys)
  const known = keys.length === 0 ? signers : givenKeys(keys)
  return async (file) => verdictOn(file, await readBytes(file, HISTORY_BYTES_MAX), options, known)
}

/**
 * Given keys as `historyVerifier` takes them, with names by which their owner recognizes them. Throws ExpectedError
 * 'usage' if a key is not valid or is given twice.
 */
export function givenKeys(keys: readonly string[]): KnownSigners {
  const known = new Map<string, string>()
  for (const given of keys) {
    const key = readKey(given)
    const text = keyText(key)
    if (known.has(text))
      throw new ExpectedError('usage', 'key-invalid', `--key: ${given} is a key that was given before.`)
    const isFile = parseKeyText(given) === null
    const one = isFile ? `the key in ${given}` : `the given key ${fingerprint(key).slice(0, 8)}`
    known.set(text, keys.length === 1 ? 'the given key' : one)
  }
  return known
}

function verdictOn(file: string, bytes: Uint8Array, options: VerifyOptions, known: KnownSigners): FileVerdict {
  const verdict = verifyMatch(bytes, options)
  if (!verdict.ok) return { file, ...verdict }
  const { match } = verdict
  return { file, ok: true, signer: signerOf(match.key, known), ...match, entries: checkedEntries(match, known) }
}

/** The seats with entries of schools, and whose keys signed the statements. */
export function checkedEntries({ entries }: VerifiedMatch, known: KnownSigners): readonly CheckedEntry[] {
  return entries.map((entry) => ({ ...entry, signer: signerOf(entry.statement.key, known) }))
}

/**
 * The options of `verifyMatch` for keys as in `historyVerifier`. Throws ExpectedError 'usage' if a key is not valid.
 */
export function verifyOptions(keys: readonly string[]): VerifyOptions {
  return { games: (id) => games.get(id), ...(keys.length === 0 ? {} : { keys: keys.map(readKey) }) }
}

function readKey(given: string): PublicKey {
  const read = readPublicKey(given)
  if (!read.ok) throw new ExpectedError('usage', 'key-invalid', `--key: ${read.message}`)
  return read.key
}

/** A history as text for people, with its verdict. */
export interface ShownHistory {
  /** null: the file is a segment of a contest; only exported matches are verified. */
  readonly verdict: FileVerdict | null
  /** One line per event, safe to print; for exported matches in the game's sentences. */
  readonly lines: readonly string[]
}

/** Reads, verifies and prints a history. Throws ExpectedError 'usage' if the file cannot be read or is not a history. */
export async function showHistory(file: string, signers: KnownSigners = new Map()): Promise<ShownHistory> {
  const bytes = await readHistoryFile(file)
  const lines = showMatch(bytes, (id) => games.get(id))
  if (isSegment(bytes)) return { verdict: null, lines }
  return { verdict: verdictOn(file, bytes, verifyOptions([]), signers), lines }
}

function isSegment(bytes: Buffer): boolean {
  const read = readHistoryLine(bytes.subarray(0, Math.max(0, bytes.indexOf(10))))
  return read.ok && read.body.k === 'segment'
}

/**
 * Reads a history, which may be damaged. Throws ExpectedError 'usage' if the file cannot be read or holds no line of a
 * history.
 */
export async function readHistoryFile(file: string): Promise<Buffer> {
  const bytes = await readBytes(file, HISTORY_BYTES_MAX)
  const why = whyNoHistory(bytes)
  if (why !== null) throw new ExpectedError('usage', 'history-invalid', `${file} is not a history: ${why}.`)
  return bytes
}
