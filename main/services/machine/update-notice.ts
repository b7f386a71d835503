import * as z from 'zod'
import manifest from '../../../package.json' with { type: 'json' }
import type { DoctorFinding } from '../../contract/procedures/answers.ts'

// The notice that a newer version is out. It is shown, and nothing is installed. Without an address, which is a setting of the class, nobody is
// asked. The answer is a stranger's: three numbers are taken of it, or nothing.

/** The version that runs. */
export const OWN_VERSION: string = manifest.version

const limits = { ms: 5_000, bytes: 4_096 } as const
const DAY = 24 * 60 * 60_000

/** The answer at the address; more fields are ignored. */
const answer = z.object({ version: z.string().max(20) })

type Numbers = readonly [number, number, number]

function numbersOf(version: string): Numbers | null {
  const parts = /^(\d{1,5})\.(\d{1,5})\.(\d{1,5})$/.exec(version)
  return parts === null ? null : [Number(parts[1]), Number(parts[2]), Number(parts[3])]
}

/** True if `version` is the number of a later release than `own`. Other texts, such as those of trial releases, never are. */
export function isNewer(version: string, own: string): boolean {
  const [theirs, ours] = [numbersOf(version), numbersOf(own)]
  if (theirs === null || ours === null) return false
  const at = theirs.findIndex((number, place) => number !== ours[place])
  return at >= 0 && theirs[at]! > ours[at]!
}

/**
 * Asks an address for the newest version. null: none that is newer than `own`, or no answer that can be used: within 5 s, up to 4 KB, JSON, and
 * of this address itself. Never rejects.
 */
export async function newerVersion(address: string, own: string, signal?: AbortSignal): Promise<string | null> {
  try {
    const limit = AbortSignal.timeout(limits.ms)
    const response = await fetch(address, {
      ...{ redirect: 'error', credentials: 'omit', cache: 'no-store' },
      headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'tartaglia' },
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    })
    if (!response.ok || response.body === null) return null
    const { version } = answer.parse(JSON.parse(await shortText(response.body)))
    return isNewer(version, own) ? version : null
  } catch {
    return null
  }
}

/** Rejects for a text that is too long, of which no more is read. */
async function shortText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body) {
    size += piece.length
    if (size > limits.bytes) throw new Error('too long')
    pieces.push(piece)
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces))
}

/** The sentence about a newer version. */
function sentence(newer: string): string {
  return `Tartaglia ${newer} is out; this is ${OWN_VERSION}. Nothing was installed: get it where you got this one.`
}

/** The version of this program as a finding of the doctor. `address` '': nobody is asked for a newer one. */
export async function versionFinding(address: string): Promise<DoctorFinding> {
  const newer = address === '' ? null : await newerVersion(address, OWN_VERSION)
  const finding = { name: 'version', verdict: 'good', text: OWN_VERSION } as const
  return newer === null ? finding : { ...finding, advice: sentence(newer) }
}

/** The notice of an open class. */
export interface UpdateNotice {
  /** Sentences for the educator's home: at most one. */
  sentences(): readonly string[]
  /** The address has changed. */
  changed(): void
  close(): void
}

interface Options {
  /** The setting of the class; '': off. */
  address(): string
  readonly clock: {
    now(): number
    /** Calls back at this time, ms since the epoch; returns a function that cancels it. */
    wake(at: number, call: () => void): () => void
  }
  onChange(): void
}

/** Asks once a day while the class is open. */
export function openUpdateNotice({ address, clock, onChange }: Options): UpdateNotice {
  let newer: string | null = null
  let cancel = (): void => undefined
  let asking = new AbortController()
  let isClosed = false
  async function look(): Promise<void> {
    const asked = asking
    const found = address() === '' ? null : await newerVersion(address(), OWN_VERSION, asked.signal)
    // Closed, or another address meanwhile.
    if (asked.signal.aborted) return
    const isOther = found !== newer
    newer = found
    if (isOther) onChange()
    if (address() !== '') cancel = clock.wake(clock.now() + DAY, () => void look())
  }
  function begin(): void {
    cancel()
    asking.abort()
    asking = new AbortController()
    if (!isClosed) void look()
  }
  begin()
  return {
    sentences: () => (newer === null ? [] : [sentence(newer)]),
    changed() {
      newer = null
      begin()
    },
    close() {
      isClosed = true
      cancel()
      asking.abort()
    },
  }
}
