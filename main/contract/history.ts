import { z } from 'zod'
import { fault } from './faults.ts'
import { contestId, entrantId, gameId, matchNumber, seatId, sha256Hex } from './ids.ts'
import type { Json } from './json.ts'
import { clockMode, isolationTier, limits } from './limits.ts'
import { outcome, removalRecord } from './outcome.ts'

/**
 * Histories, line by line. A line is canonical JSON (RFC 8785) of `{"b": body, "h": hash}` and a newline, nothing else.
 *
 * The lines of one playing of one match form a run and carry one hash chain:
 *
 *     h(n) = SHA256( h(n-1) + tag + SHA256(canonical(body n)) )     all in lower-case hex text; h(-1) is empty
 *
 * where tag is `+` for private lines (`console`) and `-` for all others. So a private line, and no other, can be replaced
 * by its digest (`redacted`) and the run still verifies. A `blob` stands alone (a chain of one), the lines that main
 * writes about a segment (`segment`, `seal`) are run 0 of that segment, and a `proof` continues the chain of its run.
 */
export const historyFormat = 'tartaglia-history/1'

/** Bytes of the longest line that is written or read. A longer one is damage, not data. */
export const longestLine = 64 * 1024 * 1024

/** Nesting of arrays and objects in a line beyond which it is not parsed; well above what an answer may have. */
export const deepestLine = 1024

/** Any JSON; what it must be is for the game to say. JSON.parse has made it, so nothing is walked here. */
const json = z.custom<Json>((value) => value !== undefined, 'expected a value')
const hex64 = sha256Hex
const signature = z.string().regex(/^[0-9a-f]{128}$/, 'expected 128 lower-case hex digits')
const at = z.number().min(0)
const post = z.strictObject({ seat: seatId, body: z.int().min(0) })
/** r: the run, unique within its contest. n: the line's place in the run, from 0. */
const place = { r: z.int().min(1), n: z.int().min(0) }
const ofSegment = { r: z.literal(0), n: z.int().min(0) }

const audience = z.union([z.literal('public'), z.literal('sealed'), z.array(seatId)])

/** A seat with the pseudonym and the agent that sit on it. */
const seatRecord = z.strictObject({
  id: seatId,
  entrant: z.int().min(0),
  role: z.string().max(64),
  bodies: z.int().min(1),
  name: entrantId,
  agent: sha256Hex,
  /** It ran on a machine of its own: whatever the match's isolation is, nothing held this one. */
  elsewhere: z.literal(true).exactOptional(),
})

/** What is known of a match when it starts; seed and nonce are only committed to. */
export const matchFacts = z.strictObject({
  contest: contestId,
  match: matchNumber,
  /** 1, or 2 and 3 when the attempt before was voided. */
  attempt: z.int().min(1),
  game: gameId,
  version: z.int().min(0),
  /** SHA-256 of the canonical game config (defaults filled in); the value is a blob. */
  config: sha256Hex,
  /** SHA-256 of the canonical contest description as it is published; the value is a blob. */
  description: sha256Hex,
  seats: z.array(seatRecord).max(1000),
  limits,
  /** The tier that was used, not the one that was allowed. */
  isolation: isolationTier,
  clock: clockMode,
  host: z.strictObject({ node: z.string().max(64), platform: z.string().max(64), cores: z.int().min(1) }),
})
export type MatchFacts = z.infer<typeof matchFacts>

/** First line of a segment file, by main. */
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

/** Closes a group: the segment's bytes and lines before this line, and their hash, signed. By main. */
const sealBody = z.strictObject({
  k: z.literal('seal'),
  ...ofSegment,
  bytes: z.int().min(0),
  lines: z.int().min(0),
  sha256: hex64,
  signature,
})

/** A large value, once a segment. `sha256` is that of its canonical text. */
const blobBody = z.strictObject({ k: z.literal('blob'), sha256: hex64, value: json })

export const headerBody = z.strictObject({
  k: z.literal('header'),
  ...place,
  format: z.literal(historyFormat),
  ...matchFacts.shape,
  /** SHA-256 of seed and nonce, both as hex text. */
  commitment: hex64,
})

/** An input of the rules. Not public while the match runs: `salt` keeps its digest from being guessed. */
const inputBody = z.strictObject({
  k: z.literal('input'),
  ...place,
  at,
  audience,
  input: json,
  salt: hex64.optional(),
})

/** What went wrong at a post, in public; `question` null: nothing was asked. What it costs is an input of its own. */
export const faultBody = z.strictObject({
  k: z.literal('fault'),
  ...place,
  at,
  post,
  question: z.int().min(0).nullable(),
  fault: fault.omit({ stderr: true }),
})

/** What an agent printed: private to its team for ever, so salted with a secret that is never published. */
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

/** The end of a match, with what the header committed to. */
export const outcomeBody = z.strictObject({
  k: z.literal('outcome'),
  ...place,
  at,
  inputs: z.int().min(0),
  outcome,
  /** In the order in which seats were removed; absent: nobody was, or the history is older than this line's field. */
  removals: z.array(removalRecord).exactOptional(),
  state: hex64,
  seed: hex64,
  nonce: hex64,
})

/** The end of an attempt that counts for nobody: the host was at fault. Seed and nonce stay secret. */
export const voidBody = z.strictObject({ k: z.literal('void'), ...place, reason: z.string().max(4_000) })

/** Stands for a private line; `digest` is the SHA-256 of its canonical body. Only in exports. */
const redactedBody = z.strictObject({ k: z.literal('redacted'), ...place, digest: hex64 })

/** Last line of an exported match: where its head lies under the contest's signed root (RFC 6962 hashing). */
const proofBody = z.strictObject({
  k: z.literal('proof'),
  contest: contestId,
  match: matchNumber,
  head: hex64,
  /** Among the `count` finished matches in schedule order, from 0. */
  index: z.int().min(0),
  count: z.int().min(1),
  path: z.array(hex64).max(64),
  root: hex64,
  /** The raw Ed25519 public key. */
  key: hex64,
  signature,
})

export const historyBody = z.discriminatedUnion('k', [
  segmentBody,
  sealBody,
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
