import type { HandInRecord } from '../../contract/people/hand-in.ts'
import type { StoredAgentVersion } from '../../contract/procedures/classroom.ts'

/** A version after a hand-in, and what became of it. */
export interface Recorded {
  readonly version: StoredAgentVersion
  /** True if the hand-in counts as a new one; only then does it use late days. */
  readonly isNew: boolean
  /** A sentence for the team; null: nothing unusual. */
  readonly note: string | null
}

const RANK = { 'on-time': 0, late: 1, kept: 2 } as const

/**
 * A version with the record of a hand-in. The same bytes may be handed in again; that never makes anything worse for the team. A record
 * is replaced only by one with a better time. A repeat that is on time makes the version the newest one; a late one changes nothing, and
 * neither does one that arrived before the hand-in that counts and was read after it. A version that was withdrawn or is paused stays so.
 * `fresh`: the version as if it were new, with the time of this hand-in. `known`: the version of the class with the same bytes.
 * `isPlaying`: `known` is an active version.
 */
export function withRecord(
  fresh: StoredAgentVersion,
  record: HandInRecord,
  known: StoredAgentVersion | undefined,
  isPlaying: boolean,
): Recorded {
  if (known === undefined) {
    const inactive = record.time === 'kept' ? 'kept' : 'candidate'
    return { version: { ...fresh, handIn: record, inactive }, isNew: true, note: null }
  }
  const old = known.handIn
  const isBetter = old !== undefined && RANK[record.time] < RANK[old.time]
  const isStopped = known.inactive === 'withdrawn' || known.inactive === 'paused'
  const isOlder = Date.parse(fresh.submitted) < Date.parse(known.submitted)
  if (isStopped || (!isBetter && (isOlder || record.time !== 'on-time')))
    return { version: { ...known, handIn: repeated(old, record) }, isNew: false, note: whyUnchanged(known, isOlder) }
  const handIn = isBetter ? { ...record, again: [...(old.again ?? []), old.receipt] } : repeated(old, record)
  return {
    version: { ...fresh, handIn, ...(isPlaying ? {} : { inactive: 'candidate' as const }) },
    isNew: isBetter,
    note: null,
  }
}

/** The record of a version whose bytes were handed in again, without another effect. */
function repeated(old: HandInRecord | undefined, { uses: _, ...record }: HandInRecord): HandInRecord {
  return old === undefined ? record : { ...old, again: [...(old.again ?? []), record.receipt] }
}

function whyUnchanged({ inactive, manifest: { name } }: StoredAgentVersion, isOlder: boolean): string {
  const same = `"${name}" has the very same bytes already.`
  if (inactive === 'withdrawn') return `${same} That version was withdrawn and stays withdrawn.`
  if (inactive === 'paused') return `${same} That version is paused by the educator and stays paused.`
  if (inactive === 'kept') return `${same} They were too late before, too.`
  if (isOlder) return `${same} The later hand-in counts, and this one changes nothing.`
  return `${same} The earlier hand-in counts, and this one changes nothing.`
}
