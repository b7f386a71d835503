import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import type { Classroom } from '../../../main/contract/procedures/classroom.ts'
import { componentPath } from '../../../main/contract/procedures/components.ts'
import { playContestFile } from '../../../main/services/contests/command/contest-command.ts'
import type { ContestReport } from '../../../main/services/contests/command/contest-report.ts'
import { openComponents } from '../../../main/services/components/class-components.ts'
import { refusal } from '../../refusal.ts'
import { openStage } from './stage.ts'

// A contest that the class has goes on by its file, although a new one could not be like it.

const stage = openStage('older-contests')
afterAll(() => stage.remove())
const data = join(stage.folder, 'data')
const names = ['baby', 'b\u0430b\u0443']

/** Runs a contest file in this process. `stops`: before its first match. */
async function play(contest: string, stops = false): Promise<ContestReport> {
  const { signal } = new AbortController()
  const finishing = stops ? AbortSignal.abort() : signal
  const ignore = (): void => undefined
  return playContestFile({ contest, data, cores: 1, signal, finishing, onNotice: ignore, onProgress: ignore })
}

async function change(how: (content: Classroom) => void): Promise<void> {
  const home = await openClassFolder(data)
  await home.change(how)
  await home.close()
}

const written = (title: string, entrants: readonly string[], agents: readonly string[] = ['baby', 'baby']): string =>
  stage.write('contest.json', {
    ...{ title, game: 'haggle', format: { type: 'round-robin', seats: 2 }, isolation: 'permission', seed: title },
    entrants: entrants.map((name, at) => ({ name, agent: agents[at] })),
  })

test('with names that look alike and mix scripts', async () => {
  const { contest } = await play(written('Week 1', ['baby', 'greedy']), true)
  // As an older version has begun it.
  await change(({ contests, agents }) => {
    for (const entrant of contests[0]!.description.entrants) if (entrant.name === 'greedy') entrant.name = names[1]!
    expect(agents.length).toBeGreaterThan(0)
  })
  await expect(play(written('Week 2', names))).rejects.toThrow(refusal('json-invalid', 'entrants.1.name'))
  const older = written('Week 1', names)
  expect(await play(older)).toMatchObject({ contest, state: 'finished' })
  // It is over, so that its file would begin a new one.
  await expect(play(older)).rejects.toThrow(refusal('name-invalid', names[1]!))
})

test('with an agent that imports a component that was withdrawn since', async () => {
  const home = await openClassFolder(data)
  const components = openComponents(home, () => undefined)
  const published = await components.publish({
    ...{ fileName: 'gone.js', content: Buffer.from('export const gone = 1\n') },
    ...{ name: 'gone', author: 'Team Anna', description: '' },
  })
  await home.close()
  const importing = (more: string): string =>
    `import { gone } from './${componentPath(published)}'\nexport default class { offer(o) { return gone && o } }\n${more}`
  const user = stage.write('user.js', importing('export const has = gone\n'))
  const contest = written('Week 3', ['user', 'other'], [user, 'baby'])
  const begun = await play(contest, true)
  await change((content) => void (content.components[0]!.withdrawn = new Date().toISOString()))
  expect(await play(contest)).toMatchObject({ contest: begun.contest, state: 'finished' })
  stage.write('user.js', importing('export const has = gone + 1\n'))
  await expect(play(contest)).rejects.toThrow(refusal('component-unknown', 'gone'))
})
