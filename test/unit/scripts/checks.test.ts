import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'

const script = join(import.meta.dirname, '../../../scripts/check.mjs')
const check = (...filter: string[]) => spawnSync(process.execPath, [script, ...filter], { encoding: 'utf8' })

test('checks are chosen by a part of their names', () => {
  const { status, stdout } = check('names', 'of')
  expect(stdout).toMatch(/^passed {2}names of games \([\d.]+ s\)\n1 passed, 0 failed\n$/)
  expect(status).toBe(0)
})

test('a part that none has is refused with the names that there are', () => {
  const { status, stderr } = check('lintt')
  expect(stderr).toMatch(/There is no check "lintt"; there is lint, formatting, /)
  expect(status).not.toBe(0)
})
