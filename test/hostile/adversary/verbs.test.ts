import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { tartaglia } from '../../conformance/cli/process.ts'

const folder = mkdtempSync(join(tmpdir(), 'tartaglia-verbs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

test.each([[[]], [['--json']]])('a value too deep for JSON is named, not a stack overflow %j', async (options) => {
  const dictionary = write('nest.cd', 'A = "(" <a> List(A) ")" .')
  const value = write('nest.txt', '('.repeat(12_000) + ')'.repeat(12_000))
  const { code, stdout, stderr } = await tartaglia('dictionary', 'parse', dictionary, value, '--class', 'A', ...options)
    .ended
  const sentence = `${value}: the value is nested too deeply, or is too large, to be written as JSON.`
  expect(stderr).toBe(`${sentence}\n`)
  expect(stdout).toBe(options.length === 0 ? '' : `${JSON.stringify({ error: sentence })}\n`)
  expect(code).toBe(2)
})
