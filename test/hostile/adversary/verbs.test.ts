import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tartaglia } from '../../conformance/cli/process.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const folder = temporaryFolder('verbs')
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

test.each([[[]], [['--json']]])(
  'a value that is nested too deep is named with its place, not a stack overflow %j',
  async (options) => {
    const dictionary = write('nest.cd', 'A = "(" <a> List(A) ")" .')
    const value = write('nest.txt', '('.repeat(30_000) + ')'.repeat(30_000))
    const { code, stdout, stderr } = await tartaglia(
      'dictionary',
      'parse',
      dictionary,
      value,
      '--class',
      'A',
      ...options,
    ).ended
    const place = `${value}:1:25001: `
    expect(stderr.startsWith(place)).toBe(true)
    expect(stderr).toMatch(/^[^\n]*\bnested\b[^\n]*\b50000\b[^\n]*\n$/)
    const error = { line: 1, column: 25_001, message: stderr.slice(place.length, -1) }
    expect(stdout).toBe(options.length === 0 ? '' : `${JSON.stringify({ error })}\n`)
    expect(code).toBe(1)
  },
)
