import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'

const script = pathToFileURL(join(import.meta.dirname, '../../../scripts/man-page.mjs')).href
const { manPage, dateOfBuild } = (await import(script)) as { manPage(): Promise<string>; dateOfBuild(): string }
const page = await manPage()
afterEach(() => vi.unstubAllEnvs())

const noGroff = spawnSync('groff', ['--version']).error !== undefined
test.skipIf(noGroff)('the manual page is set without a warning, with each command (needs groff)', () => {
  const { stdout, stderr } = spawnSync('groff', ['-man', '-ww', '-Tascii', '-P-cbou'], {
    input: page,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  for (const command of ['contest run', 'history verify', 'challenge check', 'completion', 'doctor'])
    expect(stdout).toMatch(new RegExp(`^ +${command}\\n? +\\S`, 'm'))
  expect(stdout).toContain('TARTAGLIA_DATA')
})

const noMandoc = spawnSync('mandoc', ['-V']).error !== undefined
test.skipIf(noMandoc)('mandoc finds nothing in it (needs mandoc)', () => {
  // Matters of style differ from version to version; those of Debian's are looked at.
  const level = process.platform === 'linux' ? '-Wstyle' : '-Wwarning'
  const { stdout } = spawnSync('mandoc', ['-Tlint', level], { input: page, encoding: 'utf8' })
  expect(stdout).toBe('')
})

/** The variables that the sources of the program read: its own, and those of the XDG specification. */
function variablesOfSources(): ReadonlySet<string> {
  const main = join(import.meta.dirname, '../../../main')
  const sources = readdirSync(main, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  const names = sources.flatMap((path) =>
    [...readFileSync(join(main, path), 'utf8').matchAll(/(?:\benv\[|_VARIABLE = )'((?:TARTAGLIA|XDG)_[A-Z_]+)'/g)].map(
      ([, name]) => name!,
    ),
  )
  return new Set(names)
}

test('it names each environment variable that the program reads, and no other', () => {
  const [, environment = ''] = /^\.SH ENVIRONMENT\n(.*)^\.SH FILES$/ms.exec(page) ?? []
  const named = [...environment.matchAll(/^\.B (\w+)$/gm)].map(([, name]) => name!)
  expect(new Set(named)).toEqual(variablesOfSources())
})

test('it has the date of the build, which can be repeated', () => {
  expect(page).toMatch(/^\.TH TARTAGLIA 1 "\d{4}-\d\d-\d\d" /)
  vi.stubEnv('SOURCE_DATE_EPOCH', '31536000')
  expect(dateOfBuild()).toBe('1971-01-01')
})
