import type { Fault, FaultKind } from '../../contract/faults.ts'
import { makeFault } from '../make-fault.ts'

/** Faults that a realm may report of itself. */
const ownFaults: readonly FaultKind[] = ['crash', 'invalid', 'protocol']

/** The fault that a frame reports; null: it is no report of one that a realm may make. */
export function readFault(json: string): Fault | null {
  try {
    const report: unknown = JSON.parse(json)
    if (typeof report !== 'object' || report === null || !('kind' in report) || !('text' in report)) return null
    const kind = ownFaults.find((known) => known === report.kind)
    return kind === undefined || typeof report.text !== 'string' ? null : makeFault(kind, report.text)
  } catch {
    return null
  }
}

/** The console text of a frame; null: it is none. */
export function readText(json: string): string | null {
  try {
    const text: unknown = JSON.parse(json)
    return typeof text === 'string' ? text : null
  } catch {
    return null
  }
}
