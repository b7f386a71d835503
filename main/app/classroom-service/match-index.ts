import type { HeaderBody, HistoryBody, OutcomeBody } from '../../contract/history.ts'
import type { Sha256 } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import { Trouble } from '../../contract/trouble.ts'
import { glanceAtLine } from '../../histories/glance.ts'
import { readLine } from '../../histories/line.ts'
import { createColumn, type Column } from './column.ts'
import { isEvent, markOf, type EventKind, type MatchPlace } from '../../histories/place.ts'
import { eachLine, readWholeLines } from '../../histories/read-lines.ts'
import { troubleOf } from '../../histories/trouble.ts'

const eventKinds: readonly EventKind[] = ['input', 'fault', 'console']

/** Where each line of a match that viewers read lies. In numbers, since there may be hundreds of thousands. */
export interface MatchIndex {
  readonly header: HeaderBody
  readonly outcome: OutcomeBody
  readonly config: Json
  readonly events: number
  /** By place among the match's events: its kind, its stretch, its offset and length there. */
  kind(event: number): EventKind
  readonly stretch: Column
  readonly start: Column
  readonly length: Column
  /** The public key in the file's proof; null where there is no proof. */
  readonly key: string | null
}

/**
 * Reads a match once, in pieces of about a megabyte between which others get their turn. Lines that viewers do not read are
 * only told apart. Throws Trouble 'verdict' with the line where it is no whole match, and HostTrouble.
 */
export async function indexMatch(place: MatchPlace, name: string): Promise<MatchIndex> {
  const found: { header?: HeaderBody; outcome?: OutcomeBody; key: string | null } = { key: null }
  const blobs = new Map<Sha256, Json>()
  const kinds = createColumn('small')
  const [stretch, start, length] = [createColumn('whole'), createColumn('number'), createColumn('whole')]
  const mark = markOf(place)

  const take = (body: HistoryBody): void => {
    if (body.k === 'header') found.header = body
    else if (body.k === 'outcome') found.outcome = body
    else if (body.k === 'blob') blobs.set(body.sha256, body.value)
    else if (body.k === 'proof') found.key = body.key
  }

  for (const [number, { path, from, to }] of place.stretches.entries()) {
    let line = 0
    const strictly = (bytes: Buffer): void => {
      const read = readLine(bytes)
      if (!read.ok) throw unreadable(name, line, read.message)
      take(read.body)
    }
    const visit = (bytes: Buffer, offset: number): undefined => {
      line++
      if (mark !== null && !bytes.includes(mark)) return
      const { k, r } = glanceAtLine(bytes) ?? fail(unreadable(name, line, 'the line is no history record'))
      if (place.run !== null && r !== place.run) return
      if (isEvent(k)) {
        kinds.push(eventKinds.indexOf(k))
        stretch.push(number)
        start.push(offset)
        length.push(bytes.length)
      } else if (k !== 'checkpoint' && k !== 'redacted') strictly(bytes)
    }
    try {
      // Values that a header names stand at the beginning of its segment.
      if (number === 0 && from > 0) {
        await readWholeLines(path, (batch) => eachLine(batch, (bytes) => takeValue(bytes, strictly)))
        line = 0
      }
      const each = (batch: Buffer, at: number): undefined => {
        eachLine(batch, (bytes, inBatch) => visit(bytes, at + inBatch))
      }
      await readWholeLines(path, each, from, to)
    } catch (error) {
      throw error instanceof Trouble ? error : troubleOf(error, 'read', path)
    }
  }
  const { header, outcome, key } = found
  if (header === undefined || outcome === undefined) {
    throw new Trouble('verdict', `${name} holds no whole match: its ${header ? 'outcome' : 'header'} is missing.`)
  }
  const config = blobs.get(header.config)
  if (config === undefined) throw new Trouble('verdict', `${name} lacks the settings that its match was played with.`)
  const kind = (event: number): EventKind => eventKinds[kinds.at(event)]!
  return { header, outcome, config, events: start.length, kind, stretch, start, length, key }
}

/** Takes the lines up to the first that is of a run; false there. */
function takeValue(bytes: Buffer, take: (bytes: Buffer) => void): boolean {
  const peeked = glanceAtLine(bytes)
  if (peeked?.k === 'blob') take(bytes)
  return peeked?.k === 'blob' || peeked?.k === 'segment'
}

function unreadable(name: string, line: number, message: string): Trouble {
  return new Trouble('verdict', `${name}, line ${line}: ${message}.`)
}

function fail(error: Error): never {
  throw error
}
