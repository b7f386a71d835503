import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { readContest } from '../../../main/services/contests/descriptions/contest-file.ts'
import { explain } from '../../../main/cli/program.ts'
import { safeLine } from '../../../main/cli/text.ts'
import { run } from '../../unit/cli/environment.ts'
import type { Ended } from '../cli/process.ts'
import { zip } from '../service/zip.ts'
import { expectRefusal, openStage } from './stage.ts'
import { refusedCommand } from '../../refusal.ts'

/** In this process: what is refused never gets as far as a match, so one worker is enough. */
const stage = {
  ...openStage('contests'),
  run: (...args: readonly string[]): Promise<Ended> => run(...args, '--cores', '1'),
}
const data = join(stage.folder, 'data')
/** The error of `contest run` for a file that it refuses, without a process and workers for each. */
const refusalOf = async (file: string): Promise<Ended> => {
  const thrown: unknown = await readContest(file, data).then(
    () => new Error('it was read'),
    (error: unknown) => error,
  )
  const { message, code, exitCode } = explain(thrown)
  return { code: exitCode, stdout: JSON.stringify({ error: message, code }), stderr: `${safeLine(message)}\n` }
}
afterEach(() => rmSync(data, { recursive: true, force: true }))
afterAll(() => stage.remove())

const agentsOf = (...names: readonly string[]): object => ({
  entrants: names.map((name) => ({ name, agent: join(stage.agents, 'baby.js') })),
})
const configured = (config: object): object => ({ config: { challenge: 'max-csp', ...config } })
const roundRobin = (format: object): object => ({ format: { type: 'round-robin', seats: 2, ...format } })
const at = (field: string): RegExp => new RegExp(`contest\\.json:\\d+:\\d+: ${field.replaceAll('.', '\\.')}: `)

interface Case {
  readonly name: string
  /** Fields that replace those of a good contest. */
  readonly more: object
  readonly says: readonly (string | RegExp | object)[]
}

const fieldCases: readonly Case[] = [
  {
    name: 'a file of a newer version, whatever else is new in it',
    more: { version: 2, colour: 'red', format: { type: 'league' } },
    says: [at('version'), /\b2\b/, /\b1\b/],
  },
  { name: 'an invalid version', more: { version: 0.5 }, says: [at('version')] },
  { name: 'a field that does not exist', more: { colour: 'red' }, says: [/contest\.json:\d+:\d+: .*"colour"/] },
  { name: 'no title', more: { title: undefined }, says: [/contest\.json:1:1: title: /] },
  { name: 'a title that is a number', more: { title: 7 }, says: [at('title')] },
  { name: 'an empty title', more: { title: '' }, says: [at('title')] },
  { name: 'a title of 201 characters', more: { title: 'x'.repeat(201) }, says: [at('title')] },
  { name: 'a title of 201 emoji', more: { title: '\u{1f600}'.repeat(201) }, says: [at('title')] },
  { name: 'half a character in its config', more: configured({ note: { deep: ['\udfff'] } }), says: [at('config')] },
  { name: 'an empty seed', more: { seed: '' }, says: [at('seed')] },
  { name: 'a seed with half a character', more: { seed: 'a\ud800b' }, says: [at('seed')] },
  { name: 'a title with half a character', more: { title: '\udc00' }, says: [at('title')] },
  { name: 'a game that nobody knows', more: { game: 'chess' }, says: ['contest.json', 'game', '"chess"', 'specker'] },
  { name: 'a game that is not a name', more: { game: '../specker' }, says: [at('game')] },
  {
    name: 'a challenge that nobody knows',
    more: configured({ challenge: 'max-cut' }),
    says: ['contest.json', 'config.challenge', '"max-cut"'],
  },
  {
    name: 'a challenge that is a number',
    more: configured({ challenge: 3 }),
    says: ['contest.json', 'config', 'challenge'],
  },
  { name: 'no challenge', more: { config: {} }, says: ['contest.json', 'config', 'challenge'] },
  {
    name: 'a challenge file that is not there',
    more: configured({ challenge: 'none.challenge' }),
    says: [join(stage.folder, 'none.challenge')],
  },
  { name: 'a config that is a list', more: { config: [] }, says: ['contest.json', 'config'] },
  { name: 'a config that is null', more: { config: null }, says: ['contest.json', 'config'] },
  {
    name: 'a setting that does not exist',
    more: configured({ turns: 3 }),
    says: ['contest.json', 'config', '"turns"'],
  },
  {
    name: "a challenge's setting that does not exist",
    more: configured({ challengeConfig: { vars: 3 } }),
    says: ['contest.json', 'config', 'vars'],
  },
  {
    name: "a challenge's setting out of range",
    more: configured({ challengeConfig: { maxVars: 1e9 } }),
    says: ['contest.json', 'config', 'maxVars'],
  },
  { name: 'no rounds', more: configured({ maxTurns: 0 }), says: ['contest.json', 'config', 'maxTurns'] },
  { name: 'half a round', more: configured({ maxTurns: 1.5 }), says: ['contest.json', 'config', 'maxTurns'] },
  { name: 'no energy', more: configured({ init: -1 }), says: ['contest.json', 'config', 'init'] },
  {
    name: 'more offers wanted than allowed',
    more: configured({ offersMin: 9, offersMax: 3 }),
    says: ['contest.json', 'config', 'offersM'],
  },
  { name: 'a format that nobody knows', more: { format: { type: 'knock-out' } }, says: [at('format.type')] },
  {
    name: "a format that is nearly one of its game's own",
    more: { game: 'punter', config: { map: 'sample' }, format: { type: 'round' } },
    says: [at('format.type'), '"swiss"', /"rounds", .*"round".*"rounds"/],
  },
  {
    name: 'a phase with a format that another game has',
    more: { phases: [{}, { format: { type: 'pods' } }] },
    says: [at('phases.1.format.type'), '"swiss"', '"pods"'],
  },
  { name: 'a table of nobody', more: roundRobin({ seats: 0 }), says: [at('format.seats')] },
  { name: 'a table of a hundred and one', more: roundRobin({ seats: 101 }), says: [at('format.seats')] },
  {
    name: 'a table of a hundred for four entrants',
    more: roundRobin({ seats: 100 }),
    says: ['contest.json', 'format', '100'],
  },
  { name: 'a table of one', more: roundRobin({ seats: 1 }), says: ['contest.json', 'format'] },
  {
    name: 'a table of more than there are',
    more: roundRobin({ seats: 5 }),
    says: ['contest.json', 'format', '5', '4'],
  },
  { name: 'a thousand million repeats', more: roundRobin({ repeats: 1e9 }), says: [at('format.repeats')] },
  { name: 'repeats beyond all numbers', more: roundRobin({ repeats: 1e300 }), says: [at('format.repeats')] },
  { name: 'no repeats', more: roundRobin({ repeats: 0 }), says: [at('format.repeats')] },
  {
    name: 'more matches than anybody waits for',
    more: { ...agentsOf(...Array.from({ length: 300 }, (_, i) => `agent ${i}`)), ...roundRobin({ repeats: 100_000 }) },
    says: ['contest.json', 'format', '4,485,000,000', '100,000,000'],
  },
  {
    name: 'more matches than a double counts',
    more: { ...agentsOf(...Array.from({ length: 1_000 }, (_, i) => `agent ${i}`)), ...roundRobin({ seats: 100 }) },
    says: ['contest.json', 'format', '2,000,000'],
  },
  {
    name: 'one match of more players than a machine holds',
    more: { ...agentsOf(...Array.from({ length: 101 }, (_, i) => `agent ${i}`)), format: { type: 'single' } },
    says: ['contest.json', 'format', '100', '101'],
  },
  { name: 'no entrants', more: { entrants: [] }, says: [at('entrants')] },
  { name: 'one entrant', more: agentsOf('alone'), says: ['contest.json', 'format', '1'] },
  ...['round-robin', 'double-round-robin', 'gauntlet', 'swiss', 'knockout', 'ladder', 'pools', 'ordered-pairs'].map(
    (type): Case => ({
      ...{ name: `one entrant of the format ${type}`, more: { ...agentsOf('alone'), format: { type } } },
      says: ['contest.json: format: ', /entrants?/],
    }),
  ),
  {
    name: 'two entrants of one name',
    more: agentsOf('twin', 'other', 'twin'),
    says: ['contest.json', 'entrants', '"twin"'],
  },
  { name: 'an entrant without a name', more: { entrants: [{ agent: 'baby.js' }] }, says: [at('entrants.0.name')] },
  { name: 'an entrant whose name steers terminals', more: agentsOf('\u001b[2J'), says: [at('entrants.0.name')] },
  { name: 'an agent of no time', more: { limits: { moveMs: 0 } }, says: [at('limits.moveMs')] },
  { name: 'an agent of endless time', more: { limits: { moveMs: 1e12 } }, says: [at('limits.moveMs')] },
  { name: 'a time bank of debts', more: { limits: { bankMs: -1 } }, says: [at('limits.bankMs')] },
  { name: 'half a strike', more: { limits: { strikes: 0.5 } }, says: [at('limits.strikes')] },
  { name: 'more strikes than anybody counts', more: { limits: { strikes: 101 } }, says: [at('limits.strikes')] },
  { name: 'an agent of no memory', more: { limits: { memoryMb: 1 } }, says: [at('limits.memoryMb')] },
  {
    name: 'a limit that does not exist',
    more: { limits: { moves: 1 } },
    says: [/contest\.json:\d+:\d+: limits: .*"moves"/],
  },
  { name: 'an isolation that does not exist', more: { isolation: 'hope' }, says: [at('isolation')] },
  { name: 'a clock that does not exist', more: { clock: 'sand' }, says: [at('clock')] },
  {
    name: 'an agent that is not there',
    more: {
      entrants: [
        { name: 'a', agent: 'gone.js' },
        { name: 'b', agent: join(stage.agents, 'baby.js') },
      ],
    },
    says: ['"a"', join(stage.folder, 'gone.js')],
  },
  {
    name: 'an agent whose path holds a zero byte',
    more: {
      entrants: [
        { name: 'a', agent: 'a\0.js' },
        { name: 'b', agent: join(stage.agents, 'baby.js') },
      ],
    },
    says: [at('entrants.0.agent')],
  },
]

/** Errors that are found when the agents are read. */
const agentCases: readonly Case[] = [
  {
    name: 'an agent that is a folder',
    more: {
      entrants: [
        { name: 'a', agent: '.' },
        { name: 'b', agent: join(stage.agents, 'baby.js') },
      ],
    },
    says: ['"a"', refusedCommand('package-is-folder', stage.folder)],
  },
  {
    name: 'an agent that ships with another game',
    more: {
      entrants: [
        { name: 'a', agent: join(stage.agents, '..', 'haggle', 'baby.js') },
        { name: 'b', agent: join(stage.agents, 'baby.js') },
      ],
    },
    says: ['"a"', refusedCommand('other-game', 'haggle', 'specker')],
  },
  {
    name: 'a script that is written for another game',
    more: {
      entrants: [
        { name: 'a', agent: 'haggler.js' },
        { name: 'b', agent: join(stage.agents, 'baby.js') },
      ],
    },
    says: ['"a"', refusedCommand('other-game', 'specker', 'turn', 'offer', 'haggle')],
  },
  {
    name: 'an agent whose agent.json names another game',
    more: {
      entrants: [
        { name: 'a', agent: 'other.zip' },
        { name: 'b', agent: join(stage.agents, 'baby.js') },
      ],
    },
    says: ['"a"', refusedCommand('other-game', 'haggle', 'specker')],
  },
  {
    name: 'an agent of 65 MB',
    more: {
      entrants: [
        { name: 'a', agent: 'huge.js' },
        { name: 'b', agent: join(stage.agents, 'baby.js') },
      ],
    },
    says: ['"a"', join(stage.folder, 'huge.js'), 'MB'],
  },
]

test.each(fieldCases)('$name', async ({ more, says }) => {
  expectRefusal(await refusalOf(stage.contest('contest.json', more)), 2, ...says)
})

test.each(agentCases)('$name', async ({ name, more, says }) => {
  if (name.includes('agent.json')) {
    const agent = { name: 'other', game: 'haggle', kind: 'script', main: 'agent.js' }
    stage.write('other.zip', zip({ 'agent.json': JSON.stringify(agent), 'agent.js': 'module.exports = class {}' }))
  }
  if (name.includes('written for'))
    stage.write('haggler.js', 'module.exports = class { offer(o) { return undefined } }')
  if (name.includes('65 MB')) stage.write('huge.js', Buffer.alloc(65 * 1024 * 1024, 32))
  const file = stage.contest('contest.json', more)
  expectRefusal(await run('contest', 'run', file, '--data', data, '--json'), 2, ...says)
  expect(existsSync(data)).toBe(false)
})

test('the program says so in a sentence, and as JSON', async () => {
  const file = stage.contest('contest.json', { format: { type: 'swis' } })
  expectRefusal(await stage.run('contest', 'run', file, '--data', data, '--json'), 2, at('format.type'), '"swis"')
  expect(existsSync(data)).toBe(false)
})

test('a challenge with an error is named with its own line and column', async () => {
  stage.write('broken.challenge', 'challenge broken\n\nthis is not a dictionary {{{\n')
  const file = stage.contest('contest.json', configured({ challenge: 'broken.challenge' }))
  expectRefusal(await refusalOf(file), 2, /broken\.challenge:\d+:\d+: /)
  expect(existsSync(data)).toBe(false)
})

const good = '{"title":"x","game":"specker","config":{"challenge":"max-csp"},"seed":"x"'

const fileCases: readonly (readonly [string, string | Uint8Array, string | RegExp | object])[] = [
  ['empty', '', ':1:1: '],
  ['only a space', ' ', ':1:2: '],
  ['not JSON', '{\n  "title": "x",\n  oops\n}', ':3:3: '],
  ['cut off', `${good},\n"form`, /:2:\d+: /],
  ['JSON twice', '{}\n{}', ':2:1: '],
  ['a number', '7', ':1:1: '],
  ['null', 'null', ':1:1: '],
  ['not UTF-8', Buffer.from([0x7b, 0xff, 0xfe]), refusedCommand('not-utf8', 'contest.json')],
  ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), refusedCommand('not-utf8', 'contest.json')],
  ['zeros', Buffer.alloc(4096), ':1:1: '],
  ['nested without end', '['.repeat(200_000), /:1:\d+: /],
  ['nested deeply', `{"config":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, /:1:\d+: .*\b512\b/],
  ['a program', Buffer.from('\x7fELF\x02\x01\x01'), ':1:1: '],
]

test.each(fileCases)('a contest file that is %s', async (_name, content, says) => {
  const file = stage.write('contest.json', content)
  expectRefusal(await refusalOf(file), 2, file, says)
})

test('a contest file with a byte order mark is read', async () => {
  const file = stage.write('contest.json', '\ufeff{ "title": 7 }')
  expectRefusal(await refusalOf(file), 2, /contest\.json:1:\d+: title: /)
})

test('a contest file that is not there, is a folder, lies below a file, or is invalid', async () => {
  const none = join(stage.folder, 'none.json')
  expectRefusal(await refusalOf(none), 2, none)
  expectRefusal(await refusalOf(stage.folder), 2, stage.folder)
  const below = join(stage.write('a-file', ''), 'contest.json')
  expectRefusal(await refusalOf(below), 2, below)
  expectRefusal(await refusalOf(''), 2)
  const device = '/dev/null'
  if (existsSync(device)) expectRefusal(await refusalOf(device), 2, device)
  expect(existsSync(data)).toBe(false)
})

test('an export folder that is a file', async () => {
  const file = stage.write('occupied', '')
  const contest = stage.contest('contest.json')
  expectRefusal(await run('contest', 'run', contest, '--data', data, '--export', file, '--json'), 3, file)
})

test('a data folder that is a file', async () => {
  const file = stage.write('occupied', '')
  const contest = stage.contest('contest.json')
  expectRefusal(await run('contest', 'run', contest, '--data', file, '--json'), 3, file)
})
