import * as z from 'zod'
import type { ErasedGame } from '../contract/game/game.ts'
import type { SeatRecord } from '../contract/game/table.ts'
import { sha256Hex, type ContestId, type GameId, type MatchNumber, type Sha256 } from '../contract/ids.ts'
import type { Json } from '../contract/json.ts'
import { line } from '../contract/players/line.ts'
import type { Outcome } from '../contract/game/outcome.ts'
import { fingerprint, signedBy, type PublicKey } from './keys.ts'
import { readExportedMatch, stepsOf, type ExportedMatch } from './match-file.ts'
import { rootFrom } from './merkle.ts'
import { mismatch, type Mismatch } from './mismatch.ts'
import { replay, type ReplayStep } from './replay.ts'
import { rootText } from './segments/seal-texts.ts'
import { followsFrom, mixedSeed, seedCommitment, seedOfMatch } from './derived-seeds.ts'
import { bytesSource, type HistorySource, sourceLines } from './history-source.ts'
import type { LineFault } from './segments/segment-check.ts'
import { verifyEntries, type SeatEntry } from './verify-entries.ts'
import { glanceAtLine } from './read-line.ts'
import { isEvent } from './segments/match-place.ts'

export interface VerifyOptions {
  /**
   * The public keys of the classes one of which must have signed. Absent: the signature is checked with the key in the
   * file; see `VerifiedMatch.key`.
   */
  readonly keys?: readonly PublicKey[]
  /** Returns the game by id, for replaying the match. */
  readonly games?: (id: GameId) => ErasedGame | undefined
  /** Called now and then with the progress, 0 to 1. */
  onProgress?(part: number): void
}

/** The contents of a verified history. */
export interface VerifiedMatch {
  readonly contest: ContestId
  readonly match: MatchNumber
  readonly attempt: number
  readonly game: GameId
  readonly version: number
  readonly seats: readonly SeatRecord[]
  /** The seats whose agents are entries of other schools: the schools' signed statements are about what played. */
  readonly entries: readonly SeatEntry[]
  readonly outcome: Outcome
  readonly seed: Sha256
  /**
   * The contest's seed and the phrase of the class that was mixed with it (null: none), if the file reveals them: the
   * contest was committed to this seed, and the match's seed follows from both. null: not revealed.
   */
  readonly revealed: { readonly seed: string; readonly phrase: string | null } | null
  readonly inputs: number
  readonly faults: number
  /** The number of private lines left out of the file. */
  readonly redacted: number
  readonly lines: number
  readonly head: Sha256
  readonly root: Sha256
  /** The number of finished matches under the root. */
  readonly count: number
  readonly key: PublicKey
  /** True if `key` is one that the caller gave, rather than only the one in the file. */
  readonly keyChecked: boolean
  /** True if the inputs were replayed through the rules. */
  readonly replayed: boolean
  /** True if it was practice, which does not count. */
  readonly practice: boolean
  /** Sentences about what was not checked. */
  readonly notes: readonly string[]
}

export type VerifyVerdict =
  | { readonly ok: true; readonly match: VerifiedMatch }
  /** `line`: that of the first problem, from 1; one after the last line if something is missing at the end. */
  | ({ readonly ok: false; readonly line: number } & Mismatch & BadLine)

/** Like `verifySource`, for a file in memory. Never throws, whatever the bytes. */
export function verifyMatch(bytes: Uint8Array, options: VerifyOptions = {}): VerifyVerdict {
  return verifySource(bytesSource(bytes), options)
}

/**
 * Verifies an exported match: the form and hash of every line, blobs, the opened commitment, salts, the replay through
 * the rules if the game is known, the path to the contest's root, the root's signature, and the signed statements of
 * schools whose entries played. Needs only the file (and
 * the class's public key, to know whose signature it is), reads it twice, and uses bounded memory. Throws only the
 * source's own error.
 */
export function verifySource(source: HistorySource, options: VerifyOptions = {}): VerifyVerdict {
  const onRead = progressOf(source, options)
  const read = readExportedMatch(source, onRead)
  if (!read.ok) return refused(source, read)
  const { file } = read
  const notes: string[] = []
  const game = options.games?.(file.header.game)
  const { version } = file.header
  const known = game?.version === version ? game : undefined
  if (known !== undefined) {
    const fault = replayFault(known, file, stepsOf(source, onRead))
    if (fault !== null) return refused(source, fault)
  } else if (game === undefined) {
    notes.push(`The match was not replayed: the rules of ${file.header.game} are not available.`)
  } else {
    notes.push(
      `The match was not replayed: it needs version ${version} of the rules, but this is version ${game.version}.`,
    )
  }
  const fault = proofFault(file, options.keys) ?? revealFault(file)
  if (fault !== null) return refused(source, { line: file.lines, ...fault })
  const stated = verifyEntries(file.description, file.header)
  if ('message' in stated) return refused(source, { line: headerLine(file), ...stated })
  notes.push(...stated.notes)
  return { ok: true, match: summary(file, options.keys !== undefined, known !== undefined, stated.entries, notes) }
}

function refused(source: HistorySource, fault: LineFault): VerifyVerdict {
  return { ...fault, ...badLineOf(source, fault.line), ok: false }
}

/** Calls `onProgress` after each hundredth of the two readings. */
function progressOf({ bytes }: HistorySource, { onProgress }: VerifyOptions): (bytes: number) => void {
  const step = Math.max(1, bytes / 50)
  let done = 0
  let reported = 0
  return (more) => {
    done += more
    if (done - reported < step) return
    reported = done
    onProgress?.(Math.min(1, done / bytes / 2))
  }
}

function replayFault(
  game: ErasedGame,
  { config, header, outcome, begins }: ExportedMatch,
  steps: Iterable<ReplayStep & { readonly line: number }>,
): LineFault | null {
  let line = begins
  function* noted(): Generator<ReplayStep> {
    for (const step of steps) {
      line = step.line
      yield step
    }
  }
  const difference = replay(game, { config, seats: header.seats, seed: outcome.seed }, noted())
  return difference === null ? null : { line, ...difference }
}

/** The header follows its blobs. */
function headerLine({ header }: ExportedMatch): number {
  return new Set([header.config, header.description]).size + 1
}

function proofFault({ head, proof }: ExportedMatch, keys: readonly PublicKey[] | undefined): Mismatch | null {
  const { contest, index, count, path, root, signature } = proof
  const reached = rootFrom(head, index, count, path)
  if (reached !== root) return mismatch("the match is not under the contest's root", reached ?? 'no root', root)
  if (keys?.includes(proof.key) === false) {
    const [wanted, found] = [keys.map(fingerprint).join(', '), fingerprint(proof.key)]
    return mismatch(`the file was signed with another key, whose fingerprint is ${found}`, wanted, found)
  }
  const signed = signedBy(proof.key, rootText(contest, count, root), signature)
  return signed ? null : { message: 'the signature is not by the key' }
}

/** Why the revealed seed of the contest is not the one to which it was committed, or not that of the match. */
function revealFault({ description, header, outcome, proof }: ExportedMatch): Mismatch | null {
  const { reveal } = proof
  const published = publishedSeed(description)
  if (reveal === undefined || published === null) return null
  const committed = seedCommitment(reveal.nonce, reveal)
  if (committed !== published.seed) {
    return mismatch('the revealed seed and nonce do not match the commitment of the contest', published.seed, committed)
  }
  if (published.classPhrase === true && published.phrase === undefined)
    return { message: 'the contest asked for a phrase of the class, and its description has none' }
  const seed = mixedSeed(reveal.seed, published.phrase)
  const { match, seeds = 'sha256' } = header
  if (followsFrom(seed, match, outcome.seed, seeds)) return null
  const expected = seedOfMatch(seed, match, seeds)
  return mismatch('the seed of the match does not follow from that of the contest', expected, outcome.seed)
}

const publishedPractice = z.object({ practice: z.literal(true) })

/** The parts of a published description from which, with the revealed seed, the seeds of matches follow. */
const publishedSeeds = z.object({
  seed: sha256Hex,
  classPhrase: z.literal(true).optional(),
  phrase: line.optional(),
})

/** null: the history is of a version that published no commitment. */
function publishedSeed(description: Json): z.infer<typeof publishedSeeds> | null {
  return publishedSeeds.safeParse(description).data ?? null
}

function revealedIn({ proof: { reveal }, description }: ExportedMatch): VerifiedMatch['revealed'] {
  const published = publishedSeed(description)
  return reveal === undefined || published === null ? null : { seed: reveal.seed, phrase: published.phrase ?? null }
}

function summary(
  file: ExportedMatch,
  keyChecked: boolean,
  replayed: boolean,
  entries: readonly SeatEntry[],
  notes: readonly string[],
): VerifiedMatch {
  const { header, outcome, proof, head, inputs, faults, redacted, lines } = file
  const { contest, match, attempt, game, version, seats } = header
  const counts = { inputs, faults, redacted, lines }
  const signed = { head, root: proof.root, count: proof.count, key: proof.key, keyChecked }
  const played = { outcome: outcome.outcome, seed: outcome.seed, revealed: revealedIn(file) }
  const practice = publishedPractice.safeParse(file.description).success
  return {
    contest,
    match,
    attempt,
    game,
    version,
    seats,
    entries,
    ...played,
    ...counts,
    ...signed,
    replayed,
    practice,
    notes,
  }
}

/** The line of an exported match at which its verification failed. */
export interface BadLine {
  /** The number of the match's events up to and including this line. */
  readonly events: number
  /** The beginning of the line as it stands in the file; null: the file ends before it. */
  readonly text: string | null
}

/** The maximum number of bytes of a line that are shown. */
const SHOWN_BYTES = 4_000

/** Text that every event's line contains. The bad line is not parsed, because parsing it may be what it is made for. */
const eventMarks = ['input', 'fault', 'console'].map((kind) => `,"k":"${kind}","n":`)

/** Finds a line, numbered from 1. Throws only the source's own error, whatever the bytes. */
function badLineOf(source: HistorySource, line: number): BadLine {
  let events = 0
  let at = 0
  for (const { bytes } of sourceLines(source)) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    if (++at === line) {
      if (eventMarks.some((mark) => text.includes(mark))) events++
      return { events, text: text.toString('utf8', 0, SHOWN_BYTES) }
    }
    if (isEvent(glanceAtLine(text)?.k ?? '')) events++
  }
  return { events, text: null }
}
