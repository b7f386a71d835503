import { open, type FileHandle } from 'node:fs/promises'
import { eventOf } from '../../contract/histories/match-events.ts'
import type { MatchEvent, Page } from '../../contract/procedures/procedures.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { readHistoryLine } from '../../histories/read-line.ts'
import type { MatchPlace } from '../../histories/segments/match-place.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import type { MatchIndex } from './match-index.ts'
import { sentence } from '../../contract/sentence.ts'

/** The maximum number of bytes of history in one page; its first event may exceed it. */
const PAGE_BYTES = 1024 * 1024
/** Gaps between two events up to this size are read and not skipped. Bytes. */
const GAP_BYTES = 32 * 1024

/**
 * A page of a match's events. `total`: the number of events found so far. `chosen`: the indices of the events to page
 * through; null: all. Throws ExpectedError 'verdict' if a line is not an event, and MachineError.
 */
export async function eventPage(
  place: MatchPlace,
  index: MatchIndex,
  chosen: readonly number[] | null,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<Page<MatchEvent>> {
  if (chosen === null) await index.reach(offset + limit)
  const total = chosen?.length ?? index.events
  const wanted: number[] = []
  let bytes = 0
  for (let each = offset; each < Math.min(offset + limit, total); each++) {
    const at = chosen?.[each] ?? each
    bytes += index.length.at(at)
    if (wanted.length > 0 && bytes > PAGE_BYTES) break
    wanted.push(at)
  }
  const lines = await readEvents(place, index, wanted)
  return { items: lines.map(toEvent), offset, total }
}

/** The lines of some events, in order; events that lie close together are read at once. */
async function readEvents(place: MatchPlace, index: MatchIndex, wanted: readonly number[]): Promise<readonly Buffer[]> {
  const lines: Buffer[] = []
  for (let first = 0; first < wanted.length;) {
    const number = index.stretch.at(wanted[first]!)
    const from = index.start.at(wanted[first]!)
    let to = from
    let next = first
    for (; next < wanted.length; next++) {
      const at = wanted[next]!
      const start = index.start.at(at)
      if (index.stretch.at(at) !== number || start - to > GAP_BYTES || start - from > PAGE_BYTES) break
      to = start + index.length.at(at)
    }
    const block = await readBytes(place.stretches[number]!.path, from, to - from)
    for (const at of wanted.slice(first, next)) {
      const start = index.start.at(at) - from
      lines.push(block.subarray(start, start + index.length.at(at)))
    }
    first = next
  }
  return lines
}

async function readBytes(path: string, from: number, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size)
  let file: FileHandle | undefined
  try {
    file = await open(path, 'r')
    for (let done = 0; done < size;) {
      const { bytesRead } = await file.read(bytes, done, size - done, from + done)
      if (bytesRead === 0)
        throw new ExpectedError('host', 'file-changed', `${path} has become shorter since it was opened.`)
      done += bytesRead
    }
    return bytes
  } catch (error) {
    throw error instanceof ExpectedError ? error : machineErrorFrom(error, 'read', path)
  } finally {
    await file?.close()
  }
}

function toEvent(line: Buffer): MatchEvent {
  const read = readHistoryLine(line)
  if (!read.ok)
    throw new ExpectedError(
      'verdict',
      'history-invalid',
      sentence(`An event of the match cannot be read: ${read.message}`),
    )
  const event = eventOf(read.body)
  if (event !== null) return event
  throw new ExpectedError('verdict', 'history-invalid', `A ${read.body.k} line is not an event of a match.`)
}
