import { expect, test } from 'vitest'
import { PackageProblem } from '../../../main/services/packages/files.ts'
import { readZip } from '../../../main/services/packages/zip.ts'
import { storedZip } from '../../../renderer/parts/files/stored-zip.ts'

test('the zip that the window makes of a folder is read with every path and byte', () => {
  const files: readonly (readonly [string, Uint8Array])[] = [
    ['agent.json', Buffer.from('{"name":"Zoë"}')],
    ['ordner/größe 王.js', Buffer.alloc(70_000, 'ab')],
    ['empty.txt', Buffer.alloc(0)],
  ]
  const entries = readZip(Buffer.concat(storedZip(files)))
  if (entries instanceof PackageProblem) throw new Error(entries.why)
  // The checksums are compared, too.
  const read = entries.map(({ path, size, read: content }) => {
    const bytes = content(100_000)
    return [path, size, bytes instanceof PackageProblem ? bytes : Buffer.from(bytes).toString()]
  })
  expect(read).toEqual(files.map(([path, bytes]) => [path, bytes.length, Buffer.from(bytes).toString()]))
})
