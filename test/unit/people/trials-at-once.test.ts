import { expect, test, vi } from 'vitest'
import { storeAgent } from '../../../main/administrator/classroom/agents.ts'
import type { ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { addAttempt, attemptsOf, setAttempt } from '../../../main/administrator/people/attempts.ts'
import { closePeopleDatabase, openPeopleDatabase } from '../../../main/administrator/people/people-database.ts'
import type { Classroom, StoredAgentVersion } from '../../../main/contract/procedures/classroom.ts'
import { createSmokeMatches } from '../../../main/services/agents/smoke-matches.ts'
import { closeHandIns, openHandIns, playWaiting, type HandIns } from '../../../main/services/hand-in/class-hand-ins.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const versionOf = (n: number): StoredAgentVersion =>
  ({
    ...{ hash: String(n).repeat(64), manifest: { name: `agent-${n}`, game: 'haggle' }, smoke: null },
    ...{ owner: String(n % 2).repeat(16), handIn: { receipt: n, contest: null } },
  }) as unknown as StoredAgentVersion

/** A class whose trials end when they are told to. */
function openClass(trialsAtOnce: number) {
  const content = {
    ...{ settings: { trialsAtOnce, isolation: 'none' }, teams: [], deadlines: [], extensions: [] },
    agents: [1, 2, 3, 4].map(versionOf),
  } as unknown as Classroom
  const folder = temporaryFolder('trials-at-once')
  const home = { content, folder, change: async (edit: (content: Classroom) => unknown) => void (await edit(content)) }
  const playing = new Map<string, () => void>()
  const play = (version: StoredAgentVersion): Promise<void> =>
    new Promise((resolve) =>
      playing.set(version.manifest.name, () => {
        playing.delete(version.manifest.name)
        version.smoke = { ok: true, text: '' }
        resolve()
      }),
    )
  return { content, home, playing, play }
}

test.each([1, 2])('the queue of hand-ins tries %i at once, and teams take turns', async (atOnce) => {
  const { home, playing, play } = openClass(atOnce)
  const people = openPeopleDatabase(home.folder)
  // Team 1, team 1, team 0, team 0.
  for (const [receipt, team] of [1, 3, 2, 4].map((n) => [n, String(n % 2).repeat(16)] as const)) {
    const file = { file: 'a.js', sha256: '0'.repeat(64), at: 0, game: 'haggle', wish: { agent: null } }
    const id = addAttempt(people, { team, members: [], person: null, contest: null, ...file })
    people.database.prepare('UPDATE attempt SET receipt = ? WHERE id = ?').run(receipt, id)
    setAttempt(people, id, 'waiting')
  }
  const room = openHandIns({
    ...{ home, people, playTrial: play, now: () => 0, wake: () => () => undefined },
    ...{ onChange: () => undefined, onFatal: (error: unknown) => expect.unreachable(String(error)) },
  } as unknown as HandIns)
  playWaiting(room)
  const begun: string[] = []
  while (begun.length < 4) {
    await vi.waitFor(() => expect(playing.size).toBe(Math.min(atOnce, 4 - begun.length)))
    const [name, end] = [...playing][0]!
    begun.push(name)
    end()
    await Promise.resolve()
  }
  await room.running
  expect(begun).toEqual(['agent-1', 'agent-2', 'agent-3', 'agent-4'])
  expect(attemptsOf(people, '1'.repeat(16)).map(({ state }) => state)).toEqual(['passed', 'passed'])
  await closeHandIns(room)
  closePeopleDatabase(people)
})

test('a hand-in that comes while a trial is played takes a free place at once', async () => {
  const { home, playing, play } = openClass(2)
  const people = openPeopleDatabase(home.folder)
  const room = openHandIns({
    ...{ home, people, playTrial: play, now: () => 0, wake: () => () => undefined },
    ...{ onChange: () => undefined, onFatal: (error: unknown) => expect.unreachable(String(error)) },
  } as unknown as HandIns)
  for (const n of [1, 2]) {
    room.waiting.push({ id: n, team: String(n % 2).repeat(16), receipt: n })
    playWaiting(room)
    await vi.waitFor(() => expect(playing.size).toBe(n))
  }
  for (const end of [...playing.values()]) end()
  await room.running
  await closeHandIns(room)
  closePeopleDatabase(people)
})

test('trials of agents are played as many at once as the class sets, also after it has set more', async () => {
  const { content, home, playing } = openClass(1)
  const trials = createSmokeMatches(
    home as unknown as ClassFolder,
    ({ name }) =>
      new Promise((resolve) => playing.set(name, () => (playing.delete(name), resolve({ ok: true, text: '' })))),
    () => undefined,
  )

  for (const version of content.agents) {
    const bytes = Buffer.from(`module.exports = class {} // ${version.manifest.name}\n`)
    version.hash = (await storeAgent(home.folder, { kind: 'script', bytes })).agent
  }
  const all = Promise.all(content.agents.map((version) => trials.play(version)))
  expect([...playing.keys()]).toEqual(['agent-1'])
  content.settings.trialsAtOnce = 2
  playing.get('agent-1')!()
  await vi.waitFor(() => expect([...playing.keys()]).toEqual(['agent-2', 'agent-3']))
  playing.get('agent-3')!()
  await vi.waitFor(() => expect([...playing.keys()]).toEqual(['agent-2', 'agent-4']))
  for (const end of [...playing.values()]) end()
  await all
  expect(content.agents.every(({ smoke }) => smoke?.ok === true)).toBe(true)
  await trials.close()
})

test('the time of a practice match begins when its turn has come', async () => {
  const { content, home, playing } = openClass(1)
  const trials = createSmokeMatches(
    home as unknown as ClassFolder,
    ({ name }) =>
      new Promise((resolve) => playing.set(name, () => (playing.delete(name), resolve({ ok: true, text: '' })))),
    () => undefined,
  )
  const [one, two] = content.agents as [StoredAgentVersion, StoredAgentVersion]
  for (const version of [one, two]) {
    const bytes = Buffer.from(`module.exports = class {} // ${version.manifest.name}\n`)
    version.hash = (await storeAgent(home.folder, { kind: 'script', bytes })).agent
  }
  const before = trials.play(one)
  const begin = vi.fn(() => new AbortController().signal)
  const against = { file: 'baby', name: 'baby', seed: '0'.repeat(64) }
  const exportTo = { path: `${home.folder}/practice.jsonl`, overwrite: true, mode: 0o600 }
  const practice = trials.playAgainst(two, { against, exportTo, begin })
  await Promise.resolve()
  expect([[...playing.keys()], begin.mock.calls.length]).toEqual([['agent-1'], 0])
  playing.get('agent-1')!()
  await before
  await vi.waitFor(() => expect([...playing.keys()]).toEqual(['agent-2']))
  expect(begin).toHaveBeenCalledOnce()
  playing.get('agent-2')!()
  expect(await practice).toMatchObject({ ok: true })
  await trials.close()
})
