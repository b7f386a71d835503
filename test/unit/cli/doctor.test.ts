import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { contestDescription } from '../../../main/contract/contests/contests.ts'
import { newContest } from '../../../main/services/contests/descriptions/new-contest.ts'
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

test('a class that is lost, old or damaged is not good', async () => {
  const data = join(folder, 'class')
  const verdict = async () => (await findings(data)).findings.find(({ name }) => name === 'class')
  const home = await openClassFolder(data)
  expect(await verdict()).toEqual({ name: 'class', verdict: 'good', text: 'there is none yet' })
  const entrants = [{ name: 'anna', agent: 'a'.repeat(64) }]
  const description = contestDescription.parse({
    ...{ title: 'Week 1', game: 'specker', format: { type: 'single' }, seed: 'x', entrants },
  })
  await home.change((content) => void newContest(content, data, description, { nonce: '0'.repeat(64) }))
  await home.close()
  expect(await verdict()).toMatchObject({ verdict: 'good', text: 'contests: 1, versions of agents: 1' })
  const file = join(data, 'class.json')
  const good = readFileSync(file)
  rmSync(file)
  expect(await verdict()).toMatchObject({
    verdict: 'weak',
    text: expect.stringContaining('1 contest and 1 agent') as string,
  })
  writeFileSync(file, good.subarray(0, 100))
  expect(await findings(data)).toMatchObject({ ok: false, code: 3 })
  expect(await verdict()).toMatchObject({
    verdict: 'bad',
    text: expect.stringContaining('move this file away') as string,
  })
  writeFileSync(file, good.toString().replace('"open"', '"ended"'))
  expect(await verdict()).toMatchObject({
    verdict: 'weak',
    text: expect.stringContaining('the histories of week-1-1 are gone') as string,
  })
})

test('--fix shows commands and runs none; --yes alone is refused', async () => {
  const { stdout } = await run('doctor', '--quick', '--fix', '--json', '--data', folder)
  const { fixes } = JSON.parse(stdout) as { fixes: readonly { command: string; code: number | null }[] }
  for (const { code } of fixes) expect(code).toBe(null)
  const { code, stderr } = await run('doctor', '--quick', '--yes', '--data', folder)
  expect(code).toBe(2)
  expect(stderr).toContain('--fix')
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
    'open files',
    'data folder',
    'class',
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
