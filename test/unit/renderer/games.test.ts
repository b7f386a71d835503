/// <reference types="vite/client" />
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import challenge from '../../../grammars/challenges/max-csp.challenge?raw'
import { config, newContestSettings } from '../../../main/referees/specker/config.ts'
import { games as played } from '../../../main/referees/games.ts'
import { gameWindows, gameTitle, gameWindow } from '../../../renderer/games.ts'
import { configOf, fieldsOf, initialOf, problemsOf, wordsOf } from '../../../renderer/games/settings-fields.ts'
import { settings } from '../../../renderer/games/specker/settings.ts'

describe('the window’s games', () => {
  test('are called as the program calls them', () => {
    expect(gameWindows.map(({ id, title }) => [id, title])).toEqual(
      gameWindows.map(({ id }) => [id, played.get(id)?.title]),
    )
    expect(gameWindows.map(({ network }) => network?.plain)).toEqual(
      gameWindows.map(({ id }) => played.get(id)?.dialogue.network?.plain),
    )
    expect(gameTitle('specker')).toBe('Specker Challenge Game')
    expect([gameTitle('of a later version'), gameWindow('of a later version')]).toEqual(['of a later version', null])
  })
})

const schema = z.strictObject({
  amount: z.int().min(1).max(2_000).default(500),
  turnsBeforeEnd: z.int().min(0).default(3),
  order: z.enum(['fixed', 'most-recent']).default('fixed'),
  open: z.boolean().default(true),
  factor: z.number().min(0).exactOptional(),
  slot: z.int().min(1).nullable().exactOptional(),
  variant: z.enum(['plain', 'other']).exactOptional(),
  text: z.string().default(''),
  deep: z.json().default({}),
})
const fields = fieldsOf(
  schema,
  {
    amount: { label: 'Amount', unit: 1_000 },
    order: { options: { fixed: 'as it is' } },
    factor: { when: ({ variant }) => variant === 'other' },
    slot: { empty: 'the limit for a move', unit: 1_000 },
  },
  { factor: 1.5 },
)
const initial = initialOf(fields)

describe('fields from a schema', () => {
  test('are there for every number, choice, and yes or no, with words or without', () => {
    expect(fields.map(({ kind, label }) => [kind, label])).toEqual([
      ['number', 'Amount'],
      ['number', 'Turns before end'],
      ['choice', 'Order'],
      ['switch', 'Open'],
      ['number', 'Factor'],
      ['number', 'Slot'],
      ['choice', 'Variant'],
    ])
    expect(initial).toEqual({
      amount: 0.5,
      turnsBeforeEnd: 3,
      order: 'fixed',
      open: true,
      factor: 1.5,
      slot: null,
      variant: 'plain',
    })
  })
  test('say what the config is in its own units; what has no meaning is left out', () => {
    expect(configOf(fields, { ...initial, amount: 0.007 })).toEqual({
      amount: 7,
      turnsBeforeEnd: 3,
      order: 'fixed',
      open: true,
      slot: null,
      variant: 'plain',
    })
    expect(configOf(fields, { ...initial, variant: 'other' })).toMatchObject({ factor: 1.5, variant: 'other' })
  })
  test('say what is wrong with them, as people write it', () => {
    expect(problemsOf(fields, initial)).toEqual({})
    expect(problemsOf(fields, { ...initial, amount: 3, turnsBeforeEnd: 0.5, factor: -1 })).toEqual({
      amount: 'At most 2.',
      turnsBeforeEnd: 'A whole number is needed.',
    })
    expect(problemsOf(fields, { ...initial, amount: null, factor: -1, variant: 'other' })).toEqual({
      amount: 'A number is missing.',
      factor: 'At least 0.',
    })
  })
  test('read a config that leaves some of it out', () => {
    expect(wordsOf(fields, { amount: 7, order: 'most-recent', open: false })).toEqual([
      ['Amount', '0.007'],
      ['Turns before end', '3'],
      ['Order', 'Most recent'],
      ['Open', 'no'],
      ['Slot', 'the limit for a move'],
      ['Variant', 'Plain'],
    ])
  })
})

describe('the settings of the Specker Challenge Game', () => {
  const properties = Object.keys(z.toJSONSchema(config, { io: 'input' }).properties ?? {})

  test('all have a field', () => {
    expect(properties.length).toBeGreaterThan(8)
    expect(Object.keys(settings.initial).toSorted()).toEqual(properties.toSorted())
  })
  test('as they stand at first are those that the game gives a new contest', () => {
    const stands = settings.config({ ...settings.initial, challenge })
    expect(config.parse(stands)).toEqual(config.parse({ ...newContestSettings, challenge }))
  })
  test('are told in words, the challenge first and its own last', () => {
    const words = settings.words({
      challenge: 'challenge of-mine\n',
      challengeConfig: { maxVars: 5 },
      init: 2_500_000_000,
    })
    expect(words[0]).toEqual(['Challenge', 'of-mine'])
    expect(words.at(-1)).toEqual(['Max. vars', '5'])
    expect(words).toContainEqual(['League', 'none'])
    expect(settings.words({ league: 'level-k', leagueParameter: 3 })).toContainEqual(['League’s number', '3'])
    expect(Object.fromEntries(words)).toMatchObject({ 'Energy at the start': '2.5', 'Rounds of trading': '20' })
  })
})
