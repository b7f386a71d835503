import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { beforeAll, describe, expect, test } from 'vitest'
import { isLong } from '../../long.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

// One file with Node inside, where nothing else is: an empty home, an empty PATH, and no network that it would need.

const root = join(import.meta.dirname, '../../..')
const folder = temporaryFolder('single-file')
const program = join(folder, 'tartaglia')
const home = join(folder, 'home')
const here = join(folder, 'here')

const typed = (...args: readonly string[]) =>
  spawnSync(program, args, { cwd: here, env: { PATH: '', HOME: home, TMPDIR: folder }, encoding: 'utf8' })

describe.skipIf(!isLong || process.platform !== 'linux')('the single file', () => {
  beforeAll(() => {
    for (const each of [home, here]) mkdirSync(each)
    const make = [join(root, 'scripts', 'single-file.mjs'), '--out', program]
    execFileSync(process.execPath, make, { env: process.env, stdio: 'pipe' })
  }, 600_000)

  test('tells its version, and unpacks itself once', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    // An interrupted start has left one folder, and another start is unpacking.
    const cache = join(home, '.cache', 'tartaglia')
    for (const [name, age] of [
      ['new-old', 7_200],
      ['new-fresh', 0],
    ] as const) {
      mkdirSync(join(cache, name, 'package'), { recursive: true })
      const then = Date.now() / 1000 - age
      utimesSync(join(cache, name), then, then)
    }
    const first = typed('--version')
    expect([first.status, first.stdout]).toEqual([0, `${version}\n`])
    expect(first.stderr).not.toBe('')
    expect(typed('--version')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' })
    const left = readdirSync(cache)
    expect([left.length, left.includes('new-fresh'), left.includes('new-old')]).toEqual([2, true, false])
  })

  test('plays matches of an agent, writes a kit, and says with its exit code what is wrong', () => {
    writeFileSync(
      join(here, 'all.cjs'),
      'module.exports = class { constructor(me, counts) { this.all = counts } offer(o) { return o === undefined ? this.all : undefined } }\n',
    )
    const tried = typed('try', 'all.cjs', '--game', 'haggle', '--matches', '2', '--against', 'baby', '--json')
    expect([tried.status, tried.stderr.includes('error')]).toEqual([0, false])
    expect(JSON.parse(tried.stdout)).toMatchObject({ opponents: [{ opponent: 'baby', matches: 2, faults: 0 }] })
    expect(typed('kit', 'javascript', '--game', 'haggle', '--out', 'kit')).toMatchObject({ status: 0 })
    expect(typed('try', 'none.cjs', '--game', 'haggle')).toMatchObject({ status: 2 })
  })

  test('runs the commands of a kit in its folder, its tests among them', () => {
    const inKit = (...args: readonly string[]) =>
      spawnSync(program, args, {
        cwd: join(here, 'kit'),
        env: { PATH: '', HOME: home, TMPDIR: folder },
        encoding: 'utf8',
      })
    expect(inKit('run', '--json')).toMatchObject({ status: 0 })
    expect(readdirSync(join(here, 'kit', 'matches'))).toEqual(['match-1.history'])
    expect(inKit('test')).toMatchObject({ status: 0, stdout: expect.stringMatching(/pass [1-9]/) as string })
  })
})
