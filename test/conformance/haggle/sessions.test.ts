import { describe, expect, test } from 'vitest'
import { haggleConfig } from '../../../main/services/games/haggle/scenarios.ts'
import { playSessions, type Session } from '../../../main/services/games/haggle/sessions.ts'
import { villains } from '../../hostile/contests/villains.ts'
import { scriptText } from '../../../main/players/scripts/script-source.ts'

/** Seed 1: objects 4 1 1, worth 0 8 2 to the first side and 2 0 2 to the second. */
const SEED = 1
const accepts = 'module.exports = class { offer(o) { return o && undefined } }'
/** Demands everything, always. */
const hard = 'module.exports = class { constructor(me, counts) { this.all = counts } offer() { return this.all } }'

interface Probe {
  readonly what: string
  /** Sits first where `second` is not set. */
  readonly source: string
  readonly second?: boolean
  /** The other side; by default one that accepts. */
  readonly partner?: string
  readonly expected: Partial<Session>
}

const returning = (value: string): string => `module.exports = class { offer() { return ${value} } }`
const agreed = (offers: Session['offers'], score: Session['score']): Partial<Session> => ({
  outcome: 'agreed',
  offers,
  score,
  aborted_by: null,
  reason: null,
  turns: offers.length,
})
const aborted = (reason: string, by = 0): Partial<Session> => ({
  outcome: 'abort',
  score: [0, 0],
  aborted_by: by,
  reason,
})
const second = { second: true, partner: hard } as const
const accepted = agreed([[4, 1, 1], null], [10, 0])
const all = agreed([[4, 1, 1], null], [10, 0])

const probes: readonly Probe[] = [
  // Acceptances: whatever is false once it has been through JSON.
  ...['undefined', 'null', 'false', '0', '-0', '""', 'NaN', '() => 1', 'Symbol("x")', 'Infinity'].map(
    (value): Probe => ({ what: `${value} accepts`, source: returning(value), ...second, expected: accepted }),
  ),
  ...['undefined', 'null', 'false', '0'].map((value): Probe => ({
    what: `${value} with nothing on the table`,
    source: returning(value),
    expected: aborted('Offer expected'),
  })),
  // Values that are not offers.
  ...[
    'true',
    '1',
    '"411"',
    '{}',
    '({ length: 3, 0: 0, 1: 0, 2: 0 })',
    'new Uint8Array([0, 1, 1])',
    '[]',
    '[0, 1]',
    '[0, 1, 1, 0]',
    '[-1, 1, 1]',
    '[5, 1, 1]',
    '[4294967296, 1, 1]',
    '[0.5, 1, 1]',
    '["1", 1, 1]',
    '[NaN, 1, 1]',
    '[, 1, 1]',
    '[undefined, 1, 1]',
    '[null, 1, 1]',
    '[[1], 1, 1]',
    '[true, 1, 1]',
  ].map((value): Probe => ({
    what: `${value} is not an offer`,
    source: returning(value),
    expected: aborted('Invalid offer'),
  })),
  {
    what: 'an asynchronous offer is invalid',
    source: 'module.exports = class { async offer() { return [0, 1, 1] } }',
    expected: aborted('Invalid offer'),
  },
  {
    what: 'a promise is not an offer',
    source: returning('Promise.resolve([0, 1, 1])'),
    expected: aborted('Invalid offer'),
  },
  // Valid ones that do not look so.
  { what: '-0', source: returning('[-0, 1, 1]'), expected: agreed([[0, 1, 1], null], [10, 8]) },
  { what: 'a boxed number', source: returning('[new Number(4), 1, 1]'), expected: all },
  { what: 'an object with toJSON', source: returning('({ toJSON: () => [4, 1, 1] })'), expected: all },
  { what: 'nothing for oneself', source: returning('[0, 0, 0]'), expected: agreed([[0, 0, 0], null], [0, 10]) },
  { what: 'the very counts', source: hard, expected: all },
  // Walking away.
  {
    what: 'an exception in offer',
    source: 'module.exports = class { offer() { throw new TypeError("no such luck") } }',
    expected: aborted('TypeError: no such luck'),
  },
  {
    what: 'a thrown text',
    source: 'module.exports = class { offer() { throw "enough" } }',
    expected: aborted('enough'),
  },
  {
    what: "JSON of its own is nobody else's",
    source: `JSON.stringify = () => '[9]'; JSON.parse = () => [9]; module.exports = class { constructor(me, counts) { this.all = counts } offer() { return this.all } }`,
    expected: all,
  },
  {
    what: 'an agent that changes the language has made its own offer, which is invalid',
    source: villains['changes the language']![0],
    expected: aborted('Invalid offer'),
  },
  {
    what: 'a toJSON that all its objects have makes its offers, and nothing else',
    source: 'Object.prototype.toJSON = () => [0, 0, 0]; module.exports = class { offer() { return [9] } }',
    expected: agreed([[0, 0, 0], null], [0, 10]),
  },
  {
    what: 'a thrown text with half a character',
    source: String.raw`module.exports = class { offer() { throw "a\ud800" } }`,
    expected: aborted('a\ufffd'),
  },
  {
    what: 'an exception in the constructor, of the side that is not on turn',
    source: 'module.exports = class { constructor() { throw new Error("not today") } offer() {} }',
    ...second,
    expected: { ...aborted('Error: not today', 1), turns: 0 },
  },
  {
    what: 'something thrown that cannot be shown',
    source: 'module.exports = class { offer() { throw { toString() { throw 1 } } } }',
    expected: { outcome: 'abort', aborted_by: 0, score: [0, 0] },
  },
  {
    what: 'a BigInt ends the session with a reason',
    source: returning('10n'),
    expected: { outcome: 'abort', aborted_by: 0, reason: expect.stringContaining('BigInt') as unknown as string },
  },
  {
    what: 'a circle ends the session with a reason',
    source: 'module.exports = class { offer() { const a = []; a.push(a); return a } }',
    expected: { outcome: 'abort', aborted_by: 0, reason: expect.stringContaining('circular') as unknown as string },
  },
  {
    what: 'an endless loop',
    source: 'module.exports = class { offer() { for (;;); } }',
    expected: aborted('AI timeout'),
  },
  {
    what: 'an exception while loading',
    source: 'let x = 1\nthrow new RangeError("not here")',
    expected: { ...aborted('RangeError: not here'), turns: 0 },
  },
  { what: 'no export', source: 'const x = 1', expected: { outcome: 'abort', aborted_by: 0, score: [0, 0] } },
  {
    what: 'an arrow function',
    source: 'module.exports = () => ({ offer() {} })',
    expected: { outcome: 'abort', aborted_by: 0 },
  },
  { what: 'exports.offer', source: 'exports.offer = () => [4, 1, 1]', expected: { outcome: 'abort', aborted_by: 0 } },
  {
    what: 'a module of the newer kind',
    source: 'export default class { offer() {} }',
    expected: aborted(
      'SyntaxError: Unexpected token \'export\'. A .js file is not an ES module here: write "module.exports = Agent", or hand in a .ts file, which may export',
    ),
  },
  // Loading.
  {
    what: 'a plain constructor function',
    source:
      'function A(me, counts) { this.all = counts } A.prototype.offer = function () { return this.all }; module.exports = A',
    expected: all,
  },
  {
    what: 'a constructor that returns another object',
    source: 'module.exports = function (me, counts) { return { offer: () => counts } }',
    expected: all,
  },
  { what: 'a return at top level', source: `${hard}; return; throw 1`, expected: all },
  {
    what: 'this is exports',
    source: `if (this !== exports || this !== module.exports) throw 1; ${hard}`,
    expected: all,
  },
  { what: 'a byte order mark and a #! line', source: `\uFEFF#!/usr/bin/env node\n${hard}`, expected: all },
  {
    what: 'the globals that there were',
    source: `for (const name of ['Buffer', 'console', 'global', 'module', 'exports', 'WebAssembly', 'SharedArrayBuffer', 'Atomics'])
      if (eval('typeof ' + name) === 'undefined') throw new Error(name + ' is missing')
      if (global !== globalThis || Buffer.from('41', 'hex').toString() !== 'A' || Buffer.alloc(2).length !== 2) throw new Error('not as they were')
      console.log('x'); console.info('x'); ${hard}`,
    expected: all,
  },
  {
    what: 'no others',
    source: `for (const name of ['require', 'process', 'setTimeout', 'setInterval', 'setImmediate', 'performance', 'URL', '__filename', 'fetch'])
      if (eval('typeof ' + name) !== 'undefined') throw new Error(name); ${hard}`,
    expected: all,
  },
  {
    what: 'no way out through log',
    source: `module.exports = class { constructor(me, counts, values, rounds, log) { this.all = counts
      try { this.found = typeof log.constructor('return process')() } catch (error) { this.found = error.name } }
      offer() { if (this.found !== 'ReferenceError') throw new Error(this.found); return this.all } }`,
    expected: all,
  },
  {
    what: 'what cannot be logged throws in the script',
    source: 'module.exports = class { constructor(a, b, c, d, log) { this.log = log } offer() { this.log(1n) } }',
    expected: { outcome: 'abort', aborted_by: 0, reason: expect.stringContaining('BigInt') as unknown as string },
  },
  // Arguments are the script's own.
  {
    what: 'arguments may be spoilt',
    source: `module.exports = class { constructor(me, counts, values) { this.all = counts.slice(); counts.fill(9); values.fill(9) }
      offer(o) { if (o) o.fill(7); return this.all } }`,
    partner: returning('[0, 0, 0]')
      .replace('return', 'if (++this.n > 1) return; return')
      .replace('{ offer', '{ n = 0; offer'),
    expected: agreed([[4, 1, 1], [0, 0, 0], [4, 1, 1], null], [10, 0]),
  },
  {
    what: 'what the constructor is given',
    source: `module.exports = class { constructor(me, counts, values, rounds, log) {
      this.text = JSON.stringify([me, counts, values, rounds, typeof log, arguments.length]) }
      offer(o) { throw this.text + (o === undefined) } }`,
    expected: aborted('[0,[4,1,1],[0,8,2],5,"function",5]true'),
  },
  {
    what: 'what the second side is given',
    source: `module.exports = class { constructor(me, counts, values, rounds) { this.text = JSON.stringify([me, values]) }
      offer(o) { throw this.text + JSON.stringify(o) } }`,
    second: true,
    partner: returning('[1, 0, 1]'),
    expected: { ...aborted('[1,[2,0,2]][3,1,0]', 1), turns: 1 },
  },
  // Rounds.
  {
    what: 'ten turns and no agreement',
    source: hard,
    partner: hard,
    expected: { outcome: 'not agreed', score: [0, 0], turns: 10, aborted_by: null, reason: null },
  },
  {
    what: 'the last turn can accept',
    source: hard,
    partner: `module.exports = class { constructor(me, counts) { this.all = counts; this.left = 5 } offer() { return --this.left ? this.all : undefined } }`,
    expected: { outcome: 'agreed', turns: 10, score: [10, 0] },
  },
]

describe('every statement of the facts, one probe each, in real processes', async () => {
  const entries = probes.flatMap(({ source, partner }) => [source, partner ?? accepts])
  const sessions: Session[] = []
  await playSessions({
    entries: entries.map((source, at) => ({ name: String(at), source: scriptText(source) })),
    pairs: probes.map((probe, at) => (probe.second === true ? [2 * at + 1, 2 * at] : [2 * at, 2 * at + 1])),
    seeds: [SEED],
    config: haggleConfig({}),
    turnMs: 5_000,
    startMs: 5_000,
    jobs: 2,
    clock: 'frozen',
    chance: 'probes',
    isolation: 'none',
    signal: new AbortController().signal,
    onSession: (session) => sessions.push(session),
  })

  test.each(probes.map((probe, at) => ({ ...probe, at })))('$what', ({ expected, at }) => {
    expect(sessions[at]).toMatchObject(expected)
  })
})
