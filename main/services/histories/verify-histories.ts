import { ExpectedError } from '../../contract/expected-error.ts'
import type { Signer } from '../../contract/trusted-keys.ts'
import { readPublicKey } from '../../histories/key-files.ts'
import { keyText } from '../../histories/keys.ts'
import { showMatch, whyNoHistory } from '../../histories/print-match.ts'
import { verifyMatch, type VerifiedMatch, type VerifyOptions, type VerifyVerdict } from '../../histories/verify.ts'
import { games } from '../../referees/games.ts'
import { readLine } from '../../histories/read-line.ts'
import { readBytes } from '../files/read-file.ts'
import { signerOf, type KnownSigners } from './known-signers.ts'

/** The maximum size of a history, which is read into memory. */
const HISTORY_BYTES_MAX = 1024 * 1024 * 1024

/** The verdict on one file. `line`: the first faulty line, from 1. */
export type FileVerdict =
  | ({ readonly file: string; readonly ok: true; readonly signer: Signer } & VerifiedMatch)
  | ({ readonly file: string } & Extract<VerifyVerdict, { ok: false }>)

/** The name of the owner of a given key. */
const GIVEN = 'the given key'

/**
 * Returns a verifier for exported matches. `key`: the class's public key as text, or a file that holds it; if absent,
 * the signature is checked with the key in the file itself. Throws ExpectedError 'usage' if the key is not valid; the
 * verifier throws it if a file cannot be read.
 */
export function historyVerifier(
  key: string | undefined,
  signers: KnownSigners = new Map(),
): (file: string) => Promise<FileVerdict> {
  const options = verifyOptions(key)
  const known = options.key === undefined ? signers : new Map([[keyText(options.key), GIVEN]])
  return async (file) => verdictOn(file, await readBytes(file, HISTORY_BYTES_MAX), options, known)
}

function verdictOn(file: string, bytes: Uint8Array, options: VerifyOptions, known: KnownSigners): FileVerdict {
  const verdict = verifyMatch(bytes, options)
  if (!verdict.ok) return { file, ...verdict }
  return { file, ok: true, signer: signerOf(verdict.match.key, known), ...verdict.match }
}

/**
 * The options of `verifyMatch` for a key as in `historyVerifier`. Throws ExpectedError 'usage' if the key is not valid.
 */
export function verifyOptions(key: string | undefined): VerifyOptions {
  const read = key === undefined ? null : readPublicKey(key)
  if (read !== null && !read.ok) throw new ExpectedError('usage', `--key: ${read.message}`)
  return { games: (id) => games.get(id), ...(read === null ? {} : { key: read.key }) }
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
  return { verdict: verdictOn(file, bytes, verifyOptions(undefined), signers), lines }
}

function isSegment(bytes: Buffer): boolean {
  const read = readLine(bytes.subarray(0, Math.max(0, bytes.indexOf(10))))
  return read.ok && read.body.k === 'segment'
}

/**
 * Reads a history, which may be damaged. Throws ExpectedError 'usage' if the file cannot be read or holds no line of a
 * history.
 */
export async function readHistoryFile(file: string): Promise<Buffer> {
  const bytes = await readBytes(file, HISTORY_BYTES_MAX)
  const why = whyNoHistory(bytes)
  if (why !== null) throw new ExpectedError('usage', `${file} is not a history: ${why}.`)
  return bytes
}
