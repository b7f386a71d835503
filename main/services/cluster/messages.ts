import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import * as z from 'zod'
import { contestId, entrantId, gameId, matchNumber, seatId, sha256Hex, type Sha256 } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import { clockMode, isolationTier, limits, type IsolationTier } from '../../contract/limits.ts'
import { offeredToolchains, type OfferedToolchain } from '../../contract/players/toolchains.ts'
import { sha256 } from '../../histories/canonical.ts'
import {
  signedBy,
  fingerprint,
  generateKey,
  signingKey,
  type PublicKey,
  type SigningKey,
} from '../../histories/keys.ts'
import type { ContestSetup, MatchJob } from '../../worker/protocol.ts'
import type { RunnablePackage } from '../packages/codes.ts'
import { queueName, machineName } from './names.ts'
import type { ClusterSecrets } from './sealing.ts'

/** Maximum bytes of a match's history, unpacked; a larger one does not come back. */
const HISTORY_MAX = 256 * 1024 * 1024

/** A match as it stands in the queue. */
const job = z.strictObject({
  run: z.int().min(1),
  match: matchNumber,
  attempt: z.int().min(1),
  seed: sha256Hex,
  nonce: sha256Hex,
  entrants: z.array(z.strictObject({ name: entrantId, agent: sha256Hex })).max(1_000),
  fresh: z.boolean(),
  crashing: z.array(seatId).max(1_000).exactOptional(),
  voided: z.string().max(4_000).exactOptional(),
  variant: z.int().min(0).exactOptional(),
})

/** The kinds of agents that workers can play. */
const kind = z.enum(['script', 'program'])
export type SharedKind = z.infer<typeof kind>

/** The place of an order. `number`: how often its run has been ordered, with this time. */
export interface OrderPlace {
  readonly session: string
  readonly match: number
  readonly attempt: number
  readonly run: number
  readonly number: number
}

const order = z.strictObject({
  job,
  /** Workers that are not to play it, because they have. */
  not: z.array(z.string().max(200)).max(100),
})
export interface Order extends OrderPlace {
  readonly job: MatchJob
  readonly not: readonly string[]
}

/** A worker's report of a run. Everything else about the run is in its lines, which are checked. */
const result = z.strictObject({
  run: z.int().min(1),
  /** The number of the order that it answers. */
  order: z.int().min(1),
  worker: z.string().min(1).max(200),
  /** The lines of its history; null: the match was interrupted, for this reason. */
  lines: z.string().nullable(),
  reason: z.string().max(4_000).exactOptional(),
  seat: seatId.exactOptional(),
})
export type RunResult = z.infer<typeof result>

/** A config comes out of JSON, and its game checks it. */
const matchConfig = { config: z.custom<Json>(), configHash: sha256Hex }
const setup = z.strictObject({
  ...matchConfig,
  contest: contestId,
  contestHash: sha256Hex,
  game: gameId,
  variants: z.array(z.strictObject(matchConfig)).exactOptional(),
  limits,
  isolation: isolationTier,
  clock: clockMode,
  seeds: z.enum(['hmac', 'sha256']),
  lanes: z.int().min(1),
})
/** The facts that all matches of a session share. */
const shared = z.strictObject({
  setup,
  /** The contest's agents, by hash: a hash says nothing about the kind. */
  kinds: z.record(sha256Hex, kind),
  /** The weakest isolation that the educator has accepted. */
  accepts: isolationTier,
  /** The toolchains that the contest offers to programs. */
  toolchains: offeredToolchains.exactOptional(),
})
export interface SharedSetup {
  readonly setup: ContestSetup
  readonly kinds: Readonly<Record<Sha256, SharedKind>>
  readonly accepts: IsolationTier
  readonly toolchains?: readonly OfferedToolchain[]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const textOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

/** The value in sealed bytes, if it has this form; null: it has not. */
function valueIn<T>(schema: z.ZodType<T>, bytes: Buffer | null): T | null {
  const read = schema.safeParse(bytes === null ? undefined : parsed(bytes.toString('utf8')))
  return read.success ? read.data : null
}

export function sealSetup(secrets: ClusterSecrets, session: string, given: SharedSetup): string {
  return secrets.seal('setup', session, [queueName(secrets)], textOf(given))
}

/** null: the text is not the setup of this session, by a classroom with this token. */
export function openSetup(secrets: ClusterSecrets, session: string, text: string): SharedSetup | null {
  return valueIn(shared, secrets.open('setup', session, [queueName(secrets)], text))
}

/** The name of an order in the queue. The same name again is the same job, so that an order that is sent twice is played once. */
export function jobName({ session, match, attempt, run, number }: OrderPlace): string {
  return [session, match, attempt, run, number].join('.')
}

/** null: the name is not one of an order. */
export function placeOfJob(name: string): OrderPlace | null {
  const [, session = '', ...numbers] =
    /^([0-9a-f]{32})\.(\d{1,15})\.(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/.exec(name) ?? []
  const [match, attempt, run, number] = numbers.map(Number)
  if (match === undefined || attempt === undefined || run === undefined || number === undefined) return null
  return { session, match, attempt, run, number }
}

const orderPlace = (secrets: ClusterSecrets, contest: string, { match, attempt, run, number }: OrderPlace) =>
  [queueName(secrets), contest, match, attempt, run, number] as const

export function sealOrder(secrets: ClusterSecrets, contest: string, { job: given, not, ...place }: Order): string {
  return secrets.seal('order', place.session, orderPlace(secrets, contest, place), textOf({ job: given, not }))
}

/** null: the text is not an order of this contest at this place, by a classroom with this token. */
export function openOrder(secrets: ClusterSecrets, contest: string, place: OrderPlace, text: string): Order | null {
  const read = valueIn(order, secrets.open('order', place.session, orderPlace(secrets, contest, place), text))
  if (read === null) return null
  const { match, attempt, run } = read.job
  return match === place.match && attempt === place.attempt && run === place.run ? { ...place, ...read } : null
}

const agentPlace = (agent: Sha256, ofKind: SharedKind) => [ofKind, agent] as const

/** Seals a package as the agent with this hash and kind. */
export function sealAgent(secrets: ClusterSecrets, agent: Sha256, ofKind: SharedKind, bytes: Uint8Array): string {
  return secrets.seal('agent', '', agentPlace(agent, ofKind), bytes)
}

/** null: the text is not the package of this agent, by a classroom with this token. */
export function openAgent(
  secrets: ClusterSecrets,
  agent: Sha256,
  ofKind: SharedKind,
  text: string,
): RunnablePackage | null {
  const bytes = secrets.open('agent', '', agentPlace(agent, ofKind), text)
  return bytes !== null && sha256(bytes) === agent ? { kind: ofKind, bytes } : null
}

const refusal = z.strictObject({ versions: z.record(z.string().max(64), z.int()) })

/** Tells one worker the versions of its classroom. The seal does not depend on the protocol, so that others can read it. */
export function sealRefusal(
  secrets: ClusterSecrets,
  worker: string,
  versions: Readonly<Record<string, number>>,
): string {
  return secrets.seal('refusal', '', [worker], textOf({ versions }))
}

/** The versions of a classroom with this token that has refused this worker; null: the text is not from one. */
export function openRefusal(
  secrets: ClusterSecrets,
  worker: string,
  text: string,
): Readonly<Record<string, number>> | null {
  return valueIn(refusal, secrets.open('refusal', '', [worker], text))?.versions ?? null
}

/** The session and contest of a result. */
export interface ResultPlace {
  readonly session: string
  readonly contest: string
}

/** Bytes of a worker's public key and of its signature, which stand before the packed result. */
const [KEY_BYTES, SIGNATURE_BYTES] = [32, 64]

/** The content that a worker signs. */
const signedText = (session: string, packed: Uint8Array): string => `${session} ${sha256(packed)}`

const resultPlace = (secrets: ClusterSecrets, contest: string, run: number, number: number) =>
  [queueName(secrets), contest, run, number] as const

/** Packs a result, whose lines are compressed, signs it as its worker, and seals it. Its run and order stand before it. */
export async function sealResult(
  secrets: ClusterSecrets,
  { session, contest }: ResultPlace,
  { name, key }: WorkerIdentity,
  given: Omit<RunResult, 'worker'>,
): Promise<string> {
  const packed = await promisify(gzip)(textOf({ ...given, worker: name } satisfies RunResult))
  const signature = key.sign(signedText(session, packed))
  const body = Buffer.concat([Buffer.from(key.publicKey, 'hex'), Buffer.from(signature, 'hex'), packed])
  const { run, order: number } = given
  return `${run}.${number}.${secrets.seal('result', session, resultPlace(secrets, contest, run, number), body)}`
}

/**
 * null: the text is not a result of this session by a worker with this token, is too large, or is not signed by the worker
 * that it names.
 */
export async function openResult(
  secrets: ClusterSecrets,
  { session, contest }: ResultPlace,
  text: string,
): Promise<RunResult | null> {
  const [, run = '', number = ''] = /^(\d{1,15})\.(\d{1,15})\./.exec(text) ?? []
  if (run === '') return null
  const sealed = text.slice(run.length + number.length + 2)
  const place = resultPlace(secrets, contest, Number(run), Number(number))
  const body = secrets.open('result', session, place, sealed)
  if (body === null || body.length < KEY_BYTES + SIGNATURE_BYTES) return null
  const key = body.subarray(0, KEY_BYTES).toString('hex')
  const packed = body.subarray(KEY_BYTES + SIGNATURE_BYTES)
  const signature = body.subarray(KEY_BYTES, KEY_BYTES + SIGNATURE_BYTES).toString('hex')
  if (!signedBy(key, signedText(session, packed), signature)) return null
  try {
    const read = valueIn(result, await promisify(gunzip)(packed, { maxOutputLength: HISTORY_MAX }))
    if (read === null || read.run !== Number(run) || read.order !== Number(number)) return null
    return isNameOf(read.worker, key) ? read : null
  } catch {
    return null
  }
}

/** Under which name a worker of a cluster is known, and the key that proves it. */
export interface WorkerIdentity {
  /** `HOST-PROCESS-FINGERPRINT`: it ends with the beginning of the key's fingerprint, so that nobody else can take it. */
  readonly name: string
  /** Made when the worker starts, and kept nowhere. */
  readonly key: SigningKey
}

/** Hex digits of a fingerprint in a name: 64 bits. */
const DIGITS = 16

/** A new identity. */
export function createWorkerIdentity(host = `${machineName()}-${process.pid}`): WorkerIdentity {
  const key = signingKey(generateKey())!
  return { name: `${host}-${key.fingerprint.slice(0, DIGITS)}`, key }
}

/** True for a name that the holder of this key may have. */
function isNameOf(name: string, key: PublicKey): boolean {
  return name.endsWith(`-${fingerprint(key).slice(0, DIGITS)}`)
}
