import { expect, test } from 'vitest'
import { writeZip, writeZipInTurns } from '../../../main/services/packages/zip.ts'

test('a zip that is written between other work has the same bytes, and other work goes on after each file', async () => {
  const files = new Map(
    Array.from({ length: 8 }, (_, n) => [`folder/file-${n}.txt`, Buffer.alloc(400_000, `text ${n} `)] as const),
  )
  let turns = 0
  const other = setInterval(() => turns++, 0)
  const zip = await writeZipInTurns(files)
  clearInterval(other)
  expect(zip.equals(writeZip(files))).toBe(true)
  expect(turns).toBeGreaterThan(2)
})
