import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepPort, lastPort } from '../../../main/app/serve.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const folder = temporaryFolder('port')

test('a port that is kept is there the next time', () => {
  expect(lastPort(folder)).toBe(0)
  keepPort(folder, 'http://127.0.0.1:40123')
  expect(lastPort(folder)).toBe(40_123)
})

test('whatever the file holds, it is a port or none', () => {
  for (const text of ['', 'x', '70000', '-1', '80 81', '9'.repeat(9)]) {
    writeFileSync(join(folder, 'port'), text)
    expect(lastPort(folder)).toBe(0)
  }
})

test('a folder that cannot be written keeps nothing, and nothing is thrown', () => {
  keepPort(join(folder, 'none'), 'http://127.0.0.1:1')
  expect(lastPort(join(folder, 'none'))).toBe(0)
})
