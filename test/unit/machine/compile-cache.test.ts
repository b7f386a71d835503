import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { BUILDS_KEPT, cacheFolder, compileCacheFolder } from '../../../main/services/machine/compile-cache.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
const onWindows = process.platform === 'win32'
let home = ''
let cache = ''
let program = ''

beforeEach(() => {
  home = temporaryFolder('compiled')
  cache = join(home, 'cache')
  program = join(home, 'program.js')
  writeFileSync(program, 'first build')
})

/** The folder for the program, which is there. */
function made(): string {
  const folder = compileCacheFolder(program, cache)
  expect(folder).not.toBeNull()
  return folder!
}

test('each build has a private folder, the same at every start, and only the newest ones are kept', () => {
  const folders = Array.from({ length: BUILDS_KEPT + 2 }, (_, build) => {
    writeFileSync(program, `build ${build}`)
    const folder = made()
    expect(made()).toBe(folder)
    return folder
  })
  expect(new Set(folders).size).toBe(folders.length)
  const newest = folders.at(-1)!
  if (!onWindows) expect(statSync(newest).mode & 0o777).toBe(0o700)
  expect(existsSync(newest)).toBe(true)
  expect(readdirSync(join(cache, 'compiled'))).toHaveLength(BUILDS_KEPT)
})

test.skipIf(onWindows)(
  'a folder that others can reach, a way to it that they can write, and a link in it are refused',
  () => {
    const folder = made()
    writeFileSync(join(folder, 'entry'), 'code', { mode: 0o600 })
    made()
    for (const [path, open, closed] of [
      [folder, 0o770, 0o700],
      [join(cache, 'compiled'), 0o777, 0o700],
      // Somebody who can move the folder above can put their own in its place; in a sticky one such as /tmp they cannot.
      [home, 0o777, 0o700],
      [folder, 0o710, 0o700],
    ] as const) {
      chmodSync(path, open)
      expect(compileCacheFolder(program, cache), path).toBeNull()
      chmodSync(path, closed)
      made()
    }
    chmodSync(home, 0o1777)
    made()
    // A link there is nothing that Node makes.
    symlinkSync(program, join(folder, 'link'))
    expect(compileCacheFolder(program, cache)).toBeNull()
  },
)

test.skipIf(onWindows)(
  'folders that Node makes in it with the umask of a group of one’s own do not turn the cache off',
  () => {
    const folder = made()
    mkdirSync(join(folder, 'v26'))
    writeFileSync(join(folder, 'v26', 'entry'), 'code')
    chmodSync(join(folder, 'v26'), 0o775)
    chmodSync(join(folder, 'v26', 'entry'), 0o664)
    expect(made()).toBe(folder)
  },
)

test.skipIf(!isRoot)('a folder of somebody else is refused, and a file of theirs in it (needs root)', () => {
  const folder = made()
  for (const path of [folder, join(cache, 'compiled'), home]) {
    chownSync(path, NOBODY, NOBODY)
    expect(compileCacheFolder(program, cache), path).toBeNull()
    chownSync(path, 0, 0)
  }
  writeFileSync(join(folder, 'entry'), 'code', { mode: 0o600 })
  chownSync(join(folder, 'entry'), NOBODY, NOBODY)
  expect(compileCacheFolder(program, cache)).toBeNull()
})

test.skipIf(onWindows)('a link in the place of the folder is refused', () => {
  const elsewhere = join(home, 'elsewhere')
  mkdirSync(elsewhere, { mode: 0o700 })
  mkdirSync(cache)
  symlinkSync(elsewhere, join(cache, 'compiled'))
  expect(compileCacheFolder(program, cache)).toBeNull()
  expect(readdirSync(elsewhere)).toEqual([])
})

test.skipIf(onWindows)('the command line keeps its code there, and runs without it where others can write', () => {
  const start = (): string => {
    const env = { ...process.env, XDG_CACHE_HOME: home, HOME: home }
    return spawnSync(process.execPath, [join(root, 'dist/cli.js'), '--version'], { encoding: 'utf8', env }).stdout
  }
  const compiled = join(cacheFolder({ XDG_CACHE_HOME: home }, process.platform, home), 'compiled')
  mkdirSync(compiled, { recursive: true })
  chmodSync(compiled, 0o777)
  const said = start()
  expect(said).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect(readdirSync(compiled)).toEqual([])
  chmodSync(compiled, 0o700)
  expect(start()).toBe(said)
  const [build = ''] = readdirSync(compiled)
  const [version = ''] = readdirSync(join(compiled, build))
  expect(readdirSync(join(compiled, build, version)).length).toBeGreaterThan(10)
})

test('the cache is where each system keeps what can be made again', () => {
  expect(cacheFolder({}, 'linux', '/home/a')).toBe(join('/home/a', '.cache', 'tartaglia'))
  // The XDG Base Directory Specification says to ignore relative paths.
  expect(cacheFolder({ XDG_CACHE_HOME: 'here' }, 'linux', '/home/a')).toBe(join('/home/a', '.cache', 'tartaglia'))
  expect(cacheFolder({}, 'darwin', '/Users/a')).toBe(join('/Users/a', 'Library', 'Caches', 'Tartaglia'))
  expect(cacheFolder({ LOCALAPPDATA: 'C:\\a' }, 'win32', 'C:\\')).toBe(join('C:\\a', 'Tartaglia', 'Cache'))
})
