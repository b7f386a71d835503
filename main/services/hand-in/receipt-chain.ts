import { existsSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../administrator/classroom/private-files.ts'
import type { Receipt, ReceiptBody, ReceiptsHead } from '../../contract/people/receipts.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { appendDurably, cutDurably, makeFolder } from '../../histories/durable.ts'
import type { SigningKey } from '../../histories/keys.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { chainFault, readReceipt, receiptFault, receiptLine, signReceipt } from '../../histories/receipts.ts'
import { sentence } from '../../contract/sentence.ts'

/** The receipts of all hand-ins of a class: the file `receipts/chain.jsonl`, to which lines are only added. */
export interface ReceiptChain {
  readonly path: string
  readonly key: SigningKey
  /** The first one first; the receipt `n` at the place n - 1. */
  readonly receipts: Receipt[]
  /** The length of the file up to the end of the last receipt that is on disk, in bytes. */
  length: number
  /** True after a write that failed and could not be undone: no receipts are given until the file is opened again. */
  isBroken: boolean
  /**
   * True if the last line is not a genuine receipt: no receipts are given, because the next one could not continue it and would get a
   * number that somebody has already.
   */
  readonly isDamaged: boolean
  /** Sentences for people about what is wrong with the file; usually none. */
  readonly notices: readonly string[]
}

/**
 * Opens the chain of a data folder. A torn last line, which nobody has got an answer for, is cut off; with `isReadOnly` it is left out,
 * and nothing is written. Throws MachineError if the file cannot be read or written.
 */
export function openReceiptChain(data: string, key: SigningKey, isReadOnly = false): ReceiptChain {
  const folder = join(data, 'receipts')
  const path = join(folder, 'chain.jsonl')
  try {
    if (!isReadOnly) makeFolder(folder, PRIVATE_FOLDER)
    const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
    const end = bytes.lastIndexOf(0x0a) + 1
    if (end < bytes.length && !isReadOnly) truncateSync(path, end)
    const lines = end === 0 ? [] : bytes.toString('utf8', 0, end - 1).split('\n')
    const fault = chainFault(lines, null)
    const receipts = lines.map((line) => readReceipt(line)).filter((each) => typeof each !== 'string')
    const notices =
      fault === null ? [] : [sentence(`${path}:${fault.line}: the chain of receipts does not hold: ${fault.message}`)]
    const isDamaged = lines.length > 0 && !isGenuine(lines.at(-1)!)
    return { path, key, receipts, length: end, isBroken: false, isDamaged, notices }
  } catch (error) {
    throw machineErrorFrom(error, 'open the receipts', path)
  }
}

function isGenuine(line: string): boolean {
  const one = readReceipt(line)
  return typeof one !== 'string' && receiptFault(one, null) === null
}

/** The time of the next receipt: time does not go back, even if somebody sets the clock back. ms since the epoch. */
export function nextTime({ receipts }: ReceiptChain, now: number): number {
  const last = receipts.at(-1)
  return last === undefined ? now : Math.max(now, Date.parse(last.b.at))
}

/** The number of the next receipt. */
export function nextNumber({ receipts }: ReceiptChain): number {
  return (receipts.at(-1)?.b.n ?? 0) + 1
}

/**
 * Signs the next receipt and adds it. It is on disk when this returns. Throws MachineError; nothing of the receipt stays in the file
 * then, or no more receipts are given.
 */
export function addReceipt(chain: ReceiptChain, body: Omit<ReceiptBody, 'k' | 'n' | 'class' | 'previous'>): Receipt {
  const { path, key, receipts } = chain
  if (chain.isDamaged)
    throw new ExpectedError(
      'host',
      'receipt-invalid',
      'The last receipt of the class is damaged, so no more are given: the educator has to restore the file of the receipts.',
    )
  const place = { n: nextNumber(chain), class: key.fingerprint, previous: receipts.at(-1)?.h ?? '' } as const
  const one = signReceipt({ k: 'receipt', ...place, ...body }, key)
  const line = receiptLine(one)
  try {
    if (chain.isBroken) throw new Error('an earlier write failed and could not be undone; start the program again')
    appendDurably(path, line, PRIVATE_FILE)
  } catch (error) {
    if (!chain.isBroken) undoAppend(chain)
    throw machineErrorFrom(error, 'write', path)
  }
  chain.length += Buffer.byteLength(line)
  receipts.push(one)
  return one
}

/** Cuts off what a failed write has left, so that the next line does not follow a torn one. */
function undoAppend(chain: ReceiptChain): void {
  try {
    cutDurably(chain.path, chain.length)
  } catch {
    chain.isBroken = true
  }
}

/** A sentence for educators when no receipts can be given; otherwise none. See `notices` for damage of the file. */
export function standstillOf({ path, isBroken, isDamaged }: ReceiptChain): readonly string[] {
  if (isDamaged)
    return [
      `The last line of ${path} is damaged: hand-ins are refused until it is restored, from a backup or from the receipt that its team has.`,
    ]
  if (!isBroken) return []
  return [
    'A receipt could not be written: hand-ins are refused until the program is started again. Look at the disk first.',
  ]
}

/** The receipt with a number; undefined: there is none. */
export function receiptNumbered({ receipts }: ReceiptChain, n: number): Receipt | undefined {
  return receipts.find(({ b }) => b.n === n)
}

export function headOf({ receipts }: ReceiptChain): ReceiptsHead {
  const last = receipts.at(-1)
  return last === undefined ? { n: 0, head: '', at: null } : { n: last.b.n, head: last.h, at: last.b.at }
}
