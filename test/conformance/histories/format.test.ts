import { createHash, createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { canonicalText } from '../../../main/histories/canonical.ts'
import { createExporter } from '../../../main/histories/export.ts'
import { scanContest } from '../../../main/histories/segments/contest-scan.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { openToy, playToy, testKey } from '../../unit/histories/toy.ts'

const sha = (...parts: (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** Canonical JSON for the values of this test, written from RFC 8785 without the package. */
function jcs(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jcs).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${jcs(member)}`).join(',')}}`
}

test.each([
  // RFC 8785 sections 3.2.2, 3.2.3 and appendix B.
  [
    '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  ],
  [
    '{"\\u20ac":1,"\\r":2,"\\ufb33":3,"1":4,"\\ud83d\\ude00":5,"\\u0080":6,"\\u00f6":7}',
    '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
  ],
  ['[-0,1e21,999999999999999900000,9007199254740993]', '[0,1e+21,999999999999999900000,9007199254740992]'],
])('canonical text of %s', (text, expected) => {
  expect(canonicalText(JSON.parse(text))).toBe(expected)
})

/** All that a record may hold, as this test reads it. */
interface Body {
  k: string
  digest: string
  value: unknown
  sha256: string
  commitment: string
  seed: string
  nonce: string
  path: string[]
  root: string
  key: string
  signature: string
}

/** The whole of a verifier without replay, as the comment in contract/histories/history.ts tells it to somebody else. */
test('an exported match verifies by the description of the format alone', async () => {
  const folder = temporaryFolder('histories')
  const key = testKey()
  const { writer } = await openToy(folder, key)
  for (const match of [0, 1, 2]) writer.append(playToy(match, match + 1))
  await writer.close()
  const scan = await scanContest({ dir: folder, contest: 'toy-1', key: key.publicKey })
  if (!scan.ok) throw new Error(scan.damage.message)
  let text = ''
  for await (const piece of (await createExporter(scan, key)).pieces(2, 'none')) text += piece

  const records = text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const record = JSON.parse(line) as { b: Body; h: string }
      expect(jcs(record)).toBe(line)
      return record
    })
  let h = ''
  let head = ''
  for (const { b, h: claimed } of records) {
    const isPrivate = b.k === 'console' || b.k === 'redacted'
    const digest = b.k === 'redacted' ? b.digest : sha(jcs(b)).toString('hex')
    if (b.k === 'blob' || b.k === 'header') h = ''
    h = sha(h + (isPrivate ? '+' : '-') + digest).toString('hex')
    expect(claimed).toBe(h)
    if (b.k === 'blob') expect(sha(jcs(b.value)).toString('hex')).toBe(b.sha256)
    if (b.k === 'outcome') head = h
  }
  const bodies = records.map(({ b }) => b)
  const header = bodies.find(({ k }) => k === 'header')!
  const outcome = bodies.find(({ k }) => k === 'outcome')!
  expect(header.commitment).toBe(sha(outcome.seed + outcome.nonce).toString('hex'))

  const proof = bodies.at(-1)!
  expect(proof).toMatchObject({ k: 'proof', head, index: 2, count: 3 })
  // The third of three leaves: its only sibling is the node of the first two.
  const node = sha(Buffer.of(1), Buffer.from(proof.path[0]!, 'hex'), sha(Buffer.of(0), Buffer.from(head, 'hex')))
  expect(node.toString('hex')).toBe(proof.root)
  const x = Buffer.from(proof.key, 'hex').toString('base64url')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const signed = jcs({ signs: 'tartaglia contest root', contest: 'toy-1', count: 3, root: proof.root })
  expect(verify(null, Buffer.from(signed), publicKey, Buffer.from(proof.signature, 'hex'))).toBe(true)
})
