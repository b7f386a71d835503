import * as z from 'zod'
import { complaintSentence, parsePlainly } from '../../../contract/complaints.ts'
import type { Json } from '../../../contract/json.ts'
import type { Share } from '../../../referees/haggle/rules.ts'
import type { Session } from './sessions.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { readBytes } from '../../files/read-file.ts'
import { writeOutFile, type OutFile } from '../../files/output-file.ts'

const seat = z.literal([0, 1])
const numbers = z.array(z.number())

/** The original's entries by their first element. The fields are in the order in which the original wrote them. */
const entry = z.union([
  z.tuple([z.literal('seed'), z.number()]),
  z.tuple([z.literal('init'), z.tuple([z.string(), z.string()]), numbers, z.number()]),
  /** An argument of log(). */
  z.tuple([z.literal('info'), seat, z.json()]),
  /** Both shares by seat; absent, or null in logs of the arena: accepted. */
  z.tuple([z.literal('offer'), seat]),
  z.tuple([z.literal('offer'), seat, z.tuple([numbers, numbers]).nullable()]),
  /** Seat null: neither side caused it. */
  z.tuple([z.literal('abort'), seat.nullable(), z.json()]),
  z.tuple([z.literal('valuation'), seat, numbers]),
  z.tuple([z.literal('score'), seat, z.number()]),
  z.tuple([z.literal('done'), z.boolean()]),
])
type LogEntry = z.infer<typeof entry> | readonly ['info', 0 | 1, Json]

/** A session in the format of the original's --log: the events in order. */
export type SessionLog = readonly LogEntry[]

/**
 * Reads the text of a log. Nothing is changed or left out, so that `logText` reproduces what the original wrote byte
 * for byte. A string says why the text is not a log and names the entry, from 1.
 */
export function readSessionLog(text: string): { readonly log: SessionLog } | string {
  let entries: unknown
  try {
    entries = JSON.parse(text)
  } catch {
    return 'It is not JSON.'
  }
  if (!Array.isArray(entries)) return 'It is not a list of entries.'
  for (const [at, each] of entries.entries()) {
    const parsed = parsePlainly(entry, each)
    if (!parsed.ok) return `Entry ${at + 1} is not an entry of a session log: ${complaintSentence(parsed.complaint)}`
    const shares: unknown = parsed.value[0] === 'offer' ? parsed.value[2] : null
    if (at > 0 && parsed.value[0] === 'seed') return `Entry ${at + 1} gives a seed in the middle of a session.`
    if (shares !== null && shares !== undefined && !entries.slice(0, at).some(isStart))
      return `Entry ${at + 1} is an offer before the session has begun.`
  }
  // Checked above and returned unchanged: a copy would sort the keys of logged values.
  return { log: entries as SessionLog }
}

const isStart = (each: unknown): boolean => Array.isArray(each) && each[0] === 'init'

/** The text of a log: JSON indented by four spaces, and a newline. */
export function logText(log: SessionLog): string {
  return `${JSON.stringify(log, null, 4)}\n`
}

/** Converts a session between two scripts to what the original would have logged. */
export function logOf(session: Session): SessionLog {
  const { seed, counts, values, max_rounds, offers, outcome, score, aborted_by, reason } = session
  const log: LogEntry[] = [
    ['seed', seed],
    ['init', ['script', 'script'], [...counts], max_rounds],
  ]
  const infos = (turn: number): void => {
    for (const { seat: by, turn: when, note } of session.printed) {
      if (when === turn && note !== undefined) log.push(['info', by === 0 ? 0 : 1, note])
    }
  }
  for (const [turn, demand] of offers.entries()) {
    const mover = turn % 2 === 0 ? 0 : 1
    infos(turn)
    log.push(demand === null ? ['offer', mover] : ['offer', mover, sharesOf(demand, mover, counts)])
  }
  infos(offers.length)
  if (outcome === 'abort') return [...log, ['abort', aborted_by === 0 ? 0 : 1, reason]]
  for (const each of [0, 1] as const) log.push(['valuation', each, [...values[each]]], ['score', each, score[each]])
  return [...log, ['done', outcome === 'agreed']]
}

function sharesOf(demand: Share, mover: 0 | 1, counts: Share): [number[], number[]] {
  const rest = counts.map((count, type) => count - demand[type]!)
  return mover === 0 ? [[...demand], rest] : [rest, [...demand]]
}

/** Logs are much smaller than this. */
const LOG_BYTES_MAX = 64 * 1024 * 1024

/** Reads a logged session. Throws ExpectedError 'usage' that names the file. */
export async function readLogFile(file: string): Promise<SessionLog> {
  const bytes = await readBytes(file, LOG_BYTES_MAX)
  const read = readSessionLog(bytes.toString('utf8').replace(/^\uFEFF/, ''))
  if (typeof read === 'string')
    throw new ExpectedError('usage', 'file-invalid', `${file} is not a session log. ${read}`)
  return read.log
}

/** Writes a session in the format of the original's --log. Throws like `writeOutFile`. */
export function writeLogFile(file: OutFile, log: SessionLog): void {
  writeOutFile(file, logText(log))
}
