import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FinishedMatch } from '../../contract/contests/finished-match.ts'
import type { MatchNumber, Sha256 } from '../../contract/ids.ts'
import { canonicalText } from '../../histories/canonical.ts'
import type { AgentCode, ContestSetup, MatchJob, WorkerReport } from '../../worker/protocol.ts'
import type { Checkers } from './checkers.ts'
import type { RunResult } from './messages.ts'
import type { Places } from './places.ts'
import type { WorkerRecords } from './worker-records.ts'
import { sentence } from '../../contract/sentence.ts'

/** A run that was ordered and has not come back. */
export interface Ordered {
  readonly job: MatchJob
  /** The number of orders for it so far. */
  orders: number
  /** Its results that are being judged. */
  judging: number
  /** The workers that have answered which of the orders: a copy of a result does not count again. */
  readonly answers: Set<string>
  /** The results that wait for others to confirm them, by different workers. */
  readonly votes: Vote[]
  /** When the first of them came, in ms of the monotonic clock. */
  votedAt: number
  /** How often it came back without a result that can be judged. */
  setbacks: number
  /** It is being played on this machine. */
  isHere: boolean
}

export const newOrdered = (job: MatchJob): Ordered => ({
  ...{ job, orders: 0, judging: 0, answers: new Set<string>(), votes: [], votedAt: 0, setbacks: 0, isHere: false },
})

interface Vote {
  readonly worker: string
  /** Equal for equal results. */
  readonly digest: string
  readonly reports: readonly WorkerReport[]
}

/** The results that count only after they were confirmed, and the workers that confirm them. */
export interface RecheckRules {
  /** The seeded sample; no worker knows it. */
  isSampled(match: MatchNumber): boolean
  /** Workers that must come to the same; null: this machine plays the match itself. */
  readonly quorum: number | null
}

/**
 * Judges the results that workers send. Nothing that a worker says against a player or a match counts before it was seen
 * elsewhere.
 */
export interface Judge {
  readonly setup: ContestSetup
  /** The agents of the contest, for matches that are played on this machine. */
  readonly codes: ReadonlyMap<Sha256, AgentCode>
  readonly rules: RecheckRules
  /** True if equal seeds and equal agents give equal matches, so that a different result is a false one. */
  readonly repeatable: boolean
  readonly records: WorkerRecords
  readonly checkers: Checkers
  /** Match workers of this machine. */
  readonly places: Places
  /** Workers that have sent a false result: each of their matches is played again. */
  readonly suspects: Set<string>
  /** True while a run has not come back. */
  isOpen(one: Ordered): boolean
  /** Orders a run again. `isNext`: before the others. */
  order(one: Ordered, isNext: boolean): Promise<void>
  /** The first delivery for a run counts. */
  deliver(one: Ordered, reports: readonly WorkerReport[]): void
  /** A history does not verify. */
  onBad(one: Ordered, worker: string, why: string): void
}

/** How often a run is ordered again when it comes back without a result; then this machine plays it. */
const SETBACKS_MAX = 2
/** ms before it is ordered again, for the first time: a worker that lies is faster than one that plays. */
const AGAIN_MS = 50

/** Judges a result and delivers what follows from it, now or when others have confirmed it. */
export async function judgeResult(judge: Judge, one: Ordered, { worker, lines }: RunResult): Promise<void> {
  const { records } = judge
  if (lines === null) {
    records.interrupted(worker)
    return again(judge, one)
  }
  const checked = await judge.checkers.check(one.job, lines)
  // Another result was first.
  if (!judge.isOpen(one)) return
  if (checked.type === 'bad') {
    records.refused(worker)
    judge.onBad(one, worker, checked.message)
    return again(judge, one)
  }
  if (checked.type === 'void') {
    records.voided(worker)
    return playHere(judge, one)
  }
  const { finished } = checked
  records.played(worker, finished, one.job.fresh)
  const reports = reportsOf(one, lines, finished)
  if (!isDoubtful(judge, one, worker, finished)) {
    judge.deliver(one, reports)
    return
  }
  // It was to leave this to others.
  if (one.votes.some((vote) => vote.worker === worker)) return again(judge, one)
  if (one.votes.length === 0) one.votedAt = performance.now()
  one.votes.push({ worker, digest: digestOf(finished), reports })
  await confirm(judge, one)
}

const reportsOf = (one: Ordered, lines: string, finished: FinishedMatch): readonly WorkerReport[] => [
  { type: 'lines', run: one.job.run, text: lines },
  { type: 'finished', ...finished },
]

/** True for a result that must be confirmed. Runs for the comparison of a sample are not recorded. */
function isDoubtful({ rules, suspects }: Judge, one: Ordered, worker: string, finished: FinishedMatch): boolean {
  const { job, votes } = one
  if (job.fresh) return false
  const isAgainstPlayer = finished.faults.some((faults) => faults > 0) || finished.outcome.places.some((p) => p.removed)
  return isAgainstPlayer || votes.length > 0 || suspects.has(worker) || rules.isSampled(job.match)
}

/** Equal for equal results: outcome, final state and number of faults. */
function digestOf({ outcome, state, faults }: FinishedMatch): string {
  return hash('sha256', canonicalText({ outcome, state, faults }))
}

async function confirm(judge: Judge, one: Ordered): Promise<void> {
  const { quorum } = judge.rules
  const [first] = one.votes
  const isAgreed = one.votes.every(({ digest }) => digest === first!.digest)
  if (quorum === null || !isAgreed) return playHere(judge, one)
  if (one.votes.length >= quorum) settle(judge, one, first!.digest, first!.reports)
  else await judge.order(one, true)
}

/** Orders a run again later; after some times, plays it here. */
async function again(judge: Judge, one: Ordered): Promise<void> {
  if (one.setbacks++ >= SETBACKS_MAX) return playHere(judge, one)
  await sleep(AGAIN_MS * 2 ** one.setbacks)
  if (judge.isOpen(one)) await judge.order(one, one.votes.length > 0)
}

/** Plays a run on this machine, whose result counts. */
export async function playHere(judge: Judge, one: Ordered): Promise<void> {
  if (one.isHere) return
  one.isHere = true
  const { setup, codes, places, checkers } = judge
  const { run } = one.job
  const played = await places.play({ id: setup.contest, setup: { ...setup, lanes: 1 }, codes }, one.job)
  if (!judge.isOpen(one)) return
  const { lines, reason = 'it was interrupted', seat } = played
  if (lines === null) {
    judge.deliver(one, [{ type: 'interrupted', run, reason, ...(seat === undefined ? {} : { seat }) }])
    return
  }
  const checked = await checkers.check(one.job, lines)
  if (checked.type === 'bad')
    judge.deliver(one, [
      { type: 'interrupted', run, reason: sentence(`Its history does not verify: ${checked.message}`) },
    ])
  else if (checked.type === 'void')
    judge.deliver(one, [
      { type: 'lines', run, text: lines },
      { type: 'void', run, head: checked.head, reason: checked.reason },
    ])
  else settle(judge, one, digestOf(checked.finished), reportsOf(one, lines, checked.finished))
}

/** Delivers the result with this digest, as the first worker has sent it that came to it, or as `reports` say. */
function settle(judge: Judge, one: Ordered, digest: string, reports: readonly WorkerReport[]): void {
  if (!judge.isOpen(one)) return
  for (const { worker, digest: voted } of one.votes) {
    const isSame = voted === digest
    judge.records.rechecked(worker, isSame)
    if (!isSame && judge.repeatable) judge.suspects.add(worker)
  }
  judge.deliver(one, one.votes.find((vote) => vote.digest === digest)?.reports ?? reports)
}
