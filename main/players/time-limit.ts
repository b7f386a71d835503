import { PATIENCE } from '../contract/limits.ts'
import type { TimeBank } from '../contract/players/player.ts'

/** The work of a process and all below it since they were given something to do. In ms, over all threads. */
export interface Effort {
  /** On a core. */
  readonly runMs: number
  /** Ready to run, while others had the cores. */
  readonly waitMs: number
  /** `runMs` covers only the last `seenMs` ms; absent: all the time. */
  readonly seenMs?: number
  /** It may be waiting for a core right now; `waitMs` does not include that wait until it is over. */
  readonly waitsNow?: boolean
}

/** Reads the work since the meter was started; null: the system does not say. */
export type Meter = () => Effort | null

/** The cause of a passed limit, or the ms after which to judge again because it has not passed yet. */
export type LimitVerdict = { readonly kind: 'timeout' | 'stall' | 'host' } | { readonly moreMs: number }

/** An agent that was on a core for less than this share of its own time was not at work. */
const stallShare = 0.01
/** Waiting for less than this share of a limit is not looked into. */
const delayShare = 0.01
const shortestMs = 5
/**
 * Added to the limit of an agent that had to wait, in ms: the kernel's figures are some ms old, and neither the way of a question to
 * it nor that of its answer back are in them.
 */
const MARGIN_MS = 20
/** The kernel notes what a running thread has done at least so often. */
export const NOTICED_MS = 12

/**
 * Judges a limit that has passed on the wall clock. Time spent waiting for a core is not the agent's own: it gets that much
 * more, and `MARGIN_MS`, because waits are not known exactly. But its own time is never less than its computing time, all of its threads and processes together, so that none
 * of them can wait for another free of charge. It is not judged while it waits: the length of a wait is known when it
 * runs again. If it has to wait for `PATIENCE` times the limit, it cannot be judged on this machine now: `host`.
 * `effort` null: the system does not say, and the wall clock alone decides.
 */
export function judge(limitMs: number, tookMs: number, effort: Effort | null): LimitVerdict {
  if (effort === null) return { kind: 'timeout' }
  const { runMs, waitMs, seenMs = tookMs, waitsNow = false } = effort
  const delayMs = Math.min(waitMs, tookMs)
  const dueMs = limitMs + MARGIN_MS - ownTime(tookMs, effort)
  const isOver = dueMs <= 0 || runMs >= limitMs + MARGIN_MS || delayMs < limitMs * delayShare
  if (isOver && (!waitsNow || runMs >= limitMs)) {
    // An agent that was looked at for a moment only may have been at work before.
    return { kind: runMs < (tookMs - delayMs) * stallShare && seenMs >= tookMs / 2 ? 'stall' : 'timeout' }
  }
  const leftMs = limitMs * PATIENCE - tookMs
  return leftMs <= 0
    ? { kind: 'host' }
    : { moreMs: Math.max(shortestMs, Math.min(isOver ? NOTICED_MS : dueMs, leftMs)) }
}

/** How a limit came to its end. */
export interface Overtime {
  readonly kind: 'timeout' | 'stall' | 'host'
  readonly tookMs: number
}

/** The word for the one who is asked, in texts about limits. */
export type Called = 'agent' | 'player'

/** The limit of a question, or of loading. Times in ms. */
export interface RunningLimit {
  readonly limitMs: number
  /** Starts to count what the agent does. */
  readonly meter: () => Meter
  /** Calls back when everything that has arrived has been read. Absent: after one turn of the event loop. */
  readonly settle?: ((then: () => void) => void) | undefined
  /** Called once, when the limit is over by `judge`, with all that the bank adds to it. */
  readonly late: (over: Overtime) => void
  /** The bank that is drawn on when the limit is over. Absent: none. */
  readonly bank?: TimeBank | undefined
  /** Called for each strike, which gives the limit once more; `text`: what the agent is told. */
  readonly strike?: (over: Overtime, text: string) => void
  /** As in `overtimeText`. */
  readonly called?: Called | undefined
}

/**
 * Starts a limit's clock. Before it calls `late`, everything that has arrived has been read: a slow turn of ours costs nobody a
 * move. Returns a function that stops it and takes from the bank the time that was used beyond the limit.
 */
export function startLimit(limit: RunningLimit): () => void {
  const clock = new LimitClock(limit)
  return () => clock.stop()
}

class LimitClock implements BankedClock {
  readonly #limit: RunningLimit
  readonly #startedAt = performance.now()
  readonly #effort: Meter
  readonly #account: BankAccount | null
  #timer: NodeJS.Timeout | undefined
  #stopped = false
  /** Strikes for this question. */
  #strikes = 0

  constructor(limit: RunningLimit) {
    this.#limit = limit
    this.#effort = limit.meter()
    this.#account = limit.bank === undefined ? null : openAccount(limit.bank, this)
    this.#alarm(this.#allowedMs())
  }

  stop(): void {
    clearTimeout(this.#timer)
    if (this.#stopped) return
    this.#stopped = true
    if (this.#account === null) return
    if (this.#tookMs() > this.#limit.limitMs) this.#account.pay()
    this.#account.close()
  }

  overMs(): number {
    const { limitMs } = this.#limit
    const tookMs = this.#tookMs()
    return tookMs <= limitMs ? 0 : Math.max(0, ownTime(tookMs, this.#effort()) - limitMs)
  }

  bankChanged(): void {
    this.#alarm(this.#allowedMs() - this.#tookMs())
  }

  #tookMs(): number {
    return performance.now() - this.#startedAt
  }

  #allowedMs(): number {
    return this.#limit.limitMs * (1 + this.#strikes) + (this.#account?.allowedMs() ?? 0)
  }

  #alarm(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      // Everything that has arrived by now is read before the verdict. While this process waits for a core, the agent's time stands still.
      const tookMs = this.#tookMs()
      const { settle = setImmediate } = this.#limit
      settle(() => this.#check(tookMs))
    }, ms)
  }

  #check(tookMs: number): void {
    if (this.#stopped) return
    this.#account?.pay()
    const { bank } = this.#limit
    const verdict = judge(this.#allowedMs(), tookMs, this.#effort())
    if ('moreMs' in verdict) return this.#alarm(verdict.moreMs)
    const { kind } = verdict
    if (bank !== undefined) bank.leftMs = 0
    if (kind === 'host' || bank === undefined || bank.struck >= bank.strikes) this.#late({ kind, tookMs })
    else this.#strike(bank, { kind, tookMs })
  }

  #late(over: Overtime): void {
    this.#stopped = true
    this.#account?.close()
    this.#limit.late(over)
  }

  #strike(bank: TimeBank, over: Overtime & { readonly kind: 'timeout' | 'stall' }): void {
    const { limitMs, called, strike } = this.#limit
    this.#strikes += 1
    bank.struck += 1
    const text = `${lateText(over.kind, limitMs, 'gave no answer', called)}: strike ${bank.struck} of ${bank.strikes}.`
    strike?.(over, text)
    this.#alarm(limitMs)
  }
}

/** The agent's own part of the time that an answer took: without its waits for a core, unless it computed meanwhile. */
function ownTime(tookMs: number, effort: Effort | null): number {
  if (effort === null) return tookMs
  return Math.max(tookMs - Math.min(effort.waitMs, tookMs), Math.min(effort.runMs, tookMs))
}

/** Sentences on the likely causes of a passed limit, by its kind. */
export type LikelyCauses = Readonly<Partial<Record<'timeout' | 'stall', string>>>

/** Additions to a text about a passed limit. */
export interface OvertimeWords {
  readonly bank?: TimeBank | undefined
  readonly called?: Called | undefined
  readonly cause?: LikelyCauses | null | undefined
}

/** In words: what an agent that `what` (as in "gave no answer") is told. */
export function overtimeText(
  { kind }: Overtime,
  limitMs: number,
  what: string,
  { bank, called = 'agent', cause = null }: OvertimeWords = {},
): string {
  if (kind !== 'host') {
    const late = `${lateText(kind, limitMs, what, called)}${bank === undefined ? '' : spentText(bank)}.`
    return cause?.[kind] === undefined ? late : `${late} ${cause[kind]}`
  }
  return `This machine was too busy: the ${called} ${what} within ${limitMs} ms, and had to wait for a processor.`
}

function lateText(kind: 'timeout' | 'stall', limitMs: number, what: string, called: Called = 'agent'): string {
  return `The ${called} ${kind === 'stall' ? 'used no computing time and ' : ''}${what} within ${limitMs} ms`
}

function spentText({ bankMs, strikes }: TimeBank): string {
  const parts = [
    ...(bankMs > 0 ? [`its time bank of ${bankMs} ms`] : []),
    ...(strikes > 0 ? [strikes === 1 ? 'its strike' : `its ${strikes} strikes`] : []),
  ]
  return `, having used up ${parts.join(' and ')}`
}

/** The clock of a question whose limit the bank extends. */
interface BankedClock {
  /** The agent's own time beyond the limit so far, in ms. */
  overMs(): number
  /** The bank has paid for the seat's questions: what it allows this one may be less. */
  bankChanged(): void
}

/** A question's share in the bank of its seat, while its clock runs. */
interface Share {
  readonly clock: BankedClock
  /** Time beyond the limit that the bank has paid. */
  paidMs: number
  /** Time to be paid now. */
  dueMs: number
}

/** The shares of the questions whose clocks run, by the bank of their seat. */
const running = new WeakMap<TimeBank, Set<Share>>()

/** The bank of a seat, as one question uses it. */
interface BankAccount {
  /** The addition to the question's limit, in ms: the time that the bank has paid for it and that it still holds. */
  allowedMs(): number
  /** Pays for the time that the seat's questions have been beyond their limits. */
  pay(): void
  /** The question's clock has stopped. */
  close(): void
}

/**
 * Opens the bank of a seat for a question. The bank is one clock: it runs while any of the seat's questions is beyond its limit,
 * and no faster while several are. So bodies that share a process are not charged for each other's time, and a match waits for a
 * seat no longer than its bank allows.
 */
function openAccount(bank: TimeBank, clock: BankedClock): BankAccount {
  const share: Share = { clock, paidMs: 0, dueMs: 0 }
  const shares = running.get(bank) ?? new Set()
  running.set(bank, shares.add(share))
  return {
    allowedMs: () => share.paidMs + bank.leftMs,
    pay() {
      if (!payAll(bank, shares)) return
      for (const other of shares) if (other !== share) other.clock.bankChanged()
    },
    close: () => void shares.delete(share),
  }
}

/** Pays what is due since the last call. Returns whether anything was paid. */
function payAll(bank: TimeBank, shares: ReadonlySet<Share>): boolean {
  let dueMs = 0
  for (const share of shares) {
    share.dueMs = Math.max(0, share.clock.overMs() - share.paidMs)
    dueMs = Math.max(dueMs, share.dueMs)
  }
  // Each due time ends now, so the longest contains the others. The bank cannot pay the last part of it.
  const unpaidMs = Math.max(0, dueMs - bank.leftMs)
  bank.leftMs -= dueMs - unpaidMs
  for (const share of shares) share.paidMs += Math.max(0, share.dueMs - unpaidMs)
  return dueMs > unpaidMs
}
