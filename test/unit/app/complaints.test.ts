import { expect, test, vi } from 'vitest'
import type * as z from 'zod'
import { agentManifest } from '../../../main/contract/players/agents.ts'
import { contestFile } from '../../../main/contract/contests/contests.ts'
import { problemsLine, readJsonText } from '../../../main/contract/json-text.ts'
import { games } from '../../../main/referees/games.ts'

const formats =
  '"round-robin", "double-round-robin", "gauntlet", "swiss", "knockout", "ladder", "pools", "single", "ordered-pairs" or "game"'
const entrants = [{ name: 'a', agent: 'a.js' }]
const contest = { title: 'x', game: 'specker', seed: 'x', format: { type: 'single' }, entrants }
const agent = { name: 'a', game: 'specker', kind: 'script' }

/** The complaint about a JSON text of this value. */
function said(schema: z.ZodType, value: unknown): string {
  const read = readJsonText(JSON.stringify(value, null, 1), schema)
  return read.ok ? 'accepted' : `${read.line}:${read.column}: ${read.message}`
}

test.each<[string, object, string]>([
  ['nothing wrong', {}, 'accepted'],
  ['a field that is missing', { title: undefined }, '1:1: title: it is missing; expected text'],
  ['a number for text', { title: 7 }, '2:11: title: expected text, found 7'],
  ['text for a number', { sample: 'half' }, '14:12: sample: expected a number, found "half"'],
  ['a list for text', { seed: ['x'] }, '4:10: seed: expected text, found a list'],
  ['null for an object', { format: null }, '5:12: format: expected an object, found null'],
  ['text for a list', { entrants: 'a.js' }, '8:14: entrants: expected a list, found "a.js"'],
  ['a list that is empty', { entrants: [] }, '8:14: entrants: expected at least 1 item, found 0'],
  ['text that is empty', { title: '' }, '2:11: title: expected at least 1 character, found 0'],
  [
    'a misspelt format',
    { format: { type: 'swis' } },
    `6:11: format.type: expected ${formats}, found "swis". Did you mean "swiss"?`,
  ],
  [
    'a nearly right format',
    { format: { type: 'round-robbin', seats: 2 } },
    `6:11: format.type: expected ${formats}, found "round-robbin". Did you mean "round-robin"?`,
  ],
  ['a format without its type', { format: { seats: 2 } }, `5:12: format.type: it is missing; expected ${formats}`],
  ['a format of another type', { format: { type: 5 } }, `6:11: format.type: expected ${formats}, found 5`],
  [
    'a number out of range',
    { format: { type: 'round-robin', seats: 0 } },
    '7:12: format.seats: expected a number of at least 1, found 0',
  ],
  [
    'a broken number',
    { format: { type: 'round-robin', seats: 2.5 } },
    '7:12: format.seats: expected a whole number, found 2.5',
  ],
  [
    'what may be of two types, and is of neither',
    { format: { type: 'ordered-pairs', seeds: 'many' } },
    '7:12: format.seeds: expected a number or a list, found "many"',
  ],
  [
    'what may be of two types, in a list',
    { format: { type: 'ordered-pairs', seeds: [1, 'two'] } },
    '9:4: format.seeds.1: expected a whole number, found "two"',
  ],
  [
    'what may be of two types, a number',
    { format: { type: 'ordered-pairs', seeds: -3 } },
    '7:12: format.seeds: expected a number of at least 1, found -3',
  ],
  [
    'a misspelt field in the place of one that is missing',
    { seed: undefined, sed: 'x' },
    '13:9: there is no field "sed". Did you mean "seed"?',
  ],
  [
    'a misspelt field inside',
    { limits: { movems: 10 } },
    '15:13: limits: there is no field "movems". Did you mean "moveMs"?',
  ],
  [
    'a field that nobody knows',
    { format: { type: 'round-robin', seats: 2, colour: 'red' } },
    '8:13: format: there is no field "colour"; the only fields are type, seats, repeats, until and seating',
  ],
  [
    'a misspelt choice',
    { clock: 'frosen' },
    '14:11: clock: expected "frozen" or "real", found "frosen". Did you mean "frozen"?',
  ],
  [
    'a name with a form of its own',
    { game: 'Specker!' },
    '3:10: game: expected a short lower-case name, found "Specker!"',
  ],
  [
    'a long text',
    { game: 'x'.repeat(5_000) },
    `3:10: game: expected a short lower-case name, found "${'x'.repeat(60)}..."`,
  ],
  [
    'an entrant without an agent',
    { entrants: [{ name: 'a' }] },
    '9:3: entrants.0.agent: expected a file, or instead "network": true for an agent on another machine, or "school" or "entries" for the entry of another school',
  ],
])('a contest file with %s', (_name, more, expected) => {
  expect(said(contestFile, { ...contest, ...more })).toBe(expected)
})

test.each<[string, object, string]>([
  [
    'a misspelt kind',
    { kind: 'scirpt' },
    '4:10: kind: expected "script", "program", "network", "human" or "web", found "scirpt". Did you mean "script"?',
  ],
  ['no name', { name: undefined }, '1:1: name: it is missing; expected text'],
  [
    'a command that is text',
    { kind: 'program', command: 'python3 a.py' },
    '5:13: command: expected a list, found "python3 a.py"',
  ],
  [
    'a misspelt command',
    { kind: 'program', comand: ['python3'] },
    '5:12: there is no field "comand". Did you mean "command"?',
  ],
])('an agent.json with %s', (_name, more, expected) => {
  expect(said(agentManifest, { ...agent, ...more })).toBe(expected)
})

test.each<[string, string, object, string]>([
  ['a misspelt setting', 'haggle', { maxRound: 3 }, 'there is no field "maxRound". Did you mean "maxRounds"?'],
  ['a setting of another type', 'haggle', { types: '3' }, 'types: expected a whole number, found "3"'],
  ['no challenge', 'specker', {}, 'challenge: it is missing; expected text'],
])("a game's settings with %s", (_name, game, config, expected) => {
  expect(games.get(game)!.config(config as never)).toEqual({ ok: false, error: expected })
})

test('a value from a hostile file is told without reading what it inherits', () => {
  expect(said(contestFile, JSON.parse('{"__proto__": {"title": "x"}}'))).toContain('no field "__proto__"')
  expect(said(contestFile, { ...contest, limits: JSON.parse('{"constructor": 1}') as object })).toContain(
    '"constructor"',
  )
})

test('a contest file and an agent.json tell all problems at once, each with its place', () => {
  const all = (schema: z.ZodType, value: unknown): string => {
    const read = readJsonText(JSON.stringify(value, null, 1), schema)
    return read.ok ? 'accepted' : problemsLine(read)
  }
  const wrong = all(contestFile, { ...contest, title: 7, seed: undefined, format: undefined, entrants: 'a.js' })
  for (const part of ['2:11: title: ', 'seed: it is missing', 'format: it is missing', 'entrants: expected a list'])
    expect(wrong).toContain(part)
  expect(all(contestFile, { ...contest, title: 7 })).toBe('2:11: title: expected text, found 7')
  const named = all(agentManifest, { nmae: 'a', gaem: 'specker', kind: 'scrpt', main: 5 })
  for (const part of ['no field "nmae"', 'no field "gaem"', 'kind: expected', 'main: expected text, found 5'])
    expect(named).toContain(part)
})

test('objects are searched once for the places of all problems', () => {
  const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`field-${n}`, n]))
  // Both required fields are missing: their place is where the whole object has been searched for them.
  const text = JSON.stringify({ kind: 'script', ...fields })
  const parse = vi.spyOn(JSON, 'parse')
  const read = readJsonText(text, agentManifest)
  const names = parse.mock.calls.length - 1
  parse.mockRestore()
  expect(read).toMatchObject({ ok: false, others: { length: 20 } })
  expect(names).toBe(20_001)
})
