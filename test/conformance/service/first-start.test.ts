import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { ContestSummary } from '../../../main/contract/procedures/procedures.ts'
import { openPlace, openRoom } from './classroom.ts'

const SHIPPED = [
  'cubic-equations',
  'graph-colouring',
  'job-scheduling',
  'knapsack',
  'longest-common-subsequence',
  'max-csp',
  'max-sat',
  'number-partition',
  'pseudo-boolean',
  'set-cover',
  'travelling-salesman',
  'vertex-cover',
]

const place = openPlace('service-first')
afterAll(() => place.remove())

test(
  'a new folder is a class with eight agents, one contest that runs and one to run',
  { timeout: 240_000 },
  async () => {
    const data = join(place.folder, 'data')
    const room = await openRoom(data, true)
    const { agents, contests } = await room.call('class.overview', {})
    expect(agents).toBe(8)
    expect(contests.map(({ contest }) => contest).toSorted()).toEqual(['sample-contest-1', 'sample-duels-1'])
    const running = await room.until('sample-contest-1', ({ summary }) => summary.progress.done > 0)
    expect(running.summary).toMatchObject({ state: 'running', entrants: 8, progress: { total: 70 } })
    const status = await new Promise<readonly ContestSummary[]>((resolve) => {
      const off = room.service.on('status', (value) => {
        setImmediate(() => off())
        // The topic's value, as Topics says.
        resolve(value as readonly ContestSummary[])
      })
    })
    expect(status.map(({ contest, state }) => [contest, state])).toEqual([['sample-contest-1', 'running']])
    await room.service.close()

    // It is made once: what is closed is found again, and nothing runs unasked.
    const again = await openRoom(data, true)
    const later = await again.call('class.overview', {})
    expect(later.agents).toBe(8)
    expect(later.contests.map(({ state }) => state)).toEqual(['open', 'open'])
    expect(later.attention).toEqual([
      {
        text: expect.stringMatching(/\bSample contest\b.*\bpaused\b.*\b\d+ of 70\b/) as string,
        link: '#/contests/sample-contest-1',
      },
    ])
    const challenges = await again.call('challenges.list', {})
    expect(challenges.map(({ name }) => name)).toEqual(SHIPPED)
    expect((await again.call('challenges.get', { name: 'max-sat' })).source).toContain('challenge max-sat')
    await again.service.close()
  },
)
