import type { Receipt, ReceiptBody } from '../../../main/contract/people/receipts.ts'
import { generateKey, signingKey } from '../../../main/histories/keys.ts'
import { receiptLine, signReceipt } from '../../../main/histories/receipts.ts'

export const BEGIN = Date.parse('2026-11-29T20:00:00.000Z')

export const key = signingKey(generateKey())!

/** The receipts of hand-ins, at these seconds after the beginning; each body is changed before it is signed. */
export function chainOf(
  seconds: readonly number[],
  change: (body: ReceiptBody) => ReceiptBody = (body) => body,
  signer = key,
): Receipt[] {
  const chain: Receipt[] = []
  let at = BEGIN
  for (const [index, wait] of seconds.entries()) {
    at += wait * 1_000
    const body = change({
      ...{ k: 'receipt', n: index + 1, class: signer.fingerprint, team: 'Rot Ω', agent: 'baby', version: index + 1 },
      sha256: String(index % 10).repeat(64),
      ...{ received: new Date(at - 500).toISOString(), at: new Date(at).toISOString() },
      ...{ contest: index % 2 === 0 ? null : 'week-1', time: 'on-time', previous: chain.at(-1)?.h ?? '' },
    })
    chain.push(signReceipt(body, signer))
  }
  return chain
}

/** The lines without their line breaks. */
export const linesOf = (chain: readonly Receipt[]): string[] => chain.map((each) => receiptLine(each).trimEnd())
