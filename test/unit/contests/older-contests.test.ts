import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { nextPhaseOf, duplicateOf } from '../../../main/services/contests/kept/derived-contests.ts'
import { textsOf } from '../../../main/services/texts/named-texts.ts'
import type { Json } from '../../../main/contract/json.ts'
import { NETWORK } from '../../../main/contract/players/agents.ts'
import { games } from '../../../main/referees/games.ts'
import { makeMap as makeMeadow, mapOptions, mapText } from '../../../main/referees/cows/kinds.ts'
import { makeMap as makeRivers, mapOptions as riverOptions } from '../../../main/referees/punter/kinds.ts'
import { RING_TOWN } from '../cops/stage.ts'
import { newContest, withNewSettings } from '../../../main/services/contests/descriptions/new-contest.ts'
import { settingsAdded } from '../../../main/services/contests/descriptions/renewed-contest.ts'
import { endedPhases } from '../../../main/services/contests/command/planned-phases.ts'
import { contestDescription } from '../../../main/contract/contests/contests.ts'
import { classroom, type ContestEntry } from '../../../main/contract/procedures/classroom.ts'
import { canonicalText } from '../../../main/histories/canonical.ts'

const described = (format: object) =>
  contestDescription.parse({
    title: 'Week 1',
    game: 'specker',
    config: { challenge: 'sums' },
    format,
    seed: 'x',
    entrants: ['anna', 'bert'].map((name) => ({ name, agent: 'a'.repeat(64) })),
  })
const emptyClass = () => classroom.parse({ format: 'tartaglia-class/1', agents: [], contests: [] })

test('a new contest has the newest schedule of its format; one that is played again keeps its own', () => {
  const content = emptyClass()
  const written = described({ type: 'round-robin', seats: 2, repeats: 3 })
  const nonce = 'b'.repeat(64)
  newContest(content, '/nowhere', written, { nonce })
  newContest(content, '/nowhere', written, { nonce, rerun: { of: 'week-1-1', phrase: undefined, seeds: undefined } })
  expect(content.contests.map(({ description }) => description.format)).toEqual([
    { type: 'round-robin', seats: 2, repeats: 3, seating: 'even' },
    { type: 'round-robin', seats: 2, repeats: 3 },
  ])
})

test('a contest that an older version began is recognized by its file', () => {
  const older = described({ type: 'round-robin', seats: 2, repeats: 3 })
  const read = described({ type: 'round-robin', seats: 2, repeats: 3, seating: 'even' })
  const other = described({ type: 'round-robin', seats: 2, repeats: 2, seating: 'even' })
  const text = (each: typeof older) => canonicalText(withNewSettings(each))
  expect(text(read)).toBe(text(older))
  expect(text(other)).not.toBe(text(older))
  const ended = { ...{ id: 'week-1-1', nonce: 'b'.repeat(64), state: 'ended' as const }, description: older }
  const planned = (description: typeof older) => ({ description, weight: 1, deadline: null })
  expect(endedPhases([ended], [planned(read), planned(read)])).toEqual(['week-1-1'])
  expect(endedPhases([ended], [planned(other), planned(read)])).toEqual([])
})

/** A config as it was recorded: with the defaults of its time. */
function recorded(game: string, config: Json): Readonly<Record<string, Json>> {
  const read = games.get(game)!.config(config, 'recorded')
  if (!read.ok) throw new Error(read.error)
  return read.value as Readonly<Record<string, Json>>
}

const maxCsp = readFileSync('grammars/challenges/max-csp.challenge', 'utf8')
const rivers = JSON.stringify(makeRivers(riverOptions.parse({ kind: 'gabriel', sites: 18, mines: 3, seed: '1' })))
const meadow = mapText(makeMeadow(mapOptions.parse({ seed: '1' })))
const judged = { judgement: 'complete' }
test.each<[name: string, game: string, older: Json, added: Readonly<Record<string, Json>>]>([
  ['classic', 'specker', { challenge: maxCsp }, judged],
  ['secret', 'specker', { challenge: maxCsp, variant: 'secret' }, { ...judged, falseSecrets: 'as-true' }],
  ['kept', 'specker', { challenge: maxCsp, variant: 'secret', judgement: 'lenient' }, { falseSecrets: 'as-true' }],
  ['of one reading', 'haggle', {}, { walkingAway: 'last', invalidOffers: 'explained' }],
  ['unchanged', 'punter', { map: rivers }, {}],
  ['unchanged', 'cows', { map: meadow }, {}],
  ['first phase', 'cops', { map: RING_TOWN }, {}],
  ['second phase', 'cops', { map: RING_TOWN, rules: '2005-twist' }, { secondPhase: 'as-written' }],
  ['kept', 'cops', { map: RING_TOWN, rules: '2005-twist', secondPhase: 'earlier' }, {}],
])('a contest duplicated from an older one has the rules of new contests: %s, %s', async (_, game, older, added) => {
  const config = recorded(game, older)
  // Agents on other machines, whose packages nobody looks at.
  const entrants = ['anna', 'bert'].map((name) => ({ name, agent: NETWORK }))
  const from = contestDescription.parse({ ...described({ type: 'round-robin', seats: 2 }), game, config, entrants })
  const home = { folder: 'nowhere', content: { agents: [] } } as unknown as ClassFolder
  const contests = { complete: () => Promise.resolve(from), hasPerson: () => false }
  const { description, renewed } = await duplicateOf(home, contests, 'week-1-1', { title: 'Week 2', seed: 'y' })
  expect(description.config).toEqual({ ...config, ...added })
  // The next phase gets them, too, and says so, but not what the educator has chosen.
  const format = ['seating: even']
  const words = Object.entries(added).map(([setting, value]) => `${setting}: ${String(value)}`)
  expect(settingsAdded(from, description.config, config)).toEqual([...words, ...format])
  expect(settingsAdded(from, description.config, description.config)).toEqual(format)
  // It is a config that the game takes as it is, and nothing is left to add.
  expect(recorded(game, description.config)).toEqual(description.config)
  expect(games.get(game)!.settings.renewed(description.config)).toEqual(description.config)
  expect(description.format).toEqual({ type: 'round-robin', seats: 2, repeats: 1, seating: 'even' })
  expect(renewed.toSorted()).toEqual(
    [...Object.entries(added).map(([name, value]) => `${name}: ${String(value)}`), 'seating: even'].toSorted(),
  )
})

test('the next phase of an older contest has the rules of new contests, and says which', async () => {
  const config = recorded('specker', { challenge: maxCsp })
  const from = contestDescription.parse({ ...described({ type: 'round-robin', seats: 2 }), config })
  const contests = {
    ...{ entry: () => ({ state: 'ended' }) as ContestEntry, complete: () => Promise.resolve(from) },
    ...{ hasPerson: () => false, followedBy: () => null, phases: () => Promise.resolve(null) },
  }
  const next = async (changes: object) => {
    const wish = { contest: 'week-1-1', title: 'Phase 2', seed: 'y', weights: [1, 1] }
    return nextPhaseOf(
      contests,
      { ...wish, config: { ...config, ...changes } as typeof from.config },
      textsOf('nowhere'),
    )
  }
  const { description, renewed } = await next({ maxTurns: 5 })
  expect(description.config).toMatchObject({ maxTurns: 5, ...judged })
  expect(renewed).toEqual(['judgement: complete', 'seating: even'])
  // A rule that the educator has chosen is not new.
  expect((await next({ judgement: 'lenient' })).renewed).toEqual(['seating: even'])
})
