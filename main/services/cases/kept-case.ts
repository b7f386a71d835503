import { existsSync, readdirSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../administrator/classroom/private-files.ts'
import { ENTRIES_MAX, type CaseAct, type SignedCaseEntry } from '../../contract/cases/case-record.ts'
import { caseId, nonce, pseudonym, type CaseId, type Pseudonym } from '../../contract/cases/cases.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { personId, type PersonId } from '../../contract/people/people.ts'
import { caseLine, readCaseLine, signCaseEntry } from '../../histories/case-lines.ts'
import { appendDurably, cutDurably, makeFolder, writeFileDurably } from '../../histories/durable.ts'
import type { SigningKey } from '../../histories/keys.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import type { CaseState } from './case-state.ts'
import { afterEntry, foldLines } from './fold.ts'
import { applyEntry, isUnlimited } from './stages.ts'
import { linesIn } from './verify-case.ts'

/** The part of a case that stays out of the record: the people behind the pseudonyms, and the seeds of the lots until they are drawn. */
const secrets = z.strictObject({
  /** null: the person at this machine. */
  people: z.record(pseudonym, personId.nullable()),
  seeds: z.tuple([nonce, nonce]),
})
export type CaseSecrets = z.infer<typeof secrets>

/** A case of a class: `cases/ID/record.jsonl`, to which lines are only added, and `secrets.json`. */
export interface KeptCase {
  readonly id: CaseId
  readonly path: string
  readonly secrets: CaseSecrets
  readonly entries: SignedCaseEntry[]
  state: CaseState
  /** The length of the record up to the last entry that is on disk, in bytes. */
  length: number
  /** A sentence about what is wrong with the record, or with the disk; null: nothing is. Without it the case goes on. */
  damage: string | null
  /** The reading of `CaseMoment.steady` at the last entry; null: this process has written none. */
  entered: number | null
}

/** A moment in a case. */
export interface CaseMoment {
  /** By the record, in ms since the epoch. */
  readonly time: number
  /** ms of a clock that nobody sets. */
  readonly steady: number
}

/** The parts of a record. */
export interface CaseRecord extends Pick<KeptCase, 'id' | 'state'> {
  readonly entries: readonly SignedCaseEntry[]
}

/**
 * Lengths in bytes: of a record at which the panel asks no more, of what a side says and shows unasked in one stage, and of what one person
 * writes in it. Half of what the window opens as a file (`OPENED_BYTES_MAX`) is left for the sides, votes, rulings and appeals.
 */
const RECORD_LENGTH_MAX = 4 * 1024 * 1024
const SIDE_LENGTH_MAX = 256 * 1024
const PERSON_LENGTH_MAX = 128 * 1024

/** The path of the record of a case. */
export const recordOf = (data: string, id: CaseId): string => join(data, 'cases', id, 'record.jsonl')

/** The names of the cases in a data folder, the first one first. */
export function caseIdsIn(data: string): readonly CaseId[] {
  const folder = join(data, 'cases')
  if (!existsSync(folder)) return []
  const ids = readdirSync(folder).filter((name) => caseId.safeParse(name).success)
  return ids.filter((id) => existsSync(recordOf(data, id))).sort((a, b) => numberOf(a) - numberOf(b))
}

/** The number of a case in its class. */
export const numberOf = (id: CaseId): number => Number(id.slice('case-'.length))

/**
 * Reads the record of a case. A torn last line, which nobody has got an answer for, is cut off, unless `isReadOnly`. null: nobody was told
 * that it was filed. A text: the reason why it cannot be read from its first line on, as a sentence.
 */
export function openCase(data: string, id: CaseId, key: SigningKey, isReadOnly: boolean): KeptCase | string | null {
  const path = recordOf(data, id)
  try {
    const bytes = readFileSync(path)
    const length = bytes.lastIndexOf(0x0a) + 1
    if (length < bytes.length && !isReadOnly) truncateSync(path, length)
    if (length === 0) return null
    const lines = linesIn(bytes.subarray(0, length))
    const folded = foldLines(lines, key.publicKey)
    const whole = folded.ok ? folded : foldLines(lines.slice(0, folded.line - 1), key.publicKey)
    if (!whole.ok) return `${path}:${whole.line}: the record does not hold: ${whole.message}.`
    const found = readSecrets(join(path, '..', 'secrets.json'))
    const lost = found === null ? `${path}: secrets.json beside it is missing or damaged.` : null
    const damage = folded.ok ? lost : `${path}:${folded.line}: the record does not hold: ${folded.message}.`
    const hidden = found ?? { people: {}, seeds: ['', ''] }
    const { entries, state } = whole
    return { id, path, secrets: hidden, entries: [...entries], state, length, damage, entered: null }
  } catch (error) {
    return machineErrorFrom(error, 'open the case', path).message
  }
}

function readSecrets(path: string): CaseSecrets | null {
  try {
    return secrets.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}

/** The next entry of a record, signed and on disk. A text: why the rules refuse it, as a clause. Throws MachineError. */
export function addEntry(
  kept: KeptCase,
  key: SigningKey,
  { time, steady }: CaseMoment,
  by: Pseudonym | null,
  act: CaseAct,
): null | string {
  if (kept.damage !== null) throw new ExpectedError('host', 'case-damaged', kept.damage)
  const { entries, state } = kept
  if (by !== null && !isUnlimited(act)) checkRoom(kept, by, act)
  // Time does not go back.
  const entry = nextEntry(kept.id, entries, key, Math.max(Date.parse(state.at), time), by, act)
  const next = afterEntry(state, entry)
  if (typeof next === 'string') return next
  const line = caseLine(entry)
  try {
    appendDurably(kept.path, line, PRIVATE_FILE)
  } catch (error) {
    try {
      cutDurably(kept.path, kept.length)
    } catch {
      kept.damage = `A write to ${kept.path} failed and could not be undone: start the program again.`
    }
    throw machineErrorFrom(error, 'write', kept.path)
  }
  kept.length += Buffer.byteLength(line)
  entries.push(entry)
  kept.state = next
  kept.entered = Math.max(kept.entered ?? steady, steady)
  return null
}

/** Why the rules refuse an act of somebody at a time by the record, as a clause; null: they do not. */
export function refusalOf({ state, entries }: KeptCase, by: Pseudonym, time: number, act: CaseAct): null | string {
  const { b, h: previous } = entries.at(-1)!
  const at = new Date(Math.max(Date.parse(state.at), time)).toISOString()
  const next = applyEntry(state, { ...b, n: b.n + 1, at, by, previous, act })
  return typeof next === 'string' ? next : null
}

/**
 * Throws ExpectedError `limit-reached` if an act finds no room. The length of the record limits questions alone, so that no panel silences
 * the sides; a side has a part of its own, and small acts, which somebody makes once, have but the part of the person.
 */
function checkRoom({ id, entries, length, state }: KeptCase, by: Pseudonym, act: CaseAct): void {
  const full = (message: string): ExpectedError => new ExpectedError('usage', 'limit-reached', message)
  if (act.do === 'asked' && (entries.length >= ENTRIES_MAX || length >= RECORD_LENGTH_MAX))
    throw full(`The record of ${id} is full: nobody asks more in it, and the sides still speak.`)
  // Entries that somebody owes cost them nothing.
  const chosen = entries.slice(state.began).filter(({ b }) => !isUnlimited(b.act))
  const side = state.people.get(by)?.side ?? null
  const ofSide = chosen.filter(({ b }) => isOffered(b.act) && b.by !== null && state.people.get(b.by)?.side === side)
  if (side !== null && isOffered(act) && lengthOf(ofSide) >= SIDE_LENGTH_MAX)
    throw full(
      `Your side has written ${SIDE_LENGTH_MAX >> 10} KiB in this stage of ${id}: it still replies to questions, and can write on in the next one.`,
    )
  if (lengthOf(chosen.filter(({ b }) => b.by === by)) >= PERSON_LENGTH_MAX)
    throw full(
      `You have written ${PERSON_LENGTH_MAX >> 10} KiB in this stage of ${id}, and can write on in the next one.`,
    )
}

/** True for what a side says or shows without being asked. */
const isOffered = (act: CaseAct): boolean => act.do === 'exhibited' || act.do === 'replied'

const lengthOf = (entries: readonly SignedCaseEntry[]): number =>
  entries.reduce((sum, each) => sum + Buffer.byteLength(caseLine(each)), 0)

function nextEntry(
  id: CaseId,
  entries: readonly SignedCaseEntry[],
  key: SigningKey,
  time: number,
  by: Pseudonym | null,
  act: CaseAct,
): SignedCaseEntry {
  const last = entries.at(-1)
  const at = new Date(time).toISOString()
  const place = { k: 'case', case: id, n: entries.length + 1, class: key.fingerprint, previous: last?.h ?? '' } as const
  const entry = signCaseEntry({ ...place, at, by, act }, key)
  // Nothing is written that a reader would refuse.
  const fault = readCaseLine(caseLine(entry).trimEnd())
  if (typeof fault === 'string') throw new Error(`${id}: ${fault}`)
  return entry
}

/** Files a case: its secrets are on disk before its record is. A text: why the complaint is refused. Throws MachineError. */
export function beginRecord(
  data: string,
  id: CaseId,
  key: SigningKey,
  { time, steady }: CaseMoment,
  by: Pseudonym,
  act: CaseAct,
  hidden: CaseSecrets,
): KeptCase | string {
  const path = recordOf(data, id)
  const entry = nextEntry(id, [], key, time, by, act)
  const state = afterEntry(null, entry)
  if (typeof state === 'string') return state
  const line = caseLine(entry)
  // Records are only added to.
  if (existsSync(path) && statSync(path).size > 0)
    throw new ExpectedError('host', 'case-damaged', `The record of ${id} is there already: start the program again.`)
  try {
    makeFolder(join(path, '..'), PRIVATE_FOLDER)
    writeFileDurably(join(path, '..', 'secrets.json'), JSON.stringify(hidden), PRIVATE_FILE)
    writeFileDurably(path, line, PRIVATE_FILE)
  } catch (error) {
    throw machineErrorFrom(error, 'write', path)
  }
  const length = Buffer.byteLength(line)
  return { id, path, secrets: hidden, entries: [entry], state, length, damage: null, entered: steady }
}

/** The pseudonym of a person in a case; null: they were not of the class when it was filed. */
export function pseudonymOf({ secrets: { people } }: KeptCase, person: PersonId | null): Pseudonym | null {
  return Object.entries(people).find(([, each]) => each === person)?.[0] ?? null
}
