import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { knows } from '../../../agents/specker/knowledge/known.ts'
import { games } from '../../../main/referees/games.ts'
import type { StartMessage } from '../../../main/referees/specker/messages.ts'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import type { ContestDescription } from '../../../main/contract/contests/contests.ts'
import { withoutForeign } from '../../../main/services/contests/recurring/occurrence.ts'
import { openChallenges } from '../../../main/services/challenges/class-challenges.ts'
import { unfitAgents } from '../../../main/services/contests/descriptions/checked-draft.ts'
import { createAlwaysRemoved, alwaysRemovedSentence } from '../../../main/services/contests/reports/contest-results.ts'
import { shippedChallenge } from '../../../main/services/machine/resources.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const challenges = readdirSync(join(import.meta.dirname, '../../../grammars/challenges'))
  .filter((name) => name.endsWith('.challenge'))
  .map((name) => name.replace('.challenge', ''))

test('what a shipped agent declares is what it can play', () => {
  const { unable } = games.get('specker')!.agents
  expect(challenges.length).toBeGreaterThan(5)
  for (const name of [...challenges, 'our-own']) {
    // The agent itself asks this, and refuses to start otherwise.
    const plays = knows({ challenge: { name } } as StartMessage)
    expect(unable?.('minmax', { challenge: name }) === null, name).toBe(plays)
    expect(unable?.('tartaglia', { challenge: name })).toBeNull()
  }
})

test("the agents that cannot play a class's own challenge are known before its contest", async () => {
  const home = await openClassFolder(temporaryFolder('unfit'))
  const named = openChallenges(home)
  const own = (await shippedChallenge('knapsack'))!.replace(/^challenge knapsack/m, 'challenge our-own')
  await named.save('our-own', own, null)
  const unfit = await unfitAgents(named, { game: 'specker', config: { challenge: 'our-own' } })
  expect(unfit.map(({ why }) => why)).toEqual([expect.stringMatching(/^minmax cannot play the challenge our-own/)])
  // A recurring contest of all agents leaves it out too.
  const entrants = [{ name: 'minmax', agent: unfit[0]!.agent }]
  const description = { game: 'specker', config: { challenge: own } } as unknown as ContestDescription
  const now = await withoutForeign(home.folder, { description, entrants: 'all' }, { entrants, leftOut: [] })
  expect(now).toEqual({ entrants: [], leftOut: [unfit[0]!.why] })
  expect(await unfitAgents(named, { game: 'specker', config: { challenge: 'max-csp' } })).toEqual([])
  expect(await unfitAgents(named, { game: 'haggle', config: {} })).toEqual([])
  const unknown = { game: 'specker', config: { challenge: 'nothing' } }
  await expect(unfitAgents(named, unknown)).rejects.toThrow(refusal('challenge-unknown', 'nothing'))
  await home.close()
})

test('only an entrant that was removed from all of its matches is reported', async () => {
  const record = {
    totals: () => [
      { agent: 'never', matches: 4, wins: 0, faults: 4, removals: 4 },
      { agent: 'mostly', matches: 4, wins: 1, faults: 3, removals: 3 },
      { agent: 'waits', matches: 0, wins: 0, faults: 0, removals: 0 },
    ],
    // No history can be read here.
    finished: { values: () => [] } as never,
  }
  const removed = await createAlwaysRemoved({ folder: () => '' }).of('week-1', record)
  expect(removed).toEqual([{ entrant: 'never', matches: 4, reason: expect.any(String) as string }])
  expect(alwaysRemovedSentence({ entrant: 'never', matches: 7, reason: 'It crashed.' })).toBe(
    'never was removed from each of the 7 matches that it has played: It crashed.',
  )
})
