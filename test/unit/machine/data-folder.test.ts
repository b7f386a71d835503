import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, expect, test, vi } from 'vitest'
import { cacheFolder } from '../../../main/services/machine/compile-cache.ts'
import { defaultDataFolder } from '../../../main/services/machine/data-folder.ts'
import { configFolder } from '../../../main/services/remote-class/kept-sign-ins.ts'
import { toolchainsFile } from '../../../main/players/isolation/declared-toolchains.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { refusal, saying } from '../../refusal.ts'
import { run } from '../cli/environment.ts'

const start = process.cwd()
afterEach(() => {
  vi.unstubAllEnvs()
  process.chdir(start)
})

test('a user without a home, as in a container, has the folders that are named and is asked to name them', () => {
  const needed = refusal('path-unusable', 'HOME')
  expect(() => defaultDataFolder({}, 'linux', null)).toThrow(needed)
  expect(() => configFolder({}, 'linux', null)).toThrow(needed)
  expect(() => cacheFolder({}, 'linux', null)).toThrow()
  expect(defaultDataFolder({ TARTAGLIA_DATA: '/data' }, 'linux', null)).toBe('/data')
  expect(defaultDataFolder({ XDG_DATA_HOME: '/shared' }, 'linux', null)).toBe(join('/shared', 'tartaglia'))
  expect(configFolder({ XDG_CONFIG_HOME: '/settings' }, 'linux', null)).toBe(join('/settings', 'tartaglia'))
  expect(configFolder({ APPDATA: '/roaming' }, 'win32', null)).toBe(join('/roaming', 'Tartaglia'))
  expect(cacheFolder({ XDG_CACHE_HOME: '/cache' }, 'linux', null)).toBe(join('/cache', 'tartaglia'))
  expect(cacheFolder({ LOCALAPPDATA: '/local' }, 'win32', null)).toBe(join('/local', 'Tartaglia', 'Cache'))
})

test.skipIf(process.platform === 'win32')(
  'an empty HOME counts as absent: nothing is made in the folder at hand, and verbs that need no class go on (not on Windows)',
  async () => {
    const here = join(temporaryFolder('no-home'), 'here')
    mkdirSync(here)
    process.chdir(here)
    for (const name of ['TARTAGLIA_DATA', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME']) vi.stubEnv(name, undefined)
    vi.stubEnv('HOME', '')
    const listed = await run('contest', 'list', '--json')
    expect([listed.code, JSON.parse(listed.stdout)]).toEqual([3, expect.objectContaining({ code: 'path-unusable' })])
    expect((await run('punter', 'map', 'grid', '--out', 'map.json')).code).toBe(0)
    expect((await run('challenge', 'print', 'max-csp')).code).toBe(0)
    expect(readdirSync(here)).toEqual(['map.json'])
    expect(existsSync(toolchainsFile())).toBe(false)
  },
)

test.skipIf(process.platform !== 'linux')(
  'the single file starts no program of the folder at hand for a user without a home (needs Linux)',
  () => {
    const beginning = join(import.meta.dirname, '../../../scripts/single-file-main.mjs')
    const said = (env: Readonly<Record<string, string>>): string =>
      spawnSync(process.execPath, [beginning], { env: { PATH: '', ...env }, encoding: 'utf8' }).stderr
    expect(said({ HOME: '' })).toEqual(saying('HOME', 'XDG_CACHE_HOME'))
    // It goes on to what it would unpack.
    for (const env of [{ HOME: '', XDG_CACHE_HOME: '/cache' }, { HOME: '/home/a' }])
      expect(said(env)).not.toEqual(saying('HOME'))
  },
)
