import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { resources } from '../../../main/services/machine/resources.ts'
import { HUMAN } from '../../../main/contract/players/agents.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { Play } from '../../../main/contract/procedures/human-match.ts'
import { draftOf, openPlace, openRoom, type Room } from './classroom.ts'
import { refusal, type Fact, saying } from '../../refusal.ts'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'

const place = openPlace('service-plays')
let room: Room

beforeAll(async () => {
  room = await openRoom(join(place.folder, 'data'))
  await room.call('settings.set', { isolation: 'permission' })
})
afterAll(async () => {
  await room.service.close()
  place.remove()
})

const wish = { game: 'haggle', config: { seed: 1 }, moveMs: 600_000 }

async function shipped(name: string): Promise<string> {
  const opponents = await room.call('play.opponents', { game: 'haggle' })
  return opponents.find((each) => each.shipped && each.name === name)!.agent
}

async function begin(name: string, seat: number): Promise<string> {
  const { contest } = await room.call('play.begin', { ...wish, opponents: [await shipped(name)], seat })
  return contest
}

/** The play as soon as it is as wanted; whoever waits is at the window meanwhile. */
function until(contest: string, wanted: (play: Play) => boolean): Promise<Play> {
  return new Promise((resolve) => {
    const off = room.service.on(`play:${contest}`, (value) => {
      const play = value as Play
      if (!wanted(play)) return
      setImmediate(() => off())
      resolve(play)
    })
  })
}
const myTurn = (contest: string): Promise<Play> => until(contest, ({ question }) => question !== null)
const over = (contest: string): Promise<Play> => until(contest, ({ result }) => result !== null)

test('those that ship and those of the class can be played against', async () => {
  const own = await readFile(join(resources.agents, 'haggle', 'hard.js'), 'utf8')
  await room.submit({ fileName: 'mine.js', content: own, game: 'haggle' })
  const opponents = await room.call('play.opponents', { game: 'haggle' })
  expect(opponents[0]).toMatchObject({ name: 'mine', shipped: false })
  // The same script is not there twice.
  expect(opponents.slice(1).map(({ name }) => name)).toEqual(['baby', 'conceder', 'learner', 'tartaglia'])
  expect(await room.call('play.opponents', { game: 'chess' })).toEqual([])
})

test('a person plays to a deal, which is recorded, verified and read as any other match', async () => {
  const contest = await begin('baby', 0)
  const first = await myTurn(contest)
  expect(first).toMatchObject({ contest, game: 'haggle', seat: 0, names: ['Human', 'baby'], result: null })
  expect(first.question!.msLeft).toBeGreaterThan(500_000)
  const [start, turn] = first.dialogue.map(({ value }) => value as { [name: string]: Json })
  expect(start).toMatchObject({ type: 'start', me: 0, counts: [4, 1, 1], values: [0, 8, 2] })
  expect(turn).toEqual({ type: 'turn', offer: null })

  const { number } = first.question!
  await room.call('play.answer', { contest, question: number, value: { value: [0, 1, 0] } })
  await expect(room.call('play.answer', { contest, question: number, value: { value: null } })).rejects.toThrow(
    expect.objectContaining({ code: expect.stringMatching(/^(question-closed|match-over)$/) as string }) as Error,
  )
  const ended = await over(contest)
  // The baby takes what leaves it half: 4 books and a ball are worth all of 10 to it.
  expect(ended.result).toMatchObject({ outcome: { agreed: true, places: [{ score: 8 }, { score: 10 }] } })
  expect(ended.question).toBeNull()
  await room.call('play.leave', { contest })

  const source = { from: 'contest', contest, match: 0 } as const
  const { facts } = await room.call('matches.get', { source })
  expect(facts.seats.map(({ name, agent }) => [name, agent === HUMAN])).toEqual([
    ['Human', true],
    ['baby', false],
  ])
  expect(await room.call('histories.verify', { source })).toMatchObject({ ok: true, replayed: true })
  const detail = await room.call('contests.get', { contest })
  expect(detail.summary).toMatchObject({ state: 'ended' })
  // Neither has a screen of its own, so that their names are not links.
  expect(detail.renamed).toEqual([
    { entrant: 'Human', agent: null },
    { entrant: 'baby', agent: null },
  ])
  // The overview is of contests.
  expect((await room.call('class.overview', {})).contests.map((each) => each.contest)).not.toContain(contest)
  const { items } = await room.call('histories.list', { search: contest })
  expect(items[0]!.seats.map(({ name, agent }) => [name, agent])).toEqual([
    ['Human', null],
    ['baby', null],
  ])
  // It has come with Tartaglia and was not handed in.
  expect((await room.call('agents.list', {})).items.map(({ name }) => name)).not.toContain('baby')
})

test('what no game can read is refused and costs nothing; who walks away has walked away', async () => {
  const contest = await begin('learner', 1)
  const { question } = await myTurn(contest)
  const say = (value: Json, number: number | null = question!.number) =>
    room.call('play.answer', { contest, question: number, value: value as never })
  await expect(say({ demand: [1] })).rejects.toThrow(refusal('answer-refused', 'Haggling'))
  await expect(say([4, 1, 1])).rejects.toThrow(refusal('answer-refused', 'Haggling'))
  await expect(say({ value: [0, 0, 0] }, question!.number + 1)).rejects.toThrow(refusal('question-closed'))
  expect(() => say(undefined as never)).toThrow()
  expect(room.call.bind(null, 'play.answer', { contest, question: 0, value: null })).toThrow()
  expect((await room.call('play.get', { contest })).question?.number).toBe(question!.number)

  await say({ threw: 'No deal.' }, null)
  expect((await over(contest)).result).toMatchObject({
    outcome: { agreed: false, places: [{ removed: false }, { removed: true, reason: 'No deal.' }] },
  })
  await expect(say({ value: null })).rejects.toThrow(refusal('match-over'))
})

test('a person who leaves ends the match for themselves, and what was played is kept', async () => {
  const contest = await begin('tartaglia', 1)
  await myTurn(contest)
  await room.call('play.leave', { contest })
  const { result } = await over(contest)
  expect(result).toMatchObject({
    outcome: { places: [{}, { removed: true, reason: saying('player', 'left') }] },
  })
  await expect(room.call('play.get', { contest: 'nobody-1' })).rejects.toThrow(refusal('match-not-played', 'nobody-1'))
  expect(() => room.service.on('play:nobody-1', () => undefined)).toThrow(refusal('match-not-played', 'nobody-1'))
})

test('a match with a person is stopped for good, and never gone on with', async () => {
  const contest = await begin('conceder', 0)
  await myTurn(contest)
  expect((await room.call('contests.get', { contest })).summary.state).toBe('running')
  const { title } = (await room.call('contests.get', { contest })).summary
  await expect(room.call('contests.start', { contest })).rejects.toThrow(refusal('contest-running', title))
  await room.call('contests.pause', { contest })
  expect((await over(contest)).result).toEqual({ stopped: expect.stringContaining('stopped') as string })
  expect((await room.call('contests.get', { contest })).summary).toMatchObject({ state: 'cancelled' })
})

test.each<[string, object, ErrorCode, Fact]>([
  ['a game that is not there', { game: 'chess' }, 'game-unknown', 'chess'],
  ['an agent that is not there', { opponents: ['1'.repeat(64)] }, 'agent-unknown', 'haggle'],
  ['a person against a person', { opponents: [HUMAN] }, 'agent-unknown', 'haggle'],
  ['settings that do not exist', { config: { types: 99 } }, 'settings-invalid', 'types'],
])('%s is refused', async (_, change, code, fact) => {
  const opponents = [await shipped('baby')]
  await expect(room.call('play.begin', { ...wish, opponents, seat: 0, ...change })).rejects.toThrow(refusal(code, fact))
  expect(room.call.bind(null, 'play.begin', { ...wish, opponents, seat: -1 })).toThrow()
})

test('no contest takes a person, who is nobody that was handed in', async () => {
  const draft = draftOf([
    { name: 'me', agent: HUMAN },
    { name: 'mine', agent: await shipped('baby') },
  ])
  await expect(room.call('contests.create', { draft })).rejects.toThrow(refusal('agent-unknown', 'me'))
})

test('a classroom that is closed ends what is played, and a copy of it says that nobody plays', async () => {
  const data = join(place.folder, 'closing')
  await cp(join(room.data), data, { recursive: true, filter: (from) => !from.endsWith('.lock') })
  const other = await openRoom(data)
  const { agent } = (await other.call('play.opponents', { game: 'haggle' }))[0]!
  const { contest } = await other.call('play.begin', { ...wish, opponents: [agent], seat: 0 })
  await vi.waitFor(async () => expect((await other.call('play.get', { contest })).question).not.toBeNull(), {
    timeout: 120_000,
  })
  await other.service.close()
  const again = await openRoom(data)
  expect((await again.call('contests.get', { contest })).summary.state).toBe('cancelled')
  await expect(again.call('contests.start', { contest })).rejects.toThrow(refusal('contest-over', 'cancelled'))
  await again.service.close()
})
