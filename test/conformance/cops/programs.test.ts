import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cops } from '../../../main/referees/cops/cops.ts'
import { playCops } from '../../../main/services/games/cops/play.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { completed } from '../../unit/cops/stage.ts'
import { saying } from '../../refusal.ts'

const bot = join(import.meta.dirname, 'bot.py')
const folder = temporaryFolder('cops-programs')

const fiveCops = ['cop-foot Bob 1 crlf', 'cop-car Bob 2 tab', 'cop-foot Ann 3', 'cop-car Zed 4', 'cop-foot Max 5']

/** `robber` and `others`: arguments of the Python bot. */
function played(settings: object, robber: string, others: readonly string[], limits: object = {}) {
  return playCops({
    config: completed(settings),
    programs: [`robber ${robber}`, ...others].map((words) => ({
      folder: import.meta.dirname,
      command: ['python3', bot, ...words.split(' ')],
    })),
    limits: { startMs: 30_000, moveMs: 30_000, ...limits },
    isolation: null,
  })
}

const withWords = (at: number, words: string): readonly string[] =>
  fiveCops.map((cop, each) => (each === at ? `${cop} ${words}` : cop))

test('six programs play a game; equal names get the number of their seat', async () => {
  const { names, disqualified, refused, end, banks, loot, scores } = await played({}, 'Fox 7', fiveCops)
  expect(names).toEqual(['Fox', 'Bob', 'Bob2', 'Ann', 'Zed', 'Max'])
  expect([disqualified, refused]).toEqual([Array(6).fill(null), []])
  expect(banks + loot).toBe(6_000)
  expect(end === 'caught' ? scores[0] : scores[0] === loot).toBe(end === 'caught' ? 0 : true)
}, 60_000)

test('six programs play with the rules of the second phase', async () => {
  const others = fiveCops.map((cop, at) =>
    `${cop} twist ${at === 1 ? 'turncoat' : at === 2 ? 'accuse=Bob2' : ''}`.trim(),
  )
  const log = join(folder, 'robber.log')
  const { disqualified, refused, world } = await played(
    { rules: '2005-twist', secondPhase: 'as-written' },
    `Fox 3 twist bribe log=${log}`,
    others,
  )
  expect([disqualified, refused]).toEqual([Array(6).fill(null), []])
  expect(world).toBeGreaterThan(1)
  const lines = readFileSync(log, 'utf8').split('\n')
  expect(lines.slice(0, 8).map((line) => line.split(' ')[0])).toEqual([
    'wsk\\',
    'name:',
    'robber:',
    ...Array(5).fill('cop:'),
  ])
}, 60_000)

test.each([
  ['bad=1', /^Line 2, character 6: .*"inf: {2}two spaces"/],
  ['illegal=1', /no-such-place/],
  ['noballot=1', /ballot.*candidate/],
  ['quit=1', /exit code 3/],
])(
  'a cop with %s is disqualified, and the game is void',
  async (words, why) => {
    const { end, disqualified, world, scores } = await played({}, 'Fox 7', withWords(2, words))
    expect([end, world, scores]).toEqual(['disqualified', 1, Array(6).fill(0)])
    expect(disqualified[3]).toMatch(why)
    expect(disqualified.filter((each) => each !== null)).toHaveLength(1)
  },
  60_000,
)

test('a McGruff that is late, illegal or gone stands still', async () => {
  const others = [...fiveCops.slice(0, 2), 'cop-foot Ann 3 late=1', 'cop-car Zed 4 illegal=1', 'cop-foot Max 5 quit=1']
  const { end, disqualified, refused } = await played({ mcgruffs: 3, lastWorld: 4 }, 'Fox 7', others, { moveMs: 1_500 })
  expect(disqualified).toEqual(Array(6).fill(null))
  expect(end).not.toBe('disqualified')
  const told = refused.map(({ name, text }) => `${name}: ${text}`)
  expect(told).toContainEqual(expect.stringMatching(/^Max: .*exit code 3/))
  expect(told).toContainEqual(saying('Zed:', 'no-such-place'))
  expect(told).toContainEqual(expect.stringMatching(/^Ann: .*(1\.5 s|1500 ms)/))
}, 60_000)

test('each message has its own time, counted from the first byte that is sent', async () => {
  expect(cops.matches?.limits?.moveMs).toBe(5_000)
  const limits = { moveMs: 1_000 }
  // Four messages of 0.6 s in one world.
  const slow = await played({ lastWorld: 2 }, 'Fox 7', withWords(2, 'slow=0.6'), limits)
  expect(slow.disqualified).toEqual(Array(6).fill(null))
  // It answers at once when it has read what has waited for 1.3 s.
  const late = await played({ lastWorld: 2 }, 'Fox 7', withWords(2, 'unread=1.3'), limits)
  expect([late.end, late.world]).toEqual(['disqualified', 1])
  expect(late.disqualified[3]).toMatch(/within 1000 ms/)
}, 60_000)

test.each([
  ['ends with an escape', 'Fox 7 doze=4', fiveCops, {}],
  ['is void', 'Fox 7', withWords(2, 'illegal=1'), {}],
  [
    'ends in the second phase',
    'Fox 7 twist',
    fiveCops.map((cop) => `${cop} twist`),
    { rules: '2005-twist', secondPhase: 'as-written' },
  ],
])(
  'every program reads game-over when the game %s, however slowly it reads',
  async (what, robber, others, more) => {
    const logs = [robber, ...others].map((_, seat) => join(folder, `${what.replaceAll(' ', '-')}-${seat}.log`))
    await played(
      { lastWorld: 4, ...more },
      `${robber} log=${logs[0]}`,
      others.map((cop, at) => `${cop} log=${logs[at + 1]}`),
    )
    for (const log of logs) expect(readFileSync(log, 'utf8').trimEnd().split('\n').at(-1)).toBe('game-over')
  },
  60_000,
)

const official = join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'data')
test.skipIf(!existsSync(official)).each([
  ['phase1', '2005', ''],
  ['twist', '2005-twist', ' twist'],
])(
  'a game on the official map of %s (needs ../shared/data)',
  async (file, ruleSet, word) => {
    const map = readFileSync(join(official, `hyde-park-2005-${file}.wsk`), 'utf8')
    const { disqualified, refused } = await played(
      { map, rules: ruleSet, secondPhase: 'as-written' },
      `Fox 7${word}`,
      fiveCops.map((cop) => `${cop}${word}`),
    )
    expect([disqualified, refused]).toEqual([Array(6).fill(null), []])
  },
  60_000,
)
