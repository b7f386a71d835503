import type { ErasedGame, SeatRecord } from '../contract/game.ts'
import type { ContestId, GameId, MatchNumber, Sha256 } from '../contract/ids.ts'
import type { Outcome } from '../contract/outcome.ts'
import { fingerprint, signedBy, type PublicKey } from './keys.ts'
import { readMatchFile, stepsOf, type MatchFile } from './match-file.ts'
import { rootFrom } from './merkle.ts'
import { replay, type ReplayStep } from './replay.ts'
import { rootText } from './seal-texts.ts'
import { bytesSource, type HistorySource } from './history-source.ts'

export interface VerifyOptions {
  /** Whose signature it must be. Without it the file is held against the key that it carries itself; see `VerifiedMatch.key`. */
  readonly key?: PublicKey
  /** Finds the rules of a game, by id, to replay the match with. */
  readonly games?: (id: GameId) => ErasedGame | undefined
  /** Told now and then how much of the work is done, 0 to 1. */
  onProgress?(part: number): void
}

/** What a history says that verifies. */
export interface VerifiedMatch {
  readonly contest: ContestId
  readonly match: MatchNumber
  readonly attempt: number
  readonly game: GameId
  readonly version: number
  readonly seats: readonly SeatRecord[]
  readonly outcome: Outcome
  readonly seed: Sha256
  readonly inputs: number
  readonly faults: number
  /** Private lines left out of the file. */
  readonly redacted: number
  readonly lines: number
  readonly head: Sha256
  readonly root: Sha256
  /** Finished matches under the root. */
  readonly count: number
  readonly key: PublicKey
  /** Whether `key` was given by the caller rather than taken from the file. */
  readonly keyChecked: boolean
  /** Whether the inputs were folded through the rules. */
  readonly replayed: boolean
  /** Sentences about what was not checked. */
  readonly notes: readonly string[]
}

export type VerifyVerdict =
  | { readonly ok: true; readonly match: VerifiedMatch }
  /** `line`: of the first fault, from 1; one more than the file has where something is missing at its end. */
  | { readonly ok: false; readonly line: number; readonly message: string }

/** As `verifySource`, for a file in memory. Never throws, whatever the bytes. */
export function verifyMatch(bytes: Uint8Array, options: VerifyOptions = {}): VerifyVerdict {
  return verifySource(bytesSource(bytes), options)
}

/**
 * Checks an exported match: every line's form and hash, blobs, the opened commitment, salts, the replay through the rules
 * where the game is known, the path to the contest's root and the root's signature. Needs nothing but the file (and the
 * class's public key to know whose signature it is), reads it twice, and keeps nothing that grows with it. Throws nothing but
 * the source's own error.
 */
export function verifySource(source: HistorySource, options: VerifyOptions = {}): VerifyVerdict {
  const onRead = progressOf(source, options)
  const read = readMatchFile(source, onRead)
  if (!read.ok) return { ok: false, line: read.line, message: read.message }
  const { file } = read
  const notes: string[] = []
  const game = options.games?.(file.header.game)
  const { version } = file.header
  const known = game?.version === version ? game : undefined
  if (known !== undefined) {
    const fault = replayFault(known, file, stepsOf(source, onRead))
    if (fault !== null) return { ok: false, ...fault }
  } else if (game === undefined) {
    notes.push(`The match was not replayed: the rules of ${file.header.game} are not at hand.`)
  } else {
    notes.push(`The match was not replayed: it follows version ${version} of the rules, at hand is ${game.version}.`)
  }
  const message = proofFault(file, options.key)
  if (message !== null) return { ok: false, line: file.lines, message }
  return { ok: true, match: summary(file, options.key !== undefined, known !== undefined, notes) }
}

/** Calls `onProgress` with each hundredth of the two readings. */
function progressOf({ bytes }: HistorySource, { onProgress }: VerifyOptions): (bytes: number) => void {
  const step = Math.max(1, bytes / 50)
  let done = 0
  let told = 0
  return (more) => {
    done += more
    if (done - told < step) return
    told = done
    onProgress?.(Math.min(1, done / bytes / 2))
  }
}

function replayFault(
  game: ErasedGame,
  { config, header, outcome, begins }: MatchFile,
  steps: Iterable<ReplayStep & { readonly line: number }>,
): { readonly line: number; readonly message: string } | null {
  let line = begins
  function* noted(): Generator<ReplayStep> {
    for (const step of steps) {
      line = step.line
      yield step
    }
  }
  const message = replay(game, { config, seats: header.seats, seed: outcome.seed }, noted())
  return message === null ? null : { line, message }
}

function proofFault({ head, proof }: MatchFile, key: PublicKey | undefined): string | null {
  const { contest, index, count, path, root, signature } = proof
  if (rootFrom(head, index, count, path) !== root) return "the match is not under the contest's root"
  if (key !== undefined && proof.key !== key) {
    return `the file is signed by another key, with fingerprint ${fingerprint(proof.key)}`
  }
  return signedBy(proof.key, rootText(contest, count, root), signature) ? null : 'the signature is not by the key'
}

function summary(file: MatchFile, keyChecked: boolean, replayed: boolean, notes: readonly string[]): VerifiedMatch {
  const { header, outcome, proof, head, inputs, faults, redacted, lines } = file
  const { contest, match, attempt, game, version, seats } = header
  const counts = { inputs, faults, redacted, lines }
  const signed = { head, root: proof.root, count: proof.count, key: proof.key, keyChecked }
  const played = { outcome: outcome.outcome, seed: outcome.seed }
  return { contest, match, attempt, game, version, seats, ...played, ...counts, ...signed, replayed, notes }
}
