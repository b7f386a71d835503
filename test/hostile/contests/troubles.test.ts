import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { start } from '../../conformance/cli/process.ts'
import { expectRefusal, openStage, reportOf, toldIn } from '../../conformance/verbs/stage.ts'
import { linkFolder } from '../../link-folder.ts'
import { processesWith } from './processes.ts'
import { refusedCommand, saying } from '../../refusal.ts'

const stage = openStage('troubles')
const contest = stage.contest('contest.json')
const long = stage.contest('long.json', { format: { type: 'round-robin', seats: 2, repeats: 8 } })
const matches = 48
const data = (name: string): string => join(stage.folder, `data-${name}`)
afterAll(() => stage.remove())

test('of many processes that begin at once on one folder each plays the contest or is refused', async () => {
  const args = ['contest', 'run', contest, '--data', data('race'), '--cores', '1', '--json'] as const
  const all = await Promise.all(Array.from({ length: 5 }, () => stage.run(...args)))
  const played = all.filter(({ code }) => code === 0)
  expect(played.length).toBeGreaterThan(0)
  for (const ended of all)
    if (!played.includes(ended)) expectRefusal(ended, 3, refusedCommand('data-folder-in-use', data('race')))
  const standings = played.map((ended) => JSON.stringify(reportOf(ended).standings))
  expect(new Set(standings).size).toBe(1)
  // Each was a contest of its own, and none wrote into another's.
  const names = played.map((ended) => reportOf(ended).contest)
  expect(readdirSync(join(data('race'), 'contests')).sort()).toEqual(names.sort())
})

describe('Ctrl-C', () => {
  const begin = (name: string) => {
    const args = [stage.cli, 'contest', 'run', long, '--data', data(name), '--cores', '2', '--json']
    // A process group of its own, as a shell makes one: the workers hear the signal too.
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    const output = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
    const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }))
    const running = async (): Promise<void> => {
      while (!output.stderr.includes(`12 of ${matches} matches`) && child.exitCode === null) await sleep(5)
    }
    return { pid: child.pid!, ended, running }
  }

  test('of the whole process group stops in words, with nothing lost', async () => {
    const stop = async () => {
      const { pid, ended, running } = begin('group')
      await running()
      process.kill(-pid, 'SIGINT')
      return ended
    }
    let stopped = await stop()
    // If others use the cores, the contest may be over before the signal comes.
    while (stopped.code === 0) {
      rmSync(data('group'), { recursive: true })
      stopped = await stop()
    }
    expect(stopped.code).toBe(130)
    expect(toldIn(stopped)).toEqual([saying('Stopping')])
    const { played } = reportOf(stopped).matches
    expect(played).toBeGreaterThanOrEqual(12)
    const resumed = begin('group')
    const report = reportOf(await resumed.ended)
    expect(report).toMatchObject({ resumed: true, matches: { total: matches, played: matches, void: 0 } })
    while (processesWith(stage.folder).length > 0) await sleep(20)
  })

  test('twice ends at once, and leaves no process', async () => {
    const { pid, ended, running } = begin('twice')
    await running()
    process.kill(pid, 'SIGINT')
    process.kill(pid, 'SIGINT')
    // null: the second came when the run had ended already, and nobody listened any more.
    expect([130, null]).toContain((await ended).code)
    while (processesWith(stage.folder).length > 0) await sleep(20)
  })
})

describe('an installation that is broken is named', () => {
  const broken = (
    name: string,
    harm: (dist: string) => void,
  ): ((...args: readonly string[]) => ReturnType<typeof stage.run>) => {
    const folder = join(stage.folder, name)
    linkFolder(join(stage.folder, 'dist'), join(folder, 'dist'))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    harm(join(folder, 'dist'))
    return (...args) => start(process.execPath, [join(folder, 'dist', 'cli.js'), ...args]).ended
  }
  const args = ['contest', 'run', contest, '--data', data('broken'), '--json'] as const

  test('a worker that throws', async () => {
    const run = broken('throws', (dist) => {
      rmSync(join(dist, 'worker.js')) // a link: the built one stays as it is
      writeFileSync(join(dist, 'worker.js'), 'throw new RangeError("no room here")')
    })
    expectRefusal(await run(...args), 3, refusedCommand('match-failed', 'RangeError: no room here'))
  })

  test('a worker that is gone', async () => {
    const run = broken('gone', (dist) => rmSync(join(dist, 'worker.js')))
    expectRefusal(await run(...args), 3, refusedCommand('match-failed', join('gone', 'dist', 'worker.js')))
  })

  test('an agent host that is gone', async () => {
    const run = broken('hostless', (dist) => rmSync(join(dist, 'host.cjs')))
    expectRefusal(await run(...args), 3, refusedCommand('isolation-unavailable', join('hostless', 'dist', 'host.cjs')))
  })

  test('agents that ship and are gone', async () => {
    const run = broken('agentless', (dist) => rmSync(join(dist, 'agents'), { recursive: true }))
    const sample = ['contest', 'run', 'sample', '--data', data('agentless'), '--json']
    expectRefusal(
      await run(...sample),
      2,
      refusedCommand('agent-unknown', 'entrant "baby"', join('agentless', 'dist', 'agents', 'specker', 'baby.js')),
    )
    expect(existsSync(data('agentless'))).toBe(false)
  })
})

describe('folders', () => {
  test('with names that steer terminals', async () => {
    const folder = join(stage.folder, 'a "b"\n\u001b[31m\u202e\'é')
    const ended = await stage.run('contest', 'run', contest, '--data', folder, '--export', join(folder, 'x\ty'))
    expect(ended).toMatchObject({ code: 0 })
    for (const text of [ended.stdout, ended.stderr])
      for (const mark of ['\u001b', '\u202e']) expect(text).not.toContain(mark)
    expect(readdirSync(join(folder, 'x\ty')).length).toBe(7)
  })

  test('with a name that is too long', async () => {
    const folder = join(stage.folder, 'x'.repeat(300))
    expectRefusal(
      await stage.run('contest', 'run', contest, '--data', folder, '--json'),
      3,
      refusedCommand('path-unusable', folder),
    )
  })

  test.each(['agents', 'keys', 'contests', 'lock', 'class.json', 'holder.json'])(
    'in which %s is of the wrong kind',
    async (name) => {
      const folder = data(`wrong-${name}`)
      mkdirSync(folder)
      if (/[.]|lock/.test(name)) mkdirSync(join(folder, name))
      else writeFileSync(join(folder, name), '')
      const place = name === 'holder.json' ? folder : join(folder, name)
      expectRefusal(await stage.run('contest', 'run', contest, '--data', folder, '--json'), 3, place)
    },
  )

  test.each(['--data', '--export'])('%s without a name', async (option) => {
    expectRefusal(await stage.run('contest', 'run', contest, '--json', option, ''), 2, option)
  })
})

test('a single match that Ctrl-C stops ends with code 130 and one sentence more', async () => {
  const agent = stage.write('endless.js', 'for (;;);')
  const folder = join(stage.folder, 'kept')
  const running = stage.begin('match', 'play', agent, 'baby', '--isolation', 'permission', '--json', '--export', folder)
  // Its agent is at work: the match is under way.
  while (
    !processesWith(stage.folder).some(({ command }) => command.includes('host.cjs') && !command.includes('cli.js'))
  )
    await sleep(5)
  running.child.kill('SIGINT')
  const ended = await running.ended
  expect(ended.code).toBe(130)
  expect(toldIn(ended)).toEqual([saying('Stopping'), saying('match', 'stopped')])
  expect(JSON.parse(ended.stdout)).toMatchObject({ code: 'stopped' })
  expect(existsSync(folder)).toBe(false)
  while (processesWith(stage.folder).length > 0) await sleep(20)
})
