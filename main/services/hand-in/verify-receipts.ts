import type { ErrorCode } from '../../contract/error-codes.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Receipt, ReceiptBody } from '../../contract/people/receipts.ts'
import { fingerprint, parseKeyText, type PublicKey } from '../../histories/keys.ts'
import { chainFault, headAfter, readReceipt, receiptFault } from '../../histories/receipts.ts'
import { readBytes } from '../files/read-file.ts'
import type { KnownSigners } from '../histories/known-signers.ts'

/** The maximum size of a chain: a million hand-ins. */
const CHAIN_BYTES_MAX = 1024 * 1024 * 1024

/** The verdict on a file with one receipt, or with the chain of all. */
export type ReceiptVerdict =
  | {
      readonly verdict: 'genuine' | 'signer-unknown'
      readonly file: string
      readonly receipts: number
      /** The last one. */
      readonly receipt: ReceiptBody
      /** The chain's head after it. */
      readonly head: string
      /** The name of the signer; null: their key is not known, so that the signature was not checked. */
      readonly signer: string | null
    }
  | { readonly verdict: 'not-genuine'; readonly file: string; readonly line: number; readonly message: string }
  | { readonly verdict: 'unreadable'; readonly file: string; readonly code: ErrorCode; readonly message: string }

/**
 * Verifies files with receipts and chains, and whether each receipt stands in each chain that is given too. `mustBeKnown`: a signer
 * that is not known makes a receipt not genuine, because the caller has named the key.
 */
export async function verifyReceipts(
  files: readonly string[],
  signers: KnownSigners,
  mustBeKnown: boolean,
): Promise<readonly ReceiptVerdict[]> {
  const read = await Promise.all(files.map((file) => readLines(file)))
  const chains = read.filter((each) => 'lines' in each).filter(isChain)
  return read.map((each) => ('lines' in each ? verdictOn(each, signers, mustBeKnown, chains) : each))
}

interface Lines {
  readonly file: string
  readonly lines: readonly string[]
}

/** True for a chain; one with a single receipt, such as what is left of a longer one, is told from a receipt by its name. */
function isChain({ file, lines }: Lines): boolean {
  return lines.length > 1 || file.toLowerCase().endsWith('.jsonl')
}

async function readLines(file: string): Promise<Lines | ReceiptVerdict> {
  try {
    const bytes = await readBytes(file, CHAIN_BYTES_MAX)
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const lines = text.split('\n')
    if (lines.at(-1) === '') lines.pop()
    if (lines.length > 0) return { file, lines }
    throw new ExpectedError('usage', 'receipt-invalid', `${file} is empty.`)
  } catch (error) {
    if (error instanceof ExpectedError) return { verdict: 'unreadable', file, code: error.code, message: error.message }
    if (!(error instanceof TypeError)) throw error
    return { verdict: 'unreadable', file, code: 'not-utf8', message: `${file} is not UTF-8 text.` }
  }
}

function verdictOn(
  given: Lines,
  signers: KnownSigners,
  mustBeKnown: boolean,
  chains: readonly Lines[],
): ReceiptVerdict {
  const { file, lines } = given
  const bad = (line: number, message: string): ReceiptVerdict => ({ verdict: 'not-genuine', file, line, message })
  const last = readReceipt(lines.at(-1)!)
  if (typeof last === 'string') return bad(lines.length, last)
  const signer = signerOf(last.b.class, signers)
  if (signer === null && mustBeKnown)
    return bad(lines.length, `it was not signed with the given key, but with that of fingerprint ${last.b.class}`)
  const fault = isChain(given) ? chainFault(lines, signer?.key ?? null) : aloneFault(last, signer?.key ?? null)
  if (fault !== null) return bad(fault.line, fault.message)
  const missing = isChain(given) ? forkIn(given, chains) : missingIn(last, chains)
  if (missing !== null) return bad(lines.length, missing)
  return {
    verdict: signer === null ? 'signer-unknown' : 'genuine',
    ...{ file, receipts: lines.length, receipt: last.b, head: last.h, signer: signer?.name ?? null },
  }
}

function aloneFault(one: Receipt, key: PublicKey | null): { readonly line: number; readonly message: string } | null {
  const message = receiptFault(one, key)
  return message === null ? null : { line: 1, message }
}

/** The reason why a receipt does not stand in the chains of its class that were given; null: it does, or there are no chains at all. */
function missingIn(one: Receipt, chains: readonly Lines[]): string | null {
  const own = chains.filter((chain) => classOf(chain) === one.b.class)
  const [other] = chains
  if (own.length === 0 && other !== undefined)
    return `${other.file} is not the chain of its class, so it does not show that the receipt stands in one`
  return own.map((chain) => placeFault(one, chain)).find((fault) => fault !== null) ?? null
}

/** The reason why a chain contradicts another one of its class that was given; null: none does. One may be longer than the other. */
function forkIn(given: Lines, chains: readonly Lines[]): string | null {
  for (const other of chains) {
    if (other === given || classOf(other) !== classOf(given)) continue
    const n = Math.min(given.lines.length, other.lines.length)
    const here = readReceipt(given.lines[n - 1]!)
    const there = readReceipt(other.lines[n - 1]!)
    if (typeof here === 'string' || typeof there === 'string') continue
    if (here.h !== there.h) return `${other.file} is a chain of the same class with another receipt ${n}`
  }
  return null
}

/** The fingerprint of the class of a chain, by its first line that can be read; null: there is none. */
function classOf({ lines }: Lines): string | null {
  for (const line of lines) {
    const one = readReceipt(line)
    if (typeof one !== 'string') return one.b.class
  }
  return null
}

/** The reason why a receipt does not stand in a chain of its class; null: it does. */
function placeFault({ b, h }: Receipt, { file, lines }: Lines): string | null {
  const line = lines[b.n - 1]
  if (line === undefined) return `${file} ends before it, with receipt ${lines.length}`
  const there = readReceipt(line)
  if (typeof there === 'string') return `${file} cannot be read in its place: ${there}`
  return headAfter(there.b) === h ? null : `${file} has another hand-in in its place`
}

function signerOf(wanted: string, signers: KnownSigners): { readonly key: PublicKey; readonly name: string } | null {
  for (const [text, name] of signers) {
    const key = parseKeyText(text)
    if (key !== null && fingerprint(key) === wanted) return { key, name }
  }
  return null
}
