import { hash } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { storeAgent } from '../../../main/administrator/classroom/agents.ts'
import { openClassFolder, type ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import type { ContestDescription } from '../../../main/contract/contests/contests.ts'
import { openChallenges } from '../../../main/services/challenges/class-challenges.ts'
import { openHumanMatches, type HumanMatches } from '../../../main/services/contests/human/human-matches.ts'
import type { Contests } from '../../../main/services/contests/kept/class-contests.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import { textsSeen } from '../../../main/services/texts/named-texts.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

// The opponents that a student may choose, and the team whose match it is. Playing itself is tested in human-matches.test.ts.

const folder = temporaryFolder('play-by-hand')
const [red, blue] = ['0'.repeat(16), '1'.repeat(16)]
let count = 0
let home: ClassFolder
let plays: HumanMatches
let added: { description: ContestDescription; more: object }[]
let [own, foreign, same] = ['', '', '']
beforeEach(async () => {
  home = await openClassFolder(join(folder, String(++count)))
  added = []
  const store = async (text: string): Promise<string> =>
    (await storeAgent(home.folder, { kind: 'script', bytes: Buffer.from(text) })).agent
  const offer = 'module.exports = class { offer() {} }'
  own = await store(`${offer} // red`)
  foreign = await store(`${offer} // blue`)
  same = await store(`${offer} // both`)
  await home.change((content) => {
    content.settings.isolation = 'none'
    const version = (agent: string, name: string, owner: string) => ({
      ...{ hash: agent, manifest: { name, game: 'haggle', kind: 'script' as const }, owner },
      ...{ submitted: '2026-11-20T08:00:00.000Z', smoke: null },
    })
    content.agents.push(version(own, 'rosso', red), version(same, 'twin', red))
    content.agents.push(version(foreign, 'azzurro', blue), version(same, 'SECRET', blue))
  })
  const contests = {
    add: async (description: ContestDescription, more: object) => {
      added.push({ description, more })
      return { id: `match-${added.length}` }
    },
  } as unknown as Contests
  plays = openHumanMatches({
    ...{ home, contests, challenges: openChallenges(home) },
    runner: { play: () => new Promise(() => undefined) },
    onChange: () => undefined,
    onFatal: (error) => expect.unreachable(String(error)),
  })
})
afterEach(async () => {
  plays.close()
  await home.close()
})

const wish = (opponents: string[], more: object = {}) => ({
  ...{ game: 'haggle', config: {}, opponents, seat: 0, moveMs: 60_000, seed: '' },
  ...more,
})
const byRed = (seen: readonly string[] = []) => ({
  id: red,
  texts: textsSeen(home.folder, (text) => seen.includes(hash('sha256', text))),
})

test('a student chooses among agents that ship and those of their team, and the match is for the team', async () => {
  const offered = await plays.opponents('haggle', red)
  expect(offered.filter(({ shipped }) => !shipped).map(({ name }) => name)).toEqual(['rosso', 'twin'])
  expect((await plays.opponents('haggle')).map(({ name }) => name)).toContain('azzurro')
  const absent = await plays.begin(wish(['f'.repeat(64)]), byRed()).catch((error: unknown) => error)
  expect(absent).toEqual(refusal('agent-unknown'))
  await expect(plays.begin(wish([foreign]), byRed())).rejects.toThrow((absent as Error).message)
  // The same bytes are an agent of another team, too, whose name nobody learns.
  await plays.begin(wish([same]), byRed())
  expect(added).toMatchObject([{ more: { practiceOf: red } }])
  expect(added[0]!.description.entrants.map(({ name }) => name)).toEqual(['Human', 'twin'])
  await expect(plays.begin(wish([own]), byRed())).rejects.toThrow(refusal('limit-reached'))
  // Staff are not held up by students, and their matches are theirs.
  await plays.begin(wish([foreign]))
  expect(added[1]!.more).toEqual({})
})

test('a challenge of the class that the student does not know does not exist for their match', async () => {
  const challenges = join(home.folder, 'challenges')
  mkdirSync(challenges)
  const shipped = readdirSync(resources.challenges).filter((file) => file.endsWith('.challenge'))
  expect(shipped.length).toBeGreaterThan(0)
  const text = 'not even a challenge\n'
  writeFileSync(join(challenges, 'private.challenge'), text)
  const named = (seen: readonly string[]): Promise<string> => byRed(seen).texts.challenge('private')
  await expect(named([])).rejects.toThrow(refusal('challenge-unknown', 'private'))
  const missing = await byRed()
    .texts.challenge('missing')
    .catch((error: unknown) => String(error))
  expect(missing).toBe(String(await named([]).catch(String)).replace('private', 'missing'))
  // One that they know is read, and its errors are told.
  await expect(named([hash('sha256', text)])).rejects.toThrow(refusal('challenge-invalid'))
  await expect(byRed().texts.challenge(shipped[0]!.replace('.challenge', ''))).resolves.toContain('\n')
})
