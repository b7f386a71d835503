import type { TimeBank } from '../contract/player.ts'

/** The clock of a question that its seat's bank adds to. */
export interface BankedClock {
  /** The agent's own time beyond the limit so far, in ms. */
  overMs(): number
  /** The bank has paid for another question of the seat: there may be less for this one. */
  drawn(): void
}

/** A question's share in the bank of its seat, while its clock runs. */
interface Share {
  readonly clock: BankedClock
  /** What the bank has paid of the time beyond the limit. */
  paidMs: number
  /** What is to be paid now. */
  dueMs: number
}

/** The questions of each seat whose clocks run. */
const running = new WeakMap<TimeBank, Set<Share>>()

/** What a bank does for one question. */
export interface BankAccount {
  /** What it adds to the question's limit: what it has paid and what it still holds. */
  allowedMs(): number
  /** Pays for the time beyond the limits until now. */
  pay(): void
  /** The question's clock has stopped. */
  close(): void
}

/**
 * Opens the bank of a seat for a question. A bank is one clock for its seat: it runs while any of the seat's questions is beyond
 * its limit, and not faster where several are. So bodies that share a process do not pay for each other's time once more, and
 * no two of them are paid from the same time.
 */
export function openAccount(bank: TimeBank, clock: BankedClock): BankAccount {
  const share: Share = { clock, paidMs: 0, dueMs: 0 }
  const shares = running.get(bank) ?? new Set()
  running.set(bank, shares.add(share))
  return {
    allowedMs: () => share.paidMs + bank.leftMs,
    pay() {
      if (!payAll(bank, shares)) return
      for (const other of shares) if (other !== share) other.clock.drawn()
    },
    close: () => void shares.delete(share),
  }
}

/** Pays what is due since the last time; whether anything was. */
function payAll(bank: TimeBank, shares: ReadonlySet<Share>): boolean {
  let dueMs = 0
  for (const share of shares) {
    share.dueMs = Math.max(0, share.clock.overMs() - share.paidMs)
    dueMs = Math.max(dueMs, share.dueMs)
  }
  // Every due time ends now: the longest contains the others. What the bank cannot pay is its end.
  const unpaidMs = Math.max(0, dueMs - bank.leftMs)
  bank.leftMs -= dueMs - unpaidMs
  for (const share of shares) share.paidMs += Math.max(0, share.dueMs - unpaidMs)
  return dueMs > unpaidMs
}
