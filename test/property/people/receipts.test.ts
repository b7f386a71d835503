import fc from 'fast-check'
import { expect, test } from 'vitest'
import { generateKey, signingKey } from '../../../main/histories/keys.ts'
import { chainFault, readReceipt, receiptFault, receiptLine } from '../../../main/histories/receipts.ts'
import { repeats } from '../../long.ts'
import { BEGIN, chainOf, key, linesOf } from '../../unit/people/receipt-chain.ts'

const waits = fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 2, maxLength: 8 })

test('a chain of any hand-ins holds, and each of its receipts alone', () => {
  fc.assert(
    fc.property(waits, (seconds) => {
      const chain = chainOf(seconds)
      expect(chainFault(linesOf(chain), key.publicKey)).toBeNull()
      for (const each of chain) expect(receiptFault(each, key.publicKey)).toBeNull()
    }),
    { numRuns: repeats({ short: 20, long: 500 }) },
  )
})

test('a line that is removed, changed, repeated or moved is found', () => {
  fc.assert(
    fc.property(waits, fc.nat(), fc.nat(), fc.nat(), (seconds, first, second, third) => {
      const lines = linesOf(chainOf(seconds))
      const at = first % (lines.length - 1)
      expect(chainFault(lines.toSpliced(at, 1), key.publicKey)?.line).toBe(at + 1)
      expect(chainFault(lines.toSpliced(at, 0, lines[at]!), key.publicKey)?.line).toBe(at + 2)
      const swapped = lines.with(at, lines[at + 1]!).with(at + 1, lines[at]!)
      expect(chainFault(swapped, key.publicKey)?.line).toBe(at + 1)
      // Any character of any line.
      const line = second % lines.length
      const place = third % lines[line]!.length
      const other = lines[line]![place] === '0' ? '1' : '0'
      const changed = `${lines[line]!.slice(0, place)}${other}${lines[line]!.slice(place + 1)}`
      expect(chainFault(lines.with(line, changed), key.publicKey)?.line).toBe(line + 1)
    }),
    { numRuns: repeats({ short: 20, long: 500 }) },
  )
})

test('a line that the holder of the key dates back is found by the time, the number or the head of a receipt', () => {
  const seconds = [10, 10, 10, 10]
  const back = chainOf(seconds, (body) =>
    body.n === 3 ? { ...body, received: new Date(BEGIN).toISOString(), at: new Date(BEGIN).toISOString() } : body,
  )
  expect(chainFault(linesOf(back), key.publicKey)).toMatchObject({ line: 3, message: expect.stringMatching(/dated/) })
  // Signed anew as a whole, it holds by itself; any receipt from the changed one on shows it.
  const real = chainOf(seconds)
  const forged = chainOf(seconds, (body) => (body.n === 3 ? { ...body, sha256: 'f'.repeat(64) } : body))
  expect(chainFault(linesOf(forged), key.publicKey)).toBeNull()
  expect(forged.map(({ h }, index) => h === real[index]!.h)).toEqual([true, true, false, false])
})

test('a receipt that was written before its file was received is not genuine', () => {
  const [one] = chainOf([1], (body) => ({ ...body, received: new Date(BEGIN + 1_001).toISOString() }))
  expect(receiptFault(one!, key.publicKey)).toMatch(/received after/)
})

test('another key, other spellings and other forms are not receipts of the class', () => {
  const [one] = chainOf([1])
  const other = signingKey(generateKey())!
  expect(receiptFault(one!, other.publicKey)).toMatch(/another key/)
  const line = receiptLine(one!).trimEnd()
  expect(readReceipt(line)).toEqual(one)
  expect(readReceipt(line.replace('{"b":{', '{"b": {'))).toMatch(/canonical/)
  expect(readReceipt(line.replace('"k":"receipt"', '"k":"match"'))).toMatch(/form/)
  expect(readReceipt(line.slice(0, -1))).toMatch(/JSON/)
})
