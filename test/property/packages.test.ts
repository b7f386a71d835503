import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PackageProblem, whyUnsafe } from '../../main/services/packages/files.ts'
import { readForeignTar, readTar, writeTar } from '../../main/services/packages/tar.ts'
import { readZip } from '../../main/services/packages/zip.ts'
import type { Json } from '../../main/contract/json.ts'
import { jsonLineReader } from '../../main/referees/json-lines.ts'
import { zip } from '../conformance/service/zip.ts'

const name = fc.stringMatching(/^[a-z0-9_-]{1,12}(\/[a-z0-9_-]{1,12}){0,3}$/)
const files = fc
  .uniqueArray(fc.tuple(name, fc.uint8Array({ maxLength: 2_000 })), { selector: ([path]) => path, maxLength: 12 })
  .filter((pairs) => whyUnsafe(pairs.map(([path]) => path)) === null)

/** Bytes changed, cut out and doubled anywhere. */
const damage = fc.array(
  fc.record({ at: fc.nat(), byte: fc.nat(255), how: fc.constantFrom('change', 'cut', 'double') }),
  { minLength: 1, maxLength: 8 },
)

function damaged(bytes: Uint8Array, changes: readonly { at: number; byte: number; how: string }[]): Uint8Array {
  let made = Buffer.from(bytes)
  for (const { at, byte, how } of changes) {
    if (made.length === 0) return made
    const place = at % made.length
    if (how === 'change') made[place] = byte
    else if (how === 'cut') made = Buffer.concat([made.subarray(0, place), made.subarray(place + byte)])
    else made = Buffer.concat([made.subarray(0, place), made.subarray(Math.max(0, place - byte))])
  }
  return made
}

test('what is packed is unpacked, by zip and by archive', () => {
  fc.assert(
    fc.property(files, (pairs) => {
      const sorted = [...pairs].sort(([a], [b]) => (a < b ? -1 : 1))
      const entries = readZip(zip(sorted))
      if (entries instanceof PackageProblem) throw new Error(entries.why)
      expect(entries.map(({ path, size, read }) => [path, Buffer.from(read(size) as Uint8Array)])).toEqual(
        sorted.map(([path, bytes]) => [path, Buffer.from(bytes)]),
      )
      const unpacked = readTar(writeTar(pairs.map(([path, bytes]) => ({ path, bytes }))))
      if (unpacked instanceof PackageProblem) throw new Error(unpacked.why)
      expect(unpacked.map(({ path, bytes }) => [path, Buffer.from(bytes)])).toEqual(
        sorted.map(([path, bytes]) => [path, Buffer.from(bytes)]),
      )
    }),
    { numRuns: 100 },
  )
})

test('whatever is done to a package, it is refused in words or its names are safe; nothing throws', async () => {
  await fc.assert(
    fc.asyncProperty(files, damage, async (pairs, changes) => {
      const entries = readZip(damaged(zip(pairs), changes))
      if (!(entries instanceof PackageProblem)) {
        expect(whyUnsafe(entries.map(({ path }) => path))).toBeNull()
        for (const { size, read } of entries) {
          const bytes = read(size)
          if (!(bytes instanceof PackageProblem)) expect(bytes.length).toBe(size)
        }
      }
      const archive = writeTar(pairs.map(([path, bytes]) => ({ path, bytes })))
      const unpacked = readTar(damaged(archive, changes))
      if (!(unpacked instanceof PackageProblem)) expect(whyUnsafe(unpacked.map(({ path }) => path))).toBeNull()
      const foreign = await readForeignTar(damaged(archive, changes))
      if (!(foreign instanceof PackageProblem)) expect(whyUnsafe(foreign.map(({ path }) => path))).toBeNull()
    }),
    { numRuns: 150 },
  )
})

test('lines are the same in whatever pieces they come', () => {
  const line = fc.oneof(
    fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 }).map((value) => JSON.stringify(value)),
    fc.constantFrom('', '  ', 'hello', '[1]', '"é"'),
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 10 }), fc.array(fc.nat(50), { maxLength: 30 }), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((each) => `${each}\n`).join(''))
      const whole = jsonLineReader().read(bytes)
      const reader = jsonLineReader()
      const pieces: (Json | string)[] = []
      let at = 0
      for (const cut of cuts) pieces.push(...reader.read(bytes.subarray(at, (at += cut))))
      pieces.push(...reader.read(bytes.subarray(at)))
      expect(pieces).toEqual(whole)
    }),
    { numRuns: 100 },
  )
})
