import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { defaultDataFolder } from '../../../main/services/machine/data-folder.ts'
import type { DoctorFinding } from '../../../main/contract/procedures/answers.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from './environment.ts'

let folder = ''
beforeEach(() => {
  folder = temporaryFolder('doctor')
})

async function findings(data: string): Promise<{ ok: boolean; findings: readonly DoctorFinding[]; code: number }> {
  const { code, stdout } = await run('doctor', '--quick', '--json', '--data', data)
  return { ...(JSON.parse(stdout) as { ok: boolean; findings: readonly DoctorFinding[] }), code }
}

test('a data folder that can be written is good, and nothing is left in it', async () => {
  const found = await findings(folder)
  expect(found.findings).toContainEqual({ name: 'data folder', verdict: 'good', text: folder })
  expect(readdirSync(folder)).toEqual([])
})

test('a data folder that does not exist yet is not made', async () => {
  const found = await findings(join(folder, 'a', 'b'))
  expect(found.findings.find(({ name }) => name === 'data folder')?.verdict).toBe('good')
  expect(readdirSync(folder)).toEqual([])
})

test('a data folder that cannot be is bad: exit code 3', async () => {
  writeFileSync(join(folder, 'file'), '')
  const found = await findings(join(folder, 'file', 'data'))
  expect(found).toMatchObject({ ok: false, code: 3 })
  expect(found.findings.find(({ name }) => name === 'data folder')).toMatchObject({ verdict: 'bad' })
})

test('people get a line for each finding', async () => {
  const { stdout } = await run('doctor', '--quick', '--data', folder)
  for (const name of [
    'node',
    'platform',
    'cores',
    'memory',
    'bubblewrap',
    'shared',
    'permission',
    'data folder',
    'free space',
  ]) {
    expect(stdout).toMatch(new RegExp(`^(good|weak|bad ) +${name} `, 'm'))
  }
})

test('the default data folder is where the platform keeps such things', () => {
  expect(defaultDataFolder({ TARTAGLIA_DATA: '/class' }, 'linux', '/home/a')).toBe('/class')
  expect(defaultDataFolder({}, 'linux', '/home/a')).toBe('/home/a/.local/share/tartaglia')
  expect(defaultDataFolder({ XDG_DATA_HOME: '/xdg' }, 'linux', '/home/a')).toBe('/xdg/tartaglia')
  expect(defaultDataFolder({ XDG_DATA_HOME: 'relative' }, 'linux', '/home/a')).toBe('/home/a/.local/share/tartaglia')
  expect(defaultDataFolder({}, 'darwin', '/Users/a')).toBe('/Users/a/Library/Application Support/Tartaglia')
  expect(defaultDataFolder({ APPDATA: '/roaming' }, 'win32', '/a')).toBe('/roaming/Tartaglia')
})
