import { readFileSync } from 'node:fs'
import type { Fault } from '../../../main/contract/faults.ts'
import type { HistoryBody } from '../../../main/contract/histories/history.ts'
import { readHistoryLine } from '../../../main/histories/read-line.ts'

/** The bodies of an exported match's lines. */
function bodiesOf(file: string): readonly HistoryBody[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const read = readHistoryLine(Buffer.from(line))
      if (!read.ok) throw new Error(`${file}: ${read.message}`)
      return read.body
    })
}

/** The faults that an exported match tells, and whose they are. */
export function faultsIn(file: string): readonly { readonly agent: string; readonly fault: Fault }[] {
  const bodies = bodiesOf(file)
  const header = bodies.find((body) => body.k === 'header')
  return bodies.flatMap((body) => {
    if (body.k !== 'fault') return []
    const seat = header?.seats.find(({ id }) => id === body.post.seat)
    return [{ agent: seat?.name ?? '', fault: body.fault }]
  })
}
