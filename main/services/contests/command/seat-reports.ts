import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { faultKind, type Fault } from '../../../contract/faults.ts'
import type { EntrantId, SeatId } from '../../../contract/ids.ts'
import { readHistoryLine } from '../../../histories/read-line.ts'
import { eachLine } from '../../../histories/read-lines.ts'
import { readingJob } from '../../machine/reading.ts'

/** A seat and its result. */
export interface SeatReport {
  readonly seat: SeatId
  readonly agent: EntrantId
  readonly rank: number
  readonly score: number
  readonly removed: boolean
  readonly reason?: string
  readonly faults: readonly Pick<Fault, 'kind' | 'text'>[]
  /** Its output in order, including stderr. */
  readonly console: readonly string[]
}

/** The seats of an exported match that this program just wrote, by its path. The output of agents in them is untrusted. */
export const seatReportsJob = readingJob<string, readonly SeatReport[]>({
  name: 'seat-reports',
  what: 'a match',
  result: z.array(
    z.strictObject({
      seat: z.int(),
      agent: z.string(),
      rank: z.number(),
      score: z.number(),
      removed: z.boolean(),
      reason: z.string().exactOptional(),
      faults: z.array(z.strictObject({ kind: faultKind, text: z.string() })),
      console: z.array(z.string()),
    }),
  ),
  read: async (file) => seatReports(await readFile(file)),
})

function seatReports(bytes: Buffer): readonly SeatReport[] {
  const names: EntrantId[] = []
  const faults: SeatReport['faults'][number][][] = []
  const consoles: string[][] = []
  const reports: SeatReport[] = []
  eachLine(bytes, (line) => {
    const read = readHistoryLine(line)
    if (!read.ok) throw new Error(read.message)
    const { body } = read
    if (body.k === 'header') {
      for (const { name } of body.seats) {
        names.push(name)
        faults.push([])
        consoles.push([])
      }
    } else if (body.k === 'fault') {
      const { kind, text } = body.fault
      faults[body.post.seat]?.push({ kind, text })
    } else if (body.k === 'console') {
      consoles[body.post.seat]?.push(body.text)
    } else if (body.k === 'outcome') {
      for (const place of body.outcome.places) {
        const { seat } = place
        reports.push({ ...place, agent: names[seat]!, faults: faults[seat]!, console: consoles[seat]! })
      }
    }
  })
  return reports
}
