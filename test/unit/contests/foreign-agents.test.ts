import { afterEach, beforeEach, expect, test } from 'vitest'
import { openClassFolder, type ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { contestDescription, type ContestDescription } from '../../../main/contract/contests/contests.ts'
import { openChallenges, type Challenges } from '../../../main/services/challenges/class-challenges.ts'
import { openContests, type Contests } from '../../../main/services/contests/kept/class-contests.ts'
import { addSubmission } from '../../../main/services/agents/hand-in.ts'
import { checkAgent } from '../../../main/services/contests/command/check-agent.ts'
import { createSmokeMatches } from '../../../main/services/agents/smoke-matches.ts'
import { checkedDraft } from '../../../main/services/contests/descriptions/checked-draft.ts'
import { readAgents } from '../../../main/services/contests/descriptions/contest-agents.ts'
import { duplicateOf } from '../../../main/services/contests/kept/derived-contests.ts'
import { practiceOf } from '../../../main/services/contests/kept/practice.ts'
import { entrantsNow, withoutForeign } from '../../../main/services/contests/recurring/occurrence.ts'
import { openEnteredAgents } from '../../../main/services/entries/entered-agents.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

// A script whose class has `act` in place of `turn` is one of another game. It gets a verdict, and plays in no contest.

const actor = 'module.exports = class { act() { return [] } }'
const player = 'module.exports = class { turn() { return [] } }'

let home: ClassFolder
let contests: Contests
let challenges: Challenges
const hashes = new Map<string, string>()
beforeEach(async () => {
  home = await openClassFolder(temporaryFolder('foreign'))
  contests = openContests(home)
  challenges = openChallenges(home)
  for (const [name, source] of [
    ['wrong', actor],
    ['right', player],
  ] as const) {
    const becomes = { what: 'agent', name } as const
    await addSubmission(home, {
      file: { fileName: 'a.js', content: Buffer.from(source) },
      game: 'specker',
      belonging: {},
      becomes,
      at: 0,
    })
    hashes.set(name, home.content.agents.at(-1)!.hash)
  }
})
afterEach(() => home.close())

const entrants = (): ContestDescription['entrants'] => [...hashes].map(([name, agent]) => ({ name, agent }))
const description = (): ContestDescription =>
  contestDescription.parse({
    title: 'Week 1',
    game: 'specker',
    config: { challenge: 'max-csp' },
    format: { type: 'single' },
    seed: 'x',
    entrants: entrants(),
  })
const refused = refusal('other-game', 'wrong', 'turn', 'act')

test('the trial match gives a verdict, whose reason has neither a path nor a hash', async () => {
  const smoke = createSmokeMatches(home, checkAgent, () => undefined)
  await smoke.play(home.content.agents[0]!)
  const verdict = home.content.agents[0]!.smoke
  expect(verdict).toEqual({
    ok: false,
    text: expect.stringMatching(/^It does not play specker: it has no turn, but act/) as string,
  })
  expect(verdict?.text).not.toMatch(/[0-9a-f]{8}|\//)
  expect(smoke.standing(home.content.agents[0]!)).toBeNull()
})

test('new contests, duplicates, practice and contest files refuse it in the same words', async () => {
  await expect(checkedDraft(home, challenges, description(), undefined)).rejects.toThrow(refused)
  await expect(
    practiceOf(
      home,
      contests,
      { name: 'right', agent: hashes.get('right')!, opponents: [hashes.get('wrong')!], matches: 1 },
      challenges.texts,
    ),
  ).rejects.toThrow(refused)
  // An older version of the program made the contest.
  const { id } = await contests.add({ ...description(), entrants: entrants() })
  await expect(duplicateOf(home, contests, id, { title: 'Week 2', seed: 'y' })).rejects.toThrow(refused)
  const pinned = [{ name: 'wrong', agent: `wrong@${hashes.get('wrong')!.slice(0, 8)}` }]
  const entered = openEnteredAgents(home.folder)
  const written = { ...description(), entrants: pinned }
  await expect(readAgents(written, () => Promise.resolve('none'), entered, home)).rejects.toThrow(refused)
})

test('a recurring contest leaves it out and says why', async () => {
  const recurring = { description: description(), entrants: 'all' } as const
  const now = await withoutForeign(home.folder, recurring, entrantsNow(home.content, recurring))
  expect(now.entrants.map(({ name }) => name)).toEqual(['right'])
  expect(now.leftOut).toEqual([expect.stringMatching(/^wrong .*no turn, but act/)])
})

test('a version of another game does not replace one that plays when entries close', async () => {
  const right = { name: 'right', agent: hashes.get('right')! }
  const { id } = await contests.add({ ...description(), entrants: [right] }, { entriesUntil: '2999-01-01T00:00:00Z' })
  for (const source of [`${player} // better`, actor]) {
    const becomes = { what: 'version', of: 'right' } as const
    await addSubmission(home, {
      file: { fileName: 'a.js', content: Buffer.from(source) },
      game: 'specker',
      belonging: {},
      becomes,
      at: 0,
    })
  }
  // The newest one, which is told.
  expect(await contests.closeEntries(id, { early: true })).toEqual(['right'])
  expect(contests.entry(id).description.entrants).toEqual([right])
})
