import { join } from 'node:path'
import type { HeaderBody, HistoryBody, OutcomeBody } from '../../contract/histories/history.ts'
import type { Sha256 } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { glanceAtInput } from '../../histories/read-line.ts'
import { eachLine, readWholeLines } from '../../histories/read-lines.ts'
import { isEvent } from '../../histories/segments/match-place.ts'
import { segmentName } from '../../histories/segments/seal-texts.ts'
import type { NewRuns } from './new-runs.ts'

/** An event of a match, as its line has it. */
export type EventBody = Extract<HistoryBody, { readonly k: 'input' | 'fault' | 'console' }>

/** Takes the events of a run in order, and its end. */
export interface RunReader {
  /** `move`: the number of events up to this one. */
  event(body: EventBody, move: number): void
  /** The end. `head`: the last hash of the run's chain. */
  end(body: OutcomeBody, head: Sha256): void
}

/** Facts about a run that are known when it begins, besides its header. */
export interface RunFacts {
  /** The settings of its match, and the description of its contest; null: the segments lack them. */
  readonly config: Json | null
  readonly description: Json | null
  readonly seed: Sha256
}

/**
 * Reads new runs in one pass, in the order of their lines, which alternate. The lines were verified when the runs were found.
 * `goesOn`: asked before each run; once it is false no other run begins. Resolves to the first segment with lines of runs that
 * were left out so; null: none was. Rejects with MachineError.
 */
export async function readRuns(
  folder: string,
  { runs, segments }: NewRuns,
  begin: (header: HeaderBody, facts: RunFacts) => RunReader,
  goesOn: () => boolean = () => true,
): Promise<number | null> {
  const blobs = new Map<Sha256, Json>()
  const open = new Map<number, { readonly reader: RunReader; moves: number }>()
  let left = runs.size
  let reading = 0
  let leftOut: number | null = null

  const take = (body: HistoryBody, h: Sha256): void => {
    if (body.k === 'blob') blobs.set(body.sha256, body.value)
    const begun = body.k === 'header' ? runs.get(body.r) : undefined
    if (begun !== undefined && (leftOut !== null || !goesOn())) leftOut ??= reading
    else if (body.k === 'header' && begun !== undefined) {
      const { seed } = begun
      const texts = { config: blobs.get(body.config) ?? null, description: blobs.get(body.description) ?? null }
      open.set(body.r, { reader: begin(body, { ...texts, seed }), moves: 0 })
    }
    const run = 'r' in body ? open.get(body.r) : undefined
    if (run === undefined) return
    if (isEvent(body.k)) run.reader.event(body as EventBody, ++run.moves)
    else if (body.k === 'outcome') {
      run.reader.end(body, h)
      open.delete(body.r)
      left -= 1
    }
  }
  const visit = (line: Buffer): boolean => {
    const input = glanceAtInput(line)
    if (input !== null && !open.has(input.r)) return true
    const { b, h } = JSON.parse(line.toString('utf8')) as { readonly b: HistoryBody; readonly h: Sha256 }
    take(b, h)
    return !isOver()
  }
  const isOver = (): boolean => left === 0 || (leftOut !== null && open.size === 0)
  for (const segment of segments) {
    if (isOver()) break
    reading = segment
    const path = join(folder, segmentName(segment))
    await readWholeLines(path, (batch) => eachLine(batch, visit)).catch((error: unknown) => {
      throw machineErrorFrom(error, 'read the history segment', path)
    })
  }
  return leftOut
}
