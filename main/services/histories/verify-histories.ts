import { stat } from 'node:fs/promises'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Signer } from '../../contract/histories/trusted-keys.ts'
import { readPublicKey } from '../../histories/key-files.ts'
import { fingerprint, keyText, parseKeyText, type PublicKey } from '../../histories/keys.ts'
import { showMatch, whyNoHistory } from '../../histories/print-match.ts'
import { verifySource, type VerifiedMatch, type VerifyOptions, type VerifyVerdict } from '../../histories/verify.ts'
import type { SeatEntry } from '../../histories/verify-entries.ts'
import { games } from '../../referees/games.ts'
import { bytesSource, fileSource, sourceLines, type HistorySource } from '../../histories/history-source.ts'
import { readHistoryLine } from '../../histories/read-line.ts'
import { readBytes, readPieces } from '../files/read-file.ts'
import { signerOf, type KnownSigners } from './known-signers.ts'
import type { HistoryVerdict } from '../../contract/procedures/procedures.ts'
import { sentence } from '../../contract/sentence.ts'

/** The maximum size of a history that is read into memory: one of which a command needs everything, or one from a pipe. */
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
  return async (file) => verdictOn(file, await openHistory(file), options, known)
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
      throw new ExpectedError('usage', 'key-twice', `--key: ${given} is a key that was given before.`)
    const isFile = parseKeyText(given) === null
    const one = isFile ? `the key in ${given}` : `the given key ${fingerprint(key).slice(0, 8)}`
    known.set(text, keys.length === 1 ? 'the given key' : one)
  }
  return known
}

/**
 * A file as a source that is read piece by piece; a pipe, which can be read only once, is read into memory. Throws ExpectedError
 * 'usage' if it cannot be read.
 */
async function openHistory(file: string): Promise<HistorySource> {
  const found = await stat(file).catch(() => null)
  if (found?.isFile() !== true) return bytesSource(await readBytes(file, HISTORY_BYTES_MAX))
  // The first piece shows if it can be read.
  const pieces = readPieces(file)
  await pieces.next()
  await pieces.return(undefined)
  const source = fileSource(file)
  return {
    bytes: source.bytes,
    *pieces() {
      try {
        yield* source.pieces()
      } catch (error) {
        throw new ExpectedError(
          'usage',
          'file-unreadable',
          sentence(error instanceof Error ? error.message : String(error)),
        )
      }
    },
  }
}

function verdictOn(file: string, source: HistorySource, options: VerifyOptions, known: KnownSigners): FileVerdict {
  const verdict = verifySource(source, options)
  if (!verdict.ok) return { file, ...verdict }
  const { match } = verdict
  return { file, ok: true, signer: signerOf(match.key, known), ...match, entries: checkedEntries(match, known) }
}

/** The seats with entries of schools, and whose keys signed the statements. */
function checkedEntries({ entries }: VerifiedMatch, known: KnownSigners): readonly CheckedEntry[] {
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
interface ShownHistory {
  /** null: the file is a segment of a contest; only exported matches are verified. */
  readonly verdict: FileVerdict | null
  /** One line per event, safe to print, for one reading; for exported matches in the game's sentences. */
  readonly lines: Iterable<string>
}

/** Verifies a history and prints it piece by piece. Throws ExpectedError 'usage' if the file cannot be read or is not a history. */
export async function showHistory(file: string, signers: KnownSigners = new Map()): Promise<ShownHistory> {
  const source = await openHistory(file)
  checkHistory(file, source)
  const lines = showMatch(source, (id) => games.get(id))
  if (isSegment(source)) return { verdict: null, lines }
  return { verdict: verdictOn(file, source, verifyOptions([]), signers), lines }
}

function isSegment(source: HistorySource): boolean {
  for (const { bytes } of sourceLines(source)) {
    const read = readHistoryLine(bytes)
    return read.ok && read.body.k === 'segment'
  }
  return false
}

/**
 * Reads a history, which may be damaged, into memory. Throws ExpectedError 'usage' if the file cannot be read, is too large or holds
 * no line of a history.
 */
export async function readHistoryFile(file: string): Promise<Buffer> {
  const source = await openHistory(file)
  checkHistory(file, source)
  return Buffer.concat([...limitedPieces(file, source)])
}

function* limitedPieces(file: string, source: HistorySource): Generator<Uint8Array> {
  let size = 0
  for (const piece of source.pieces()) {
    size += piece.length
    if (size > HISTORY_BYTES_MAX)
      throw new ExpectedError('usage', 'too-large', `${file} is larger than ${HISTORY_BYTES_MAX >> 20} MB.`)
    yield piece
  }
}

function checkHistory(file: string, source: HistorySource): void {
  const why = whyNoHistory(source)
  if (why !== null) throw new ExpectedError('usage', 'history-invalid', sentence(`${file} is not a history: ${why}`))
}

/** A verdict in sentences, with the signer's name if it is known. */
export function verdictInWords(verdict: VerifyVerdict, known: KnownSigners): HistoryVerdict {
  if (!verdict.ok) return verdict
  const { contest, match, key, replayed, practice, notes, redacted } = verdict.match
  const signer = signerOf(key, known)
  const left =
    redacted === 0 ? [] : [`${redacted} private lines of what agents printed are left out; their hashes were checked.`]
  return {
    ok: true,
    contest,
    match,
    signer,
    replayed,
    checked: checkedIn(verdict.match, signer),
    entries: checkedEntries(verdict.match, known).map(({ seat, name, statement, signer: by }) => {
      const { school, package: agent, submitted, name: pseudonym } = statement
      return { seat, name, pseudonym, school, agent, submitted, signer: by }
    }),
    notes: [...notes, ...(practice ? ['This is a match of practice: its result does not count.'] : []), ...left],
  }
}

/** Describes the check of a revealed seed. */
function revealedSentence({ seed, phrase }: NonNullable<VerifiedMatch['revealed']>): string {
  const mixed = phrase === null ? '' : `, and from the phrase "${phrase}" of the class`
  return `It follows from the seed of the contest, "${seed}", to which the class was committed before the start${mixed}.`
}

function checkedIn(
  { lines, inputs, count, game, version, replayed, revealed }: VerifiedMatch,
  { name }: Signer,
): readonly string[] {
  return [
    `All ${lines} lines are complete, in order and unchanged: each is bound to those before it by SHA-256.`,
    'The seed is the one that was committed to before the match began.',
    ...(revealed === null ? [] : [revealedSentence(revealed)]),
    ...(replayed
      ? [
          `All ${inputs} inputs were played again through the rules of ${game}, version ${version}: every recorded state hash and the outcome are the same.`,
        ]
      : []),
    `The match is one of the ${count} finished matches under the contest's root.`,
    signedSentence(name),
  ]
}

const signedSentence = (name: string | null): string =>
  name === null ? 'The root is signed with the key in the file.' : `The root is signed with the key of ${name}.`

/**
 * A verdict for people outside of the class: without the names under which the class knows keys, since they tell a stranger nothing, and
 * those of others are the class's own.
 */
export function verdictForStrangers(verdict: HistoryVerdict): HistoryVerdict {
  if (!verdict.ok) return verdict
  const { signer, entries, checked } = verdict
  const own = signedSentence(signer.name)
  return {
    ...verdict,
    signer: { ...signer, name: null },
    entries: entries.map((entry) => ({ ...entry, signer: { ...entry.signer, name: null } })),
    checked: checked.map((sentence) => (sentence === own ? signedSentence(null) : sentence)),
  }
}
