import * as fs from 'node:fs'
import { beforeEach, expect, test, vi } from 'vitest'
import { join } from 'node:path'
import { chainFault } from '../../../main/histories/receipts.ts'
import { addReceipt, openReceiptChain } from '../../../main/services/hand-in/receipt-chain.ts'
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
