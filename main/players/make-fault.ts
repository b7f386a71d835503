import type { Fault, FaultKind } from '../contract/faults.ts'

const textLength = 4_000
const stderrLength = 65_536

/** A fault within the contract's bounds: texts capped and well formed, whatever an agent put into them. */
export function makeFault(
  kind: FaultKind,
  text: string,
  more: { readonly tookMs?: number | undefined; readonly stderr?: string | undefined } = {},
): Fault {
  const whole = text.toWellFormed()
  return {
    kind,
    text: whole.length <= textLength ? whole : whole.slice(0, textLength - 1).toWellFormed() + '…',
    ...(more.tookMs === undefined ? {} : { tookMs: Math.max(0, more.tookMs) }),
    ...(more.stderr === undefined || more.stderr === ''
      ? {}
      : { stderr: more.stderr.slice(-stderrLength).toWellFormed() }),
  }
}

/** The fault of an agent that took too much. Without the amount: it varies, and the reason of a removal is a part of the outcome. */
export const memoryFault = (memoryMb: number): Fault =>
  makeFault('memory', `The agent used more than the ${memoryMb} MB of memory that are allowed.`)
