import * as fs from 'node:fs'
import { beforeEach, expect, test, vi } from 'vitest'
import { join } from 'node:path'
import { chainFault } from '../../../main/histories/receipts.ts'
import { addReceipt, openReceiptChain, standstillOf } from '../../../main/services/hand-in/receipt-chain.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { chainOf, key } from './receipt-chain.ts'

vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<typeof fs>()
  return {
    ...real,
    writeSync: vi.fn(real.writeSync),
    fsyncSync: vi.fn(real.fsyncSync),
    ftruncateSync: vi.fn(real.ftruncateSync),
  }
})

const folder = temporaryFolder('receipt-chain')
const bodies = chainOf([1, 2, 3]).map(({ b: { team, agent, version, sha256, received, at, contest, time } }) => {
  return { team, agent, version, sha256, received, at, contest, time }
})
const full = (): never => {
  throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
}
let count = 0
let data = ''
beforeEach(() => (data = join(folder, String(++count))))

const linesIn = (path: string): string[] => fs.readFileSync(path, 'utf8').trimEnd().split('\n')

test('a write that fails in the middle of a line, or is not synced, leaves nothing behind', () => {
  const chain = openReceiptChain(data, key)
  addReceipt(chain, bodies[0]!)
  vi.mocked(fs.writeSync).mockImplementationOnce((file) => {
    fs.appendFileSync(file, '{"b":{"agent')
    return full()
  })
  expect(() => addReceipt(chain, bodies[1]!)).toThrow()
  vi.mocked(fs.fsyncSync).mockImplementationOnce(full)
  expect(() => addReceipt(chain, bodies[1]!)).toThrow()
  const { b } = addReceipt(chain, bodies[1]!)
  expect(b.n).toBe(2)
  expect(linesIn(chain.path)).toHaveLength(2)
  expect(chainFault(linesIn(chain.path), key.publicKey)).toBeNull()
})

test('no receipts are given after a write that could not be undone, until the file is opened again', () => {
  const chain = openReceiptChain(data, key)
  addReceipt(chain, bodies[0]!)
  vi.mocked(fs.writeSync).mockImplementationOnce((file) => {
    fs.appendFileSync(file, '{"b":{"agent')
    return full()
  })
  vi.mocked(fs.ftruncateSync).mockImplementationOnce(full)
  expect(() => addReceipt(chain, bodies[1]!)).toThrow()
  expect(() => addReceipt(chain, bodies[1]!)).toThrow()
  const again = openReceiptChain(data, key)
  addReceipt(again, bodies[1]!)
  expect(chainFault(linesIn(chain.path), key.publicKey)).toBeNull()
})

test.each([
  ['not JSON', (line: string): string => line.slice(0, 40)],
  ['changed', (line: string): string => line.replace('baby', 'bobo')],
])('no receipts are given after a last line that is damaged (%s): none gets a number twice', (_, damage) => {
  const chain = openReceiptChain(data, key)
  for (const body of bodies.slice(0, 2)) addReceipt(chain, body)
  const whole = fs.readFileSync(chain.path, 'utf8')
  const [first, last] = linesIn(chain.path)
  const damaged = `${first}\n${damage(last!)}\n`
  fs.writeFileSync(chain.path, damaged)
  const again = openReceiptChain(data, key)
  expect(() => addReceipt(again, bodies[2]!)).toThrow(expect.objectContaining({ code: 'receipt-invalid' }))
  expect(standstillOf(again)).toEqual([expect.stringContaining(chain.path)])
  expect(fs.readFileSync(chain.path, 'utf8')).toBe(damaged)
  // The team of the last receipt has its line.
  fs.writeFileSync(chain.path, whole)
  const restored = openReceiptChain(data, key)
  expect([addReceipt(restored, bodies[2]!).b.n, standstillOf(restored)]).toEqual([3, []])
})
