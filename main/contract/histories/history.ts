import * as z from 'zod'
import { fault } from '../faults.ts'
import { contestId, entrantId, gameId, matchNumber, seatId, sha256Hex } from '../ids.ts'
import type { Json } from '../json.ts'
import { clockMode, groupsVersion, isolationTier, limits } from '../limits.ts'
import { line } from '../players/line.ts'
import { toolchainVersions } from '../players/toolchains.ts'
import { outcome, removalRecord } from '../game/outcome.ts'
import { placedDecision } from '../contests/decisions.ts'

/**
 * Histories, line by line. A line is canonical JSON (RFC 8785) of `{"b": body, "h": hash}` and a newline, nothing else.
 *
 * The lines of one attempt at a match form a run and carry one hash chain:
 *
 *     h(n) = SHA256( h(n-1) + tag + SHA256(canonical(body n)) )     all in lower-case hex text; h(-1) is empty
 *
 * where tag is `+` for private lines (`console`) and `-` for all others. A private line, and no other, can therefore be
 * replaced by its digest (`redacted`) and the run still verifies. A `blob` is a chain of its own, the lines that the
 * main process writes about a segment (`segment`, `decision`, `seal`) are run 0 of that segment, and a `proof` continues
 * the chain of its run.
 */
export const historyFormat = 'tartaglia-history/1'

/** Maximum length in bytes of a line that is written or read. A longer line is treated as damage. */
export const longestLine = 64 * 1024 * 1024

/** Maximum nesting of arrays and objects in a line that is parsed; well above the limit for answers. */
export const deepestLine = 1024

/** Any JSON; the game's schema checks it. It comes from JSON.parse, so it is not validated here. */
const json = z.custom<Json>((value) => value !== undefined, 'expected a value')
const hex64 = sha256Hex
const signature = z.string().regex(/^[0-9a-f]{128}$/, 'expected 128 lower-case hex digits')
const at = z.number().min(0)
const post = z.strictObject({ seat: seatId, body: z.int().min(0) })
/** r: the run, unique within its contest. n: the line's place in the run, from 0. */
const place = { r: z.int().min(1), n: z.int().min(0) }
const ofSegment = { r: z.literal(0), n: z.int().min(0) }

const audience = z.union([z.literal('public'), z.literal('sealed'), z.array(seatId)])

/** A seat with its entrant's pseudonym and agent. */
const seatRecord = z.strictObject({
  id: seatId,
  entrant: z.int().min(0),
  role: z.string().max(64),
  bodies: z.int().min(1),
  name: entrantId,
  agent: sha256Hex,
  /** The agent ran on another machine, so the match's isolation did not apply to it. */
  elsewhere: z.literal(true).exactOptional(),
})

/**
 * How the seeds of matches follow from that of their contest, and those of players from that of their match: HMAC-SHA256 with
 * the secret as its key; `sha256`, in contests made by earlier versions: SHA-256 of a text that contains it.
 */
export type SeedDerivation = 'hmac' | 'sha256'

/** The facts of a match that are known when it starts; to seed and nonce there is only a commitment. */
export const matchFacts = z.strictObject({
  contest: contestId,
  match: matchNumber,
  /** 1; 2 and 3 if the previous attempt was voided; 3 at once if the match was interrupted too often. */
  attempt: z.int().min(1),
  game: gameId,
  version: z.int().min(0),
  /** SHA-256 of the canonical game config (defaults filled in); the value is a blob. */
  config: sha256Hex,
  /** SHA-256 of the canonical contest description as published; the value is a blob. */
  description: sha256Hex,
  seats: z.array(seatRecord).max(1000),
  limits,
  /** The tier that was used, not the one that was allowed. */
  isolation: isolationTier,
  /** Absent: written by an older version, which had none. */
  groups: groupsVersion.exactOptional(),
  clock: clockMode,
  /** Absent: `sha256`. */
  seeds: z.literal('hmac').exactOptional(),
  host: z.strictObject({
    node: z.string().max(64),
    platform: z.string().max(64),
    cores: z.int().min(1),
    /** The versions of its programs' interpreters, and of the toolchains that agent.json names. Absent: there are none, or it is older than this record. */
    toolchains: toolchainVersions.exactOptional(),
  }),
})
export type MatchFacts = z.infer<typeof matchFacts>

/** First line of a segment file, written by the main process. */
const segmentBody = z.strictObject({
  k: z.literal('segment'),
  ...ofSegment,
  format: z.literal(historyFormat),
  contest: contestId,
  segment: z.int().min(1),
  /** Fingerprint of the key that signs this segment. */
  key: hex64,
  /** SHA-256 of the whole file of the segment before; null in the first. */
  previous: hex64.nullable(),
})

/**
 * Closes a group: the number of bytes and lines of the segment before this line, their hash, and a signature by main.
 */
const sealBody = z.strictObject({
  k: z.literal('seal'),
  ...ofSegment,
  bytes: z.int().min(0),
  lines: z.int().min(0),
  sha256: hex64,
  signature,
})

/** A decision of the educator about the contest. It counts, like a match, once a seal covers it. */
const decisionBody = z.strictObject({ k: z.literal('decision'), ...ofSegment, ...placedDecision.shape })

/** A large value, stored once in each segment. `sha256` is the hash of its canonical text. */
const blobBody = z.strictObject({ k: z.literal('blob'), sha256: hex64, value: json })

export const headerBody = z.strictObject({
  k: z.literal('header'),
  ...place,
  format: z.literal(historyFormat),
  ...matchFacts.shape,
  /** SHA-256 of seed and nonce, both as hex text. */
  commitment: hex64,
})

/**
 * An input of the rules. If it is not public while the match runs, `salt` keeps its digest from being guessed. `found`: what the
 * rules found out when they applied it (`Rules.findings`); absent: nothing, or the history is older than this field.
 */
const inputBody = z.strictObject({
  k: z.literal('input'),
  ...place,
  at,
  audience,
  found: json.exactOptional(),
  input: json,
  salt: hex64.optional(),
})

/**
 * A fault at a post, without private output; `question` null: no question was open. Its penalty is a separate input.
 */
export const faultBody = z.strictObject({
  k: z.literal('fault'),
  ...place,
  at,
  post,
  question: z.int().min(0).nullable(),
  fault: fault.omit({ stderr: true }),
})

/** An agent's output. It stays private to its team, so it is salted with a secret that is never published. */
export const consoleBody = z.strictObject({
  k: z.literal('console'),
  ...place,
  at,
  post,
  stream: z.enum(['console', 'stderr']),
  text: z.string(),
  salt: hex64,
})

/** `state`: SHA-256 of the canonical saved state after `inputs` inputs. */
const checkpointBody = z.strictObject({
  k: z.literal('checkpoint'),
  ...place,
  inputs: z.int().min(0),
  state: hex64,
})

/** The end of a match. Reveals the seed and nonce to which the header commits. */
export const outcomeBody = z.strictObject({
  k: z.literal('outcome'),
  ...place,
  at,
  inputs: z.int().min(0),
  outcome,
  /** In the order in which seats were removed; absent: none was, or the history is older than this field. */
  removals: z.array(removalRecord).exactOptional(),
  state: hex64,
  seed: hex64,
  nonce: hex64,
})

/** The end of an attempt that does not count because the host was at fault. Seed and nonce stay secret. */
export const voidBody = z.strictObject({ k: z.literal('void'), ...place, reason: z.string().max(4_000) })

/** Replaces a private line in exports; `digest` is the SHA-256 of its canonical body. */
const redactedBody = z.strictObject({ k: z.literal('redacted'), ...place, digest: hex64 })

/** Last line of an exported match: the path from its head to the contest's signed Merkle root (RFC 6962 hashing). */
const proofBody = z.strictObject({
  k: z.literal('proof'),
  contest: contestId,
  match: matchNumber,
  head: hex64,
  /** Its index among the `count` finished matches in schedule order, from 0. */
  index: z.int().min(0),
  count: z.int().min(1),
  path: z.array(hex64).max(64),
  root: hex64,
  /** The raw Ed25519 public key. */
  key: hex64,
  signature,
  /**
   * Opens the commitment that the description has as its seed; the match's seed follows from it. Absent: the contest had
   * not ended, or the file is older than this field.
   */
  reveal: z.strictObject({ seed: line, nonce: hex64 }).exactOptional(),
})

export const historyBody = z.discriminatedUnion('k', [
  segmentBody,
  sealBody,
  decisionBody,
  blobBody,
  headerBody,
  inputBody,
  faultBody,
  consoleBody,
  checkpointBody,
  outcomeBody,
  voidBody,
  redactedBody,
  proofBody,
])
export type HistoryBody = z.infer<typeof historyBody>
export type HeaderBody = z.infer<typeof headerBody>
export type OutcomeBody = z.infer<typeof outcomeBody>
export type ProofBody = z.infer<typeof proofBody>
