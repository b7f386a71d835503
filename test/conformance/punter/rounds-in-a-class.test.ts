import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ContestDraft } from '../../../main/contract/procedures/procedures.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import { pathMap } from '../../unit/punter/stage.ts'
import { openPlace, openRoom, type Room } from '../service/classroom.ts'

const place = openPlace('punter-rounds')
let room: Room
let entrants: ContestDraft['entrants']

beforeAll(async () => {
  room = await openRoom(join(place.folder, 'data'))
  await room.call('settings.set', { isolation: 'permission' })
  entrants = []
  for (const name of ['baby', 'greedy', 'tartaglia']) {
    const content = await readFile(join(resources.agents, 'punter', `${name}.js`))
    const { versions } = await room.submit({ fileName: `${name}.js`, content, game: 'punter' })
    entrants.push({ name, agent: versions[0]!.agent })
  }
}, 120_000)
afterAll(async () => {
  await room.service.close()
  place.remove()
})

const field = { game: 'punter', field: 'map' } as const

test('a contest in rounds is made in the window, keeps its maps, and has a table for each round', async () => {
  await room.call('texts.add', { ...field, name: 'mine', text: pathMap(4) })
  const settings = { seats: 3, games: 1, small: ['sample', 'mine'], larger: ['mine'], fiendish: ['sample'] }
  const draft: ContestDraft = {
    title: 'Three rounds',
    game: 'punter',
    config: { map: 'grid' },
    format: { type: 'game', name: 'rounds', settings },
    seed: 'a class',
    limits: { startMs: 60_000, moveMs: 60_000, memoryMb: 256, messageBytes: 1_048_576, consoleBytes: 65_536 },
    isolation: 'permission',
    clock: 'frozen',
    sample: 1,
    entrants,
  }
  const { contest } = await room.call('contests.create', { draft })
  // Contests that were made with a map keep it.
  await room.call('texts.delete', { ...field, name: 'mine' })
  await room.call('contests.start', { contest })
  const detail = await room.until(contest, ({ summary }) => summary.state === 'ended')
  expect(detail.notices).toEqual([])

  // Three play one game on each of two maps.
  const [first, second, third] = ['Round 1, small maps', 'Round 2, larger maps', 'Round 3, fiendish maps'].map(
    (title) => detail.tables[title] as readonly { agent: string; rank: number; games: number; next?: string }[],
  )
  expect(first!.map(({ games }) => games)).toEqual([2, 2, 2])
  const going = first!.filter(({ next }) => next === 'yes').map(({ agent }) => agent)
  expect(going.length).toBeGreaterThanOrEqual(2)
  expect(second!.map(({ agent }) => agent).sort()).toEqual([...going].sort())
  // One is left: there is nobody to play the third round with, so the second was the last.
  expect(second!.every(({ next }) => next === undefined)).toBe(true)
  expect(third).toBeUndefined()
  const reached = new Map(detail.standings.map(({ agent, stage }) => [agent, stage]))
  expect(second!.every(({ agent }) => reached.get(agent) === 2)).toBe(true)
  expect(detail.standings.map(({ rank }) => rank)[0]).toBe(1)

  const { done, total } = detail.summary.progress
  const matches = await room.call('contests.matches', { contest, offset: 0, limit: 50, entrant: '' })
  expect([done, total]).toEqual([matches.total, matches.total])
  // The list of contests counts what was played, which results have decided.
  const { items } = await room.call('contests.list', { offset: 0, limit: 10, search: '' })
  expect(items.find((item) => item.contest === contest)?.progress).toMatchObject({ done: total, total })

  const mapOf = async (match: number): Promise<unknown> => {
    const { config } = await room.call('matches.get', { source: { from: 'contest', contest, match } })
    return (config as { readonly map: string }).map
  }
  const sample = await readFile(join(resources.agents, 'punter', 'maps', 'sample.json'), 'utf8')
  expect([await mapOf(0), await mapOf(1)]).toEqual([sample, `${pathMap(4)}\n`])
}, 180_000)
