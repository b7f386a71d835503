import { randomUUID } from 'node:crypto'
import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OtherAnswer } from '../../../main/contract/histories/other-answers.ts'
import type { MatchEvent } from '../../../main/contract/procedures/procedures.ts'
import { games } from '../../../main/referees/games.ts'
import { playSingleMatch } from '../../../main/services/contests/command/play-match.ts'
import { refusal } from '../../refusal.ts'
import { openPlace, openRoom, type Room } from './classroom.ts'

const place = openPlace('service-other-answers')
let room: Room
/** The opened file of a match of each game. */
const files = new Map<string, string>()
const played = [
  { game: 'specker', agents: ['baby', 'greedy'], config: { challenge: 'max-sat' }, seat: 1, other: 'baby' },
  { game: 'haggle', agents: ['hard', 'conceder'], config: {}, seat: 1, other: 'hard' },
  { game: 'punter', agents: ['baby', 'greedy'], config: { map: 'grid' }, seat: 1, other: 'baby' },
  { game: 'cows', agents: ['baby', 'herder'], config: { map: 'meadow', steps: 20 }, seat: 1, other: 'baby' },
  { game: 'cops', agents: ['baby', 'house'], config: { map: 'hamlet' }, seat: 1, other: 'baby' },
] as const

beforeAll(async () => {
  room = await openRoom(join(place.folder, 'data'))
  await room.call('settings.set', { isolation: 'permission' })
  for (const { game, agents, config } of played) {
    const path = join(place.folder, `${game}.jsonl`)
    const known = { data: room.data, seed: 'tartaglia', isolation: 'permission', onNotice: () => undefined } as const
    const { signal } = new AbortController()
    await playSingleMatch({ ...known, game, agents, config, signal, exportTo: { path, overwrite: false } })
    files.set(game, (await room.service.takeHistory(`${game}.jsonl`, createReadStream(path))).file)
  }
}, 180_000)
afterAll(async () => {
  await room.service.close()
  place.remove()
})

const sourceOf = (game: string) => ({ from: 'file', file: files.get(game)! }) as const
async function agentOf(game: string, name: string): Promise<string> {
  const offered = await room.call('play.opponents', { game })
  return offered.find((each) => each.name === name)!.agent
}
async function ask(game: string, name: string, seat: number, position: number): Promise<OtherAnswer> {
  const wish = { request: randomUUID(), source: sourceOf(game), position, seat, agent: await agentOf(game, name) }
  return room.call('matches.otherAnswer', wish)
}
async function eventsOf(game: string): Promise<readonly MatchEvent[]> {
  const { events: limit } = await room.call('matches.get', { source: sourceOf(game) })
  return (await room.call('matches.events', { source: sourceOf(game), offset: 0, limit: Math.min(1_000, limit) })).items
}

test.each(played)(
  '$game: the agent that played answers as recorded, and another one so that the rules take it',
  async (match) => {
    const { game, agents, seat, other } = match
    const events = await eventsOf(game)
    const shown = Math.min(12, events.length >> 1)
    const name = agents[game === 'cops' ? 1 : seat]
    const [own, different] = await Promise.all([ask(game, name, seat, shown), ask(game, other, seat, shown)])
    expect(own).toMatchObject({ same: true, differs: null, failed: null })
    expect(own.event).toBeGreaterThanOrEqual(shown - 1)
    expect(own.moves).toBeGreaterThan(0)
    // The same inputs would have followed.
    const inputs = (from: readonly MatchEvent[]) => from.flatMap((each) => (each.kind === 'input' ? [each.input] : []))
    expect(own.events.length).toBeGreaterThan(0)
    expect(inputs(events.slice(own.first)).slice(0, own.events.length)).toEqual(inputs(own.events))

    expect(different).toMatchObject({ event: own.event, failed: null })
    expect(different.differs).not.toBeNull()
    expect(different.shown.length).toBeGreaterThan(0)
    const { facts, config, seed } = await room.call('matches.get', { source: sourceOf(game) })
    const seats = facts.seats.map(({ id, entrant, role, bodies }) => ({ id, entrant, role, bodies }))
    const rules = games.get(game)!.fold(config, seats, seed)
    for (const input of inputs([...events.slice(0, different.first), ...different.events]))
      expect(rules.apply(input)).toBeNull()
  },
)

test('an agent of the class that fails is said to have failed, with the event and its last lines', async () => {
  const broken =
    'let n = 0\nmodule.exports = class { turn() { console.log("turn " + ++n); if (n > 2) throw new Error("no idea"); return [] } }'
  await room.submit({ fileName: 'broken.js', content: broken, game: 'specker', wait: false })
  await room.submit({ fileName: 'unborn.js', content: 'throw new Error("never")', game: 'specker', wait: false })
  const first = await ask('specker', 'broken', 0, 0)
  expect(first).toMatchObject({ failed: null, moves: 1 })
  const [late, never] = await Promise.all([ask('specker', 'broken', 0, 100_000), ask('specker', 'unborn', 0, 100_000)])
  // Here it is asked and fails, which the rules take as they take a fault.
  expect(late).toMatchObject({ same: false, failed: { event: late.event, fault: { kind: 'crash' } } })
  expect(late.events).toMatchObject([{ input: { type: 'fault', seat: 0 } }])
  expect(late.console.join('')).toContain('turn 3')
  // It had failed before.
  expect(never).toMatchObject({ same: false, failed: { event: first.event }, events: [], shown: [], differs: null })
})

test('a request is stopped by its id, and nothing is stored in the class', async () => {
  const before = readdirSync(join(room.data, 'agents'))
  const request = randomUUID()
  const wish = {
    request,
    source: sourceOf('specker'),
    position: 1_000,
    seat: 0,
    agent: await agentOf('specker', 'tartaglia'),
  }
  const asked = room.call('matches.otherAnswer', wish)
  await room.call('matches.stopOtherAnswer', { request })
  await expect(asked).rejects.toThrow(refusal('stopped'))
  expect(readdirSync(join(room.data, 'agents'))).toEqual(before)
})

test('seats and agents that do not exist are refused', async () => {
  const agent = await agentOf('specker', 'baby')
  const wish = { request: randomUUID(), source: sourceOf('specker'), position: 1 }
  await expect(room.call('matches.otherAnswer', { ...wish, seat: 7, agent })).rejects.toThrow(refusal('seat-unknown'))
  const other = await agentOf('haggle', 'baby')
  await expect(room.call('matches.otherAnswer', { ...wish, seat: 0, agent: other })).rejects.toThrow(
    refusal('agent-unknown'),
  )
})
