import { afterAll, expect, test } from 'vitest'
import { join } from 'node:path'
import type { Ended } from '../cli/process.ts'
import { expectRefusal, openStage, reportOf, toldIn } from './stage.ts'
import { refusedCommand, saying } from '../../refusal.ts'

const stage = openStage('kept-contests')
afterAll(() => stage.remove())
const matches = 24
/** Two agents, as most of the time of a short contest is that of starting them. */
const entrants = ['baby', 'greedy'].map((name) => ({ name, agent: join(stage.agents, `${name}.js`) }))
const contest = stage.contest('contest.json', { format: { type: 'round-robin', seats: 2, repeats: 24 }, entrants })
const at = (name: string) => ['--data', join(stage.folder, name), '--cores', '1', '--json'] as const

test('Ctrl-C finishes the running matches; the contest is resumed by its id, ends, and runs again the same way', async () => {
  let stopped: (Ended & { readonly name: string }) | undefined
  // If others use the cores, the contest may be over before the signal comes.
  for (let attempt = 0; stopped === undefined || stopped.code === 0; attempt++) {
    const running = stage.begin('contest', 'run', contest, ...at(`data-${attempt}`))
    await running.said(`6 of ${matches} matches`)
    running.child.kill('SIGINT')
    stopped = { ...(await running.ended), name: `data-${attempt}` }
  }
  expect(stopped.code).toBe(130)
  expect(toldIn(stopped)).toEqual([saying('Stopping', 'cluster', 'same command', 'resume', 'Ctrl-C')])
  const first = reportOf(stopped)
  expect(first.state).toBe('stopped')
  expect(first.matches.played).toBeLessThan(matches)
  expectRefusal(
    await stage.run('contest', 'rerun', first.contest, ...at(stopped.name), '--json'),
    2,
    refusedCommand('contest-not-over', first.contest),
  )

  const resumed = reportOf(await stage.run('contest', 'resume', first.contest, ...at(stopped.name)))
  expect(resumed).toMatchObject({ contest: first.contest, state: 'finished', resumed: true })
  expect(resumed.matches).toEqual({ total: matches, played: matches, void: 0 })
  expectRefusal(
    await stage.run('contest', 'resume', first.contest, ...at(stopped.name), '--json'),
    2,
    refusedCommand('contest-over', first.contest, 'ended', `contest rerun ${first.contest}`),
  )

  const folder = join(stage.folder, 'exported')
  const ended = await stage.run('contest', 'rerun', first.contest, '--export', folder, ...at(stopped.name))
  const again = reportOf(ended)
  expect(again.contest).not.toBe(first.contest)
  expect(again).toMatchObject({
    state: 'finished',
    counts: false,
    rerun: { of: first.contest, compared: { matches, different: [] } },
  })
  expect(again.standings).toEqual(resumed.standings)
  expect((await stage.run('history', 'verify', again.histories[0]!.file!)).code).toBe(4)
  // The file's own contest is over: a run of the file is a new contest, and not the one that repeats it.
  const anew = reportOf(await stage.run('contest', 'run', contest, ...at(stopped.name)))
  expect(anew).toMatchObject({ resumed: false, rerun: null })
})

test('what cannot be resumed or repeated is refused in a sentence', async () => {
  const none = join(stage.folder, 'none')
  for (const verb of ['resume', 'rerun'])
    expectRefusal(
      await stage.run('contest', verb, 'x', '--data', none, '--json'),
      2,
      refusedCommand('data-folder-unknown', none),
    )
})
