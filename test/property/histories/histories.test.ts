import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import fc from 'fast-check'
import { hashOf, sha256 } from '../../../main/histories/canonical.ts'
import { createExporter } from '../../../main/histories/export.ts'
import { readHistoryLine } from '../../../main/histories/read-line.ts'
import { merkleTree, rootFrom } from '../../../main/histories/merkle.ts'
import { scanContest } from '../../../main/histories/segments/contest-scan.ts'
import { bytesSource } from '../../../main/histories/history-source.ts'
import { showMatch } from '../../../main/histories/print-match.ts'
import { verifyMatch } from '../../../main/histories/verify.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { games, openToy, playToy, recorderOf, testKey } from '../../unit/histories/toy.ts'

const key = testKey()
const folder = temporaryFolder('histories')
let sample: Buffer

beforeAll(async () => {
  const { writer } = await openToy(folder, key)
  writer.append(playToy(0, 1) + playToy(1, 2) + playToy(2, 3))
  await writer.close()
  const scan = await scanContest({ dir: folder, contest: 'toy-1', key: key.publicKey })
  if (!scan.ok) throw new Error(scan.damage.message)
  const pieces: string[] = []
  for await (const piece of (await createExporter(scan, key)).pieces(1, 'none')) pieces.push(piece)
  sample = Buffer.from(pieces.join(''))
})

/** RFC 6962 section 2.1, word for word. */
function treeHash(heads: readonly string[]): Buffer {
  const hash = (...parts: Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest()
  if (heads.length === 1) return hash(Buffer.of(0), Buffer.from(heads[0]!, 'hex'))
  let k = 1
  while (k * 2 < heads.length) k *= 2
  return hash(Buffer.of(1), treeHash(heads.slice(0, k)), treeHash(heads.slice(k)))
}

test('the tree is that of RFC 6962, every path leads to its root and no path does from another place', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 70 }), fc.nat(), fc.nat(), (count, a, b) => {
      const heads = Array.from({ length: count }, (_, i) => sha256(`head ${i}`))
      const tree = merkleTree(heads)
      expect(tree.root).toBe(treeHash(heads).toString('hex'))
      const index = a % count
      const path = tree.path(index)
      expect(rootFrom(heads[index]!, index, count, path)).toBe(tree.root)
      const other = b % count
      if (other !== index) expect(rootFrom(heads[index]!, other, count, path)).not.toBe(tree.root)
      expect(rootFrom(heads[index]!, index, count, [...path, tree.root])).toBeNull()
      if (path.length > 0) expect(rootFrom(heads[index]!, index, count, path.slice(1))).toBeNull()
    }),
  )
})

test('any JSON value recorded as an input is read back as it was', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }), fc.boolean(), (value, hidden) => {
      const recorder = recorderOf(0, 1)
      recorder.lines()
      recorder.input(1, hidden ? 'sealed' : 'public', value as never)
      const text = recorder.lines()
      expect(text.endsWith('\n')).toBe(true)
      const read = readHistoryLine(Buffer.from(text.slice(0, -1)))
      if (!read.ok || read.body.k !== 'input') throw new Error('not read')
      expect(hashOf(read.body.input)).toBe(hashOf(value))
      expect(read.body.salt !== undefined).toBe(hidden)
    }),
  )
})

test('every byte of an exported match changed in turn is found, on its own line', () => {
  const options = { keys: [key.publicKey], games }
  expect(verifyMatch(sample, options).ok).toBe(true)
  let line = 1
  for (let at = 0; at < sample.length; at++) {
    for (const flip of [1, 1 + (at % 255)]) {
      const changed = Buffer.from(sample)
      changed[at]! ^= flip
      const verdict = verifyMatch(changed, options)
      if (verdict.ok) throw new Error(`byte ${at} ^ ${flip} was not found`)
      if (verdict.line !== line) throw new Error(`byte ${at} ^ ${flip}: line ${verdict.line} instead of ${line}`)
    }
    if (sample[at] === 10) line++
  }
})

test('bytes inserted, removed or shuffled never throw and never verify', () => {
  const bytes = (): fc.Arbitrary<Uint8Array> => fc.uint8Array({ maxLength: 40 })
  fc.assert(
    fc.property(fc.nat(), fc.nat({ max: 200 }), bytes(), (from, length, inserted) => {
      const at = from % sample.length
      const changed = Buffer.concat([sample.subarray(0, at), inserted, sample.subarray(at + length)])
      fc.pre(!changed.equals(sample))
      expect(verifyMatch(changed, { games }).ok).toBe(false)
      Array.from(showMatch(bytesSource(changed)))
    }),
  )
})
