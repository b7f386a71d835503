import type { TimeBank } from '../contract/players/player.ts'

/** The clock of a question whose limit the bank extends. */
export interface BankedClock {
  /** The agent's own time beyond the limit so far, in ms. */
  overMs(): number
  /** The bank has paid for the seat's questions: what it allows this one may be less. */
  bankChanged(): void
}

/** A question's share in the bank of its seat, while its clock runs. */
interface Share {
  readonly clock: BankedClock
  /** What the bank has paid of the time beyond the limit. */
  paidMs: number
  /** What is to be paid now. */
  dueMs: number
}

/** The shares of the questions whose clocks run, by the bank of their seat. */
const running = new WeakMap<TimeBank, Set<Share>>()

/** The bank of a seat, as one question uses it. */
export interface BankAccount {
  /** What it adds to the question's limit, in ms: what it has paid for it and what it still holds. */
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
export function openAccount(bank: TimeBank, clock: BankedClock): BankAccount {
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
  // Each due time ends now, so the longest contains the others. What the bank cannot pay is the last part of it.
  const unpaidMs = Math.max(0, dueMs - bank.leftMs)
  bank.leftMs -= dueMs - unpaidMs
  for (const share of shares) share.paidMs += Math.max(0, share.dueMs - unpaidMs)
  return dueMs > unpaidMs
}
