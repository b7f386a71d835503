import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { ExpectedError } from '../../contract/expected-error.ts'
import { sha256Hex, type GameId, type Sha256 } from '../../contract/ids.ts'
import { attemptState } from '../../contract/people/hand-in.ts'
import { receiptBody } from '../../contract/people/receipts.ts'
import { UPLOAD_BYTES_MAX } from '../../contract/procedures/uploads.ts'
import { readReceipt, receiptFault, receiptLine } from '../../histories/receipts.ts'
import { writeNewFile } from '../files/output-file.ts'
import { readBytes, readTextInput } from '../files/read-file.ts'
import { declaredGame, gameOfKit, packAgent } from '../packages/pack.ts'
import { typedFingerprint } from './certificate-pin.ts'
import { classOrigin } from './class-address.ts'
import { ask, callClass, type RemoteClass } from './class-requests.ts'
import { signInTerminal, type WaitingSignIn } from './device-sign-in.ts'
import { keepSignIn, keptSignInAt } from './kept-sign-ins.ts'

export interface SubmitOptions {
  /** A script, a package, a folder, or `-` for a script from standard input. */
  readonly path: string
  /** The address of the class. */
  readonly to: string
  /** null: for no contest. */
  readonly contest: string | null
  readonly note: string
  /** The agent of which it is a version, or the name of a new one; null: the team's only one, or the name in the file. */
  readonly agent: string | null
  /** null: that of the kit, the contest or the team's agents. */
  readonly game: GameId | null
  /** The fingerprint that the educator shows; null: the kept one. */
  readonly fingerprint: string | null
  /** The folder into which the receipt is written. */
  readonly receipts: string
  /** The folder of the user's sign-ins. */
  readonly config: string
  /** The name of this program, for the person who confirms it. */
  readonly agentName: string
  readonly signal: AbortSignal
  /** Shows the code to confirm. `fingerprint`: of a self-made certificate; null: the system knows its issuer. */
  onCode(waiting: WaitingSignIn & { readonly origin: string; readonly fingerprint: string | null }): void
  onSignedIn(name: string): void
  /** A sentence about the progress. */
  onProgress(text: string): void
  /** The file was accepted; its trial has not been played yet. */
  onAccepted(accepted: Accepted): void
}

/** A hand-in that the class has accepted. */
export interface Accepted {
  /** The origin of the class. */
  readonly class: string
  /** The name of the person who handed it in. */
  readonly name: string
  readonly contest: string | null
  readonly file: string
  readonly bytes: number
  readonly sha256: Sha256
  readonly agent: string
  readonly version: number
  readonly attempt: number
  readonly receipt: {
    readonly n: number
    readonly head: Sha256
    /** ISO 8601. */
    readonly received: string
    readonly time: 'on-time' | 'late' | 'kept'
    /** The path of its file; null: it could not be written. */
    readonly file: string | null
  }
  /** About the time, a sentence; null: it is for no contest. */
  readonly time: string | null
  /** A remark of the class; null: none. */
  readonly note: string | null
  /** The page of the class with the hand-ins of the team. */
  readonly link: string
}

/** An accepted hand-in with the verdict of its trial. */
export interface Submitted extends Accepted {
  /** `void`: the class could not judge it. `unknown`: it was not reached any more. */
  readonly trial: Verdict & {
    /** The page of the class with the trial match; null: it was not played to a verdict. */
    readonly link: string | null
  }
}
interface Verdict {
  readonly state: 'passed' | 'failed' | 'void' | 'unknown'
  readonly text: string
}

/** A file to hand in. */
interface Package {
  readonly fileName: string
  readonly content: Uint8Array
}

const uploaded = z.object({ file: z.string().min(1).max(64) })
const answered = z.object({
  ...{ attempt: z.int(), agent: z.string(), receipt: receiptBody, head: sha256Hex },
  /** Absent: the class is of an earlier version. */
  signature: z.string().optional(),
  ...{ note: z.string().nullable(), time: z.string() },
})
const receiptFile = z.object({ content: z.string() })
const queuePlace = z.object({ attempt: z.int(), place: z.int(), expected: z.number().nullable() }).nullable()
const attempts = z.object({
  attempts: z.array(z.object({ id: z.int(), state: attemptState, reason: z.string().nullable() })),
})

/**
 * Hands in an agent at a class on the network, for the team of the person as whom this terminal is signed in, and waits for its trial.
 * Signs in first if necessary. Throws ExpectedError: 'usage' if the file or the request is refused, 'host' if the class cannot be
 * reached before the file was accepted, 'stopped' if the signal aborts.
 */
export async function submitAgent(options: SubmitOptions): Promise<Submitted> {
  const { to, config, contest, agentName, signal } = options
  const origin = classOrigin(to)
  const expected = options.fingerprint === null ? null : typedFingerprint(options.fingerprint)
  const given = await packageOf(options)
  const kept = keptSignInAt(config, origin)
  const remote: RemoteClass = {
    ...{ origin, expected, agent: agentName, signal },
    onWaiting: () => options.onProgress('The class has the file and reads it when its turn comes.'),
    ...{
      certificate: kept?.certificate ?? (kept === null ? undefined : null),
      token: kept?.token ?? null,
      isOver: false,
    },
  }
  const session = { remote, options, name: kept?.name ?? '' }
  const call = <T>(name: string, input: object, value: z.ZodType<T>): Promise<T> =>
    signedIn(session, () => callClass(remote, name, input, value))
  const { file } = await signedIn(session, () =>
    ask(remote, { path: pathFor(given.fileName), type: 'application/octet-stream', body: given.content }, uploaded),
  )
  const answer = await call(
    'handIn.submit',
    { file, contest, note: options.note, agent: options.agent, game: gameFor(options) },
    answered,
  )
  const content = await receiptIn(answer, call)
  const accepted = acceptedOf(session, given, answer, keptReceipt(options, answer.receipt.n, content))
  options.onAccepted(accepted)
  const verdict = await verdictOn(call, accepted, options)
  const isPlayed = verdict.state === 'passed' || verdict.state === 'failed'
  return { ...accepted, trial: { ...verdict, link: isPlayed ? `${accepted.link}?trial=${accepted.attempt}` : null } }
}

interface Session {
  readonly remote: RemoteClass
  readonly options: SubmitOptions
  /** The name of the person; '' before the first sign-in. */
  name: string
}

/** Does some work, after signing in where this terminal is not signed in, or not any more. Keeps the sign-in and the certificate. */
async function signedIn<T>(session: Session, work: () => Promise<T>): Promise<T> {
  const { remote } = session
  const before = remote.certificate
  if (remote.token !== null) {
    try {
      const done = await work()
      // A class that has renewed its certificate is known by the new one.
      if (remote.certificate?.fingerprint !== before?.fingerprint) keep(session)
      return done
    } catch (error) {
      if (!(error instanceof ExpectedError) || error.code !== 'sign-in-needed' || !remote.isOver) throw error
      session.options.onProgress('The sign-in of this terminal is over: sign in again.')
    }
  }
  await signIn(session)
  return work()
}

async function signIn(session: Session): Promise<void> {
  const { remote, options } = session
  const { token, name } = await signInTerminal(remote, (waiting) =>
    options.onCode({ ...waiting, origin: remote.origin, fingerprint: remote.certificate?.fingerprint ?? null }),
  )
  remote.token = token
  remote.isOver = false
  session.name = name
  keep(session)
  options.onSignedIn(name)
}

function keep({ remote: { origin, token, certificate }, options: { config }, name }: Session): void {
  if (token !== null) keepSignIn(config, origin, { token, name, certificate: certificate ?? null })
}

const pathFor = (fileName: string): string => `/packages?name=${encodeURIComponent(fileName)}`

/** Reads what is handed in: a folder or a script that needs the files beside it as a package, other files as they are. */
async function packageOf({ path, agent, ...options }: SubmitOptions): Promise<Package> {
  if (path === '-') return { fileName: `${agent ?? 'agent'}.js`, content: Buffer.from(await readTextInput('-')) }
  const isPackage = existsSync(path) && /\.(?:zip|tar\.gz|tgz|json)$/i.test(path)
  const given = isPackage
    ? { fileName: basename(resolve(path)), bytes: await readBytes(path, UPLOAD_BYTES_MAX) }
    : await packAgent(path, gameFor({ path, ...options }), agent ?? undefined, false)
  if (given.bytes.length <= UPLOAD_BYTES_MAX) return { fileName: given.fileName, content: given.bytes }
  throw new ExpectedError('usage', 'too-large', `${path} has more than 64 MB, which a class does not accept.`)
}

/** The game as far as this machine knows it; null: the class knows. */
function gameFor({ path, game }: Pick<SubmitOptions, 'path' | 'game'>): GameId | null {
  if (game !== null || path === '-') return game
  const folder = existsSync(join(path, 'agent.json')) ? path : dirname(resolve(path))
  return gameOfKit(existsSync(path) ? path : folder) ?? gameOfKit(folder) ?? declaredGame(path)
}

function acceptedOf(
  { remote: { origin }, options: { contest }, name }: Session,
  { fileName, content }: Package,
  { agent, attempt, receipt, head, time, note }: z.infer<typeof answered>,
  file: string | null,
): Accepted {
  const sha256 = hash('sha256', content)
  if (receipt.sha256 !== sha256)
    throw new ExpectedError(
      'host',
      'receipt-invalid',
      `The receipt of the class is for another file (SHA-256 ${receipt.sha256}) than the one that was sent (${sha256}): tell the educator.`,
    )
  const { n, received, version } = receipt
  return {
    ...{ class: origin, name, contest, file: fileName, bytes: content.length, sha256, agent, version, attempt },
    receipt: { n, head, received, time: receipt.time, file },
    ...{ time: time === '' ? null : time, note, link: `${origin}/#/hand-in` },
  }
}

/** The content of the receipt's file; null: it could not be fetched. The answer itself has it, for the class may be closed the next moment. */
async function receiptIn(
  { receipt: b, head: h, signature: s }: z.infer<typeof answered>,
  call: Call,
): Promise<string | null> {
  if (s !== undefined) return receiptLine({ b, h, s })
  try {
    return (await call('receipts.get', { n: b.n }, receiptFile)).content
  } catch (error) {
    // The file was accepted: the receipt can be fetched in the browser, too.
    if (error instanceof ExpectedError && error.kind !== 'stopped') return null
    throw error
  }
}

/** Writes the receipt of a hand-in into the folder, beside others of its number. Returns its place; null: it could not be written. */
function keptReceipt({ receipts, onProgress }: SubmitOptions, n: number, content: string | null): string | null {
  const read = content === null ? 'it could not be fetched' : readReceipt(content.replace(/\n$/, ''))
  const fault = typeof read === 'string' ? read : receiptFault(read, null)
  if (fault !== null || content === null) {
    onProgress(`The receipt was not saved, because ${fault}. Download it in the browser.`)
    return null
  }
  for (let copy = 1; ; copy++) {
    const file = join(receipts, copy === 1 ? `receipt-${n}.json` : `receipt-${n}-${copy}.json`)
    if (existsSync(file)) continue
    try {
      writeNewFile(file, content)
      return file
    } catch (error) {
      onProgress(`${error instanceof Error ? error.message : String(error)} Download the receipt in the browser.`)
      return null
    }
  }
}

/** ms between two questions about a trial: often at first, as most are soon over. */
const QUESTIONS = [500, 1_000, 1_000, 2_000, 2_000, 3_000] as const
const LATER_QUESTIONS = 5_000

type Call = <T>(name: string, input: object, value: z.ZodType<T>) => Promise<T>

async function verdictOn(call: Call, { attempt }: Accepted, { onProgress, signal }: SubmitOptions): Promise<Verdict> {
  let said = ''
  const say = (text: string): void => {
    if (text !== said) onProgress(text)
    said = text
  }
  try {
    for (let asked = 0; ; asked++) {
      const found = (await call('handIn.attempts', {}, attempts)).attempts.find(({ id }) => id === attempt)
      const state = found?.state ?? 'void'
      if (state !== 'waiting' && state !== 'received')
        return { state: state === 'passed' || state === 'failed' ? state : 'void', text: found?.reason ?? '' }
      const place = await call('handIn.queue', {}, queuePlace)
      if (place !== null)
        say(place.attempt === attempt ? placeWords(place) : 'Another hand-in of the team comes first.')
      await sleep(QUESTIONS[asked] ?? LATER_QUESTIONS, undefined, { signal })
    }
  } catch (error) {
    if (signal.aborted)
      throw new ExpectedError(
        'stopped',
        'stopped',
        'Stopped waiting. The file was handed in and its trial goes on: see the hand-ins of your team in the browser.',
      )
    if (error instanceof ExpectedError) return { state: 'unknown', text: error.message }
    throw error
  }
}

function placeWords({ place, expected }: NonNullable<z.infer<typeof queuePlace>>): string {
  if (place === 1) return 'Its trial match is being played or begins next.'
  const time = expected === null ? '' : `; it begins in about ${Math.max(1, Math.round(expected / 1_000))} s`
  return `Place ${place} in the queue${time}.`
}
