import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const script = pathToFileURL(join(import.meta.dirname, '../../../scripts/man-page.mjs')).href
const { manPage } = (await import(script)) as { manPage(): Promise<string> }

const noGroff = spawnSync('groff', ['--version']).error !== undefined
test.skipIf(noGroff)('the manual page is set without a warning, with each command (needs groff)', async () => {
  const page = await manPage()
  const { stdout, stderr } = spawnSync('groff', ['-man', '-ww', '-Tascii', '-P-cbou'], {
    input: page,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  for (const command of ['contest run', 'history verify', 'challenge check', 'completion', 'doctor'])
    expect(stdout).toMatch(new RegExp(`^ +${command}\\n? +\\S`, 'm'))
  expect(stdout).toContain('TARTAGLIA_DATA')
})
