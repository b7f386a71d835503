import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { NETWORK } from '../../../main/contract/players/agents.ts'
import { defaultArenaPlace } from '../../../main/contract/players/arena.ts'
import { defaultPolicy } from '../../../main/contract/contests/policy.ts'
import type { AgentSummary, AgentVersion } from '../../../main/contract/procedures/procedures.ts'
import type { GameFormat } from '../../../renderer/games/field.ts'
import { fieldsOf, initialOf } from '../../../renderer/games/settings-fields.ts'
import { settings } from '../../../renderer/games/specker/settings.ts'
import { activeWhere, meantFor } from '../../../renderer/screens/agents/active-versions.ts'
import { arenaForm } from '../../../renderer/screens/contests/arena/arena-form.ts'
import { contestDraftOf, limitFields, placed } from '../../../renderer/screens/contests/new/draft.ts'
import type { Form } from '../../../renderer/screens/contests/new/form.ts'
import { formatOptions, formatWords, schemaFormat } from '../../../renderer/screens/contests/formats/format-forms.ts'

const hash = (digit: string): string => digit.repeat(64)
const version = (digit: string, active: readonly string[]): AgentVersion => {
  const submitted = '2026-01-01T00:00:00Z'
  return { agent: hash(digit), number: 1, team: 'team', policies: null, active, submitted, smoke: null, trial: null }
}
const agents: readonly AgentSummary[] = ['anna', 'ben', 'cleo'].map((name, i) => ({
  name,
  game: 'specker',
  kind: 'script',
  school: null,
  versions: [version(String(i), ['010', '101']), version('f', i === 2 ? ['011', '111'] : [])],
  faults: 0,
}))
const form: Form = {
  title: ' Friday ',
  game: 'specker',
  format: 'round-robin',
  formatSettings: {},
  seats: 2,
  repeats: 2,
  seeds: 500,
  finalists: 50,
  finalSeeds: 500,
  ties: 'play-on',
  seed: 's',
  startMs: 10_000,
  moveMs: 1_000,
  bankMs: 0,
  strikes: 0,
  steps: null,
  memoryMb: 512,
  isolation: 'bubblewrap',
  clock: 'frozen',
  samplePercent: 1,
  toolchains: '',
  sharePercent: 0,
  untilTop: null,
  untilConfidence: 95,
  classPhrase: false,
  policy: defaultPolicy,
  entrants: ['anna', 'cleo'],
  order: [],
  connecting: '',
  arena: arenaForm(),
  settings: settings.initial,
}
const problems = (change: Partial<Form>): Readonly<Record<string, string>> => {
  const made = contestDraftOf({ ...form, ...change }, agents, settings)
  return made.ok ? {} : made.problems
}

describe('a contest from the fields of a form', () => {
  test('takes the newest version of each agent, and amounts in the smallest unit', () => {
    const made = contestDraftOf(form, agents, settings)
    expect(made).toMatchObject({
      ok: true,
      draft: {
        title: 'Friday',
        entrants: [
          { name: 'anna', agent: hash('0') },
          { name: 'cleo', agent: hash('2') },
        ],
        format: { type: 'round-robin', seats: 2, repeats: 2 },
        config: { challenge: 'max-csp', init: 10_000_000_000, mindec: 10_000_000, maxTurns: 20, challengeConfig: {} },
      },
    })
  })
  test('limits are the game’s until somebody changes them, also those that have no field', () => {
    const slow = { ...settings, limits: { moveMs: 30_000, bankMs: 5_000, messageBytes: 4_000_000 } }
    const made = contestDraftOf({ ...form, ...limitFields(slow), startMs: 7 }, agents, slow)
    expect(made.ok && made.draft.limits).toEqual({
      ...{ startMs: 7, moveMs: 30_000, bankMs: 5_000, memoryMb: 512 },
      ...{ messageBytes: 4_000_000, consoleBytes: 65_536 },
    })
    expect(limitFields(settings)).toEqual({
      ...{ startMs: 10_000, moveMs: 1_000, bankMs: 0, strikes: 0, memoryMb: 512, steps: null },
    })
  })
  test('a time bank and strikes are said only where there are some', () => {
    const without = contestDraftOf(form, agents, settings)
    expect(without.ok && without.draft.limits).not.toHaveProperty('bankMs')
    expect(without.ok && without.draft.limits).not.toHaveProperty('strikes')
    const made = contestDraftOf({ ...form, bankMs: 5_000, strikes: 2 }, agents, settings)
    expect(made).toMatchObject({ ok: true, draft: { limits: { moveMs: 1_000, bankMs: 5_000, strikes: 2 } } })
    expect(problems({ strikes: 101 })).toEqual({ strikes: 'At most 100.' })
    expect(problems({ bankMs: null })).toEqual({ bankMs: 'Enter a whole number.' })
  })
  test('steps of scripts follow from the time of a move unless there is a number of them', () => {
    const without = contestDraftOf(form, agents, settings)
    expect(without.ok && without.draft.limits).not.toHaveProperty('steps')
    expect(contestDraftOf({ ...form, steps: 700 }, agents, settings)).toMatchObject({
      draft: { limits: { moveMs: 1_000, steps: 700 } },
    })
    const counted = { ...settings, limits: { steps: 50 } }
    expect(contestDraftOf({ ...form, ...limitFields(counted) }, agents, counted)).toMatchObject({
      draft: { limits: { steps: 50 } },
    })
    expect(problems({ steps: 0 })).toHaveProperty('steps')
  })
  test('a share of matches is played twice where clocks stand still, and the policy goes along', () => {
    const policy = { administratorAttack: true, intelligenceAttack: false, mechanismAttack: true }
    const made = contestDraftOf({ ...form, samplePercent: 12.5, policy }, agents, settings)
    expect(made).toMatchObject({ ok: true, draft: { sample: 0.125, policy } })
    const real = contestDraftOf({ ...form, clock: 'real', samplePercent: null }, agents, settings)
    expect(real.ok && real.draft).not.toHaveProperty('sample')
    const offering = contestDraftOf({ ...form, toolchains: 'python 3.11 (numpy), jdk' }, agents, settings)
    expect(offering).toMatchObject({
      ok: true,
      draft: { toolchains: [{ name: 'python', version: '3.11', packages: ['numpy'] }, { name: 'jdk' }] },
    })
    expect(Object.keys(problems({ toolchains: 'perl 5' }))).toEqual(['toolchains'])
    for (const samplePercent of [null, -1, 100.5]) {
      expect(problems({ samplePercent })).toEqual({ samplePercent: 'Enter a percentage from 0 to 100.' })
    }
  })
  test('a round-robin may end when the best are known, and other formats ignore that', () => {
    const until = { untilTop: 3, untilConfidence: 99.5 }
    const made = contestDraftOf({ ...form, ...until }, agents, settings)
    expect(made.ok && made.draft.format).toEqual({
      ...{ type: 'round-robin', seats: 2, repeats: 2 },
      until: { top: 3, confidence: 0.995 },
    })
    const all = contestDraftOf({ ...form, ...until, untilTop: null, untilConfidence: null }, agents, settings)
    expect(all.ok && all.draft.format).toEqual({ type: 'round-robin', seats: 2, repeats: 2 })
    const single = contestDraftOf({ ...form, ...until, format: 'single' }, agents, settings)
    expect(single.ok && single.draft.format).toEqual({ type: 'single' })
    for (const untilConfidence of [null, 49, 100])
      expect(problems({ ...until, untilConfidence })).toEqual({
        untilConfidence: 'Enter a percentage from 50 to 99.9.',
      })
    expect(problems({ ...until, untilTop: 0 })).toEqual({ untilTop: 'At least 1.' })
  })
  test('the phrase of the class is asked for where somebody wants it', () => {
    const plain = contestDraftOf(form, agents, settings)
    expect(plain.ok && plain.draft).not.toHaveProperty('classPhrase')
    expect(contestDraftOf({ ...form, classPhrase: true }, agents, settings)).toMatchObject({
      ok: true,
      draft: { classPhrase: true },
    })
  })
  test('agents of other machines come behind those that are chosen, and only then there is an arena', () => {
    const made = contestDraftOf({ ...form, seats: 3, connecting: '\n dora \n\neve' }, agents, settings)
    expect(made).toMatchObject({
      ok: true,
      arena: defaultArenaPlace,
      draft: { entrants: [{ name: 'anna' }, { name: 'cleo' }, { name: 'dora', agent: NETWORK }, { name: 'eve' }] },
    })
    const arena = { ...arenaForm(), port: 70_000 }
    expect(contestDraftOf({ ...form, arena }, agents, settings)).toMatchObject({ ok: true, arena: null })
    expect(problems({ connecting: 'dora', arena })).toHaveProperty('arenaPort')
    expect(problems({ connecting: 'dora', seats: 4 })).toEqual({
      seats: '4 players a match need at least 4 agents; 3 are chosen or named.',
    })
    const order = ['dora', 'cleo']
    expect(contestDraftOf({ ...form, connecting: 'dora\neve', order }, agents, settings)).toMatchObject({
      draft: { entrants: [{ name: 'dora' }, { name: 'cleo' }, { name: 'anna' }, { name: 'eve' }] },
    })
    expect(contestDraftOf({ ...form, entrants: [], connecting: 'dora\neve' }, agents, settings).ok).toBe(true)
  })
  test.each([
    ['-x', 'The name “-x” is not allowed: a name begins with a letter or a digit.'],
    ['Zoe\u0308\nZOË', '“Zoë” and “ZOË” differ only in case.'],
    ['CLEO', '“CLEO” is already the name of a chosen agent; each name must be unique.'],
    ['x'.repeat(65), `The name “${'x'.repeat(65)}” is not allowed: a name has at most 64 characters.`],
    ['dora\ndora', '“dora” is listed twice.'],
    ['cleo', '“cleo” is already the name of a chosen agent; each name must be unique.'],
  ])('of agents of other machines: %j is told beside their field alone', (connecting, says) => {
    expect(problems({ connecting })).toEqual({ connecting: says })
  })
  test('settings of the challenge that are left empty are left to the challenge', () => {
    const given = { ...settings.initial, challengeConfig: { maxVars: 5, maxWeight: null } }
    const made = contestDraftOf({ ...form, settings: given }, agents, settings)
    expect(made.ok && made.draft.config).toMatchObject({ challengeConfig: { maxVars: 5 } })
  })
  test.each([
    [{ title: '  ' }, { title: 'A contest needs a title.' }],
    [{ title: 'x'.repeat(201) }, { title: 'More than 200 characters.' }],
    [{ entrants: [] }, { entrants: 'Choose the agents that play.' }],
    [{ seats: 3 }, { seats: '3 players a match need at least 3 agents; 2 are chosen.' }],
    [{ repeats: 0 }, { repeats: 'At least 1.' }],
    [{ seats: null }, { seats: 'Enter a whole number.' }],
    [{ moveMs: 86_400_001 }, { moveMs: 'At most 86,400,000.' }],
    [{ memoryMb: 31 }, { memoryMb: 'At least 32.' }],
    [{ seed: '' }, { seed: 'A seed is needed; any text will do.' }],
    [{ settings: { ...settings.initial, mindec: null } }, { mindec: 'A number is missing.' }],
    [{ settings: { ...settings.initial, mindec: 1.5 } }, { mindec: 'At most 1.' }],
    [{ settings: { ...settings.initial, maxTurns: 2.5 } }, { maxTurns: 'A whole number is needed.' }],
  ])('%j is told beside its field', (change, expected) => {
    expect(problems(change)).toEqual(expected)
  })
  test('one match of all has no players a match to be wrong about', () => {
    expect(contestDraftOf({ ...form, format: 'single', seats: null, repeats: null }, agents, settings).ok).toBe(true)
    const pairs = contestDraftOf({ ...form, format: 'ordered-pairs', finalists: 2 }, agents, settings)
    const format = { type: 'ordered-pairs', seeds: 500, finalists: 2, finalSeeds: 500, ties: 'play-on' }
    expect(pairs).toMatchObject({ ok: true, draft: { format } })
    const bySeed = contestDraftOf({ ...form, format: 'ordered-pairs', finalists: 2, ties: 'seed' }, agents, settings)
    expect(bySeed).toMatchObject({ draft: { format: { ...format, ties: 'seed' } } })
    expect(bySeed.ok && formatWords(bySeed.draft.format, [])).toContainEqual(['Tied at the cut', 'order of players'])
    const noFinal = contestDraftOf({ ...form, format: 'ordered-pairs', finalists: 0, ties: 'seed' }, agents, settings)
    expect(noFinal.ok && noFinal.draft.format).not.toHaveProperty('ties')
    expect(problems({ format: 'ordered-pairs', finalSeeds: null })).toHaveProperty('finalSeeds')
  })
})

describe('what the program refuses', () => {
  test('stands beside the field that it names', () => {
    expect(placed('config.mindec: Too big: expected number to be <=1000000000', settings.initial)).toEqual({
      mindec: 'Too big: expected number to be <=1000000000.',
    })
    expect(placed('offersMin: must not be above offersMax', settings.initial)).toEqual({
      offersMin: 'Must not be above offersMax.',
    })
  })
  test('stands with the estimate where it names none', () => {
    expect(placed('The contest would have 3,000,000 matches; 2,000,000 are the most.', settings.initial)).toEqual({
      '': 'The contest would have 3,000,000 matches; 2,000,000 are the most.',
    })
  })
})

describe('the agents of a contest', () => {
  const made = (mechanismAttack: boolean) => {
    const result = contestDraftOf({ ...form, policy: { ...defaultPolicy, mechanismAttack } }, agents, settings)
    return result.ok ? result.draft.entrants : result.problems
  }

  test('are the versions that are active under its policy, be they the newest or not', () => {
    expect(made(false)).toEqual([
      { name: 'anna', agent: hash('0') },
      { name: 'cleo', agent: hash('2') },
    ])
    expect(
      contestDraftOf(
        { ...form, format: 'single', policy: { ...defaultPolicy, mechanismAttack: true } },
        agents,
        settings,
      ),
    ).toMatchObject({
      draft: { entrants: [{ name: 'cleo', agent: hash('f') }] },
    })
  })
})

const first = { number: 1, submitted: '2026-11-21T08:00:00.000Z' }
test.each([
  [null, ['000', '001', '010', '011', '100', '101', '110', '111'], 'for every contest', 'plays in contests'],
  [
    ['01*'],
    ['010', '011'],
    "for contests in which agents may attack other agents' decisions and must not attack the administrator",
    'plays in contests',
  ],
  [
    ['0**', '111'],
    ['000', '011'],
    "for contests in which agents must not attack the administrator; or for contests in which agents may attack the administrator, other agents' decisions and the implementation of other agents",
    'plays under the policy “no attacks” or “attacks on decisions and implementations”',
  ],
  [null, [], 'for every contest', 'inactive'],
])('a version for %j that is active under %j', (policies, active, meant, where) => {
  expect([meantFor({ policies }), activeWhere({ policies, active, smoke: null, trial: null, ...first }, [])]).toEqual([
    meant,
    where,
  ])
})

test('a version that fails its trial match is not said to play as if it worked', () => {
  const failing = { policies: null, active: ['000'], smoke: { ok: false, text: 'It crashed.' }, trial: null, ...first }
  expect(activeWhere(failing, [])).toBe('not fit to play, but contests take it')
})

test.each([
  ['double-round-robin', {}, [['Format', 'Double round-robin']]],
  ['swiss', { rounds: 3 }, [['Format', 'Swiss']]],
  ['knockout', { bestOf: 5, thirdPlace: false, seeding: 'drawn', ties: 'score' }, [['Format', 'Knockout']]],
  ['gauntlet', { challengers: 1, repeats: 4 }, [['Format', 'Gauntlet']]],
  ['ladder', { repeats: 2 }, [['Format', 'Ladder (pyramid)']]],
  ['pools', { seats: 2, games: 4, house: 0 }, [['Format', 'Pools']]],
] as const)(
  'the format %s is in the draft as its fields say, and nothing that is left to the game',
  (type, set, told) => {
    const standard = initialOf(schemaFormat(type, [])!.fields)
    const made = contestDraftOf({ ...form, format: type, formatSettings: { ...standard, ...set } }, agents, settings)
    expect(made).toMatchObject({ ok: true, draft: { format: { type, ...set } } })
    if (!made.ok) return
    expect(Object.keys(made.draft.format).sort()).toEqual(['type', ...Object.keys(set)].sort())
    expect(formatWords(made.draft.format, [])[0]).toEqual(told[0])
  },
)

describe('a format of the game’s own', () => {
  const pods: GameFormat = {
    name: 'pods',
    label: 'Pods of four',
    fields: fieldsOf(z.strictObject({ rounds: z.int().min(1).max(9).default(3), final: z.boolean().default(true) }), {
      rounds: { label: 'Rounds' },
    }),
  }
  const game = { ...settings, formats: [pods] }
  const chosen: Form = { ...form, format: 'game:pods', formatSettings: { rounds: 5, final: false } }

  test('comes first in the choice, and its settings are in the draft', () => {
    expect(formatOptions([pods]).map(({ label }) => label)).toEqual([
      'Pods of four',
      'Round-robin',
      ...['Double round-robin', 'Swiss', 'Knockout', 'Gauntlet', 'Ladder (pyramid)', 'Pools'],
      'One match of all',
      'All pairs, then a final',
    ])
    expect(contestDraftOf(chosen, agents, game)).toMatchObject({
      ok: true,
      draft: { format: { type: 'game', name: 'pods', settings: { rounds: 5, final: false } } },
    })
  })

  test('says what is wrong at the field', () => {
    const made = contestDraftOf({ ...chosen, formatSettings: { rounds: 10, final: true } }, agents, game)
    expect(made).toMatchObject({ ok: false, problems: { rounds: 'At most 9.' } })
  })

  test('is told in its own words, and by its name where the window does not know it', () => {
    const format = { type: 'game', name: 'pods', settings: { rounds: 5 } } as const
    expect(formatWords(format, [pods])).toEqual([
      ['Format', 'Pods of four'],
      ['Rounds', '5'],
      ['Final', 'yes'],
    ])
    expect(formatWords(format, [])).toEqual([
      ['Format', 'pods'],
      ['rounds', '5'],
    ])
  })
})
