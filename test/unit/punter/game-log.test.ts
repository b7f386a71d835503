import { expect, test } from 'vitest'
import { readGameLog } from '../../../main/services/games/punter/game-log.ts'
import { rescore } from '../../../main/services/games/punter/rescore.ts'
import { pathMap } from './stage.ts'

const head = [{ start: {} }, { settings: { splurges: true } }, { map: 'path.json' }]
const team = (punter: number) => ({ punter, team: `team ${punter}` })
const pass = (punter: number) => ({ pass: { punter } })
const claim = (punter: number, source: number) => ({ claim: { punter, source, target: source + 1 } })
const log = (...events: object[]) => {
  const read = readGameLog(JSON.stringify({ game: [...head, team(0), team(1), team(2), ...events] }))
  if (typeof read === 'string') throw new Error(read)
  return read
}
const start = { gameplay: 'start' }
const types = (...events: object[]) =>
  log(start, ...events, { gameplay: 'stop' }, pass(0)).turns.map(({ type }) => type)

test('a bare zombie takes up its turn, unless its pass follows or it has just moved', () => {
  expect(types(claim(0, 0), { zombie: { punter: 1 } }, claim(2, 1))).toEqual(['move', 'gone', 'move'])
  expect(types(claim(0, 0), { zombie: { punter: 1 } }, pass(1), claim(2, 1))).toEqual(['move', 'gone', 'move'])
  expect(types(claim(0, 0), claim(1, 1), { zombie: { punter: 1 } }, claim(2, 2))).toEqual(['move', 'move', 'move'])
})

test('a time-out is its pass; who was a zombie before the start is never asked', () => {
  expect(types({ timeout: { punter: 0 } }, pass(0), claim(1, 1))).toEqual(['timeout', 'move'])
  const { failed, turns } = log({ zombie: { punter: 1 } }, start, claim(0, 0), pass(1), claim(2, 1))
  expect([...failed]).toEqual([1])
  expect(turns.map(({ type }) => type)).toEqual(['move', 'gone', 'move'])
})

test('a log without marks has its moves by the names in them', () => {
  const { turns } = log(claim(2, 4), claim(0, 0), claim(1, 2), claim(0, 1))
  expect(turns.slice(0, 4)).toMatchObject([
    { move: claim(0, 0) },
    { move: claim(1, 2) },
    { move: claim(2, 4) },
    { move: claim(0, 1) },
  ])
})

test("a move is its seat's, whatever it calls itself, and every difference is told", () => {
  const events = [start, claim(2, 0), claim(0, 7), claim(1, 1), { gameplay: 'stop' }]
  const scores = { scores: [0, 1, 2].map((punter) => ({ punter, score: punter })) }
  expect(rescore(log(...events, scores), pathMap(3))).toEqual({
    scores: [1, 0, 0],
    futures: [0, 0, 0],
    credits: [0, 1, 0],
    options: [1, 1, 1],
    differences: [
      'Move 1, of punter 1: There is no river 7-8.',
      'Punter 0, scores: 1, officially 0.',
      'Punter 1, scores: 0, officially 1.',
      'Punter 2, scores: 0, officially 2.',
    ],
  })
  expect(rescore(log(start, claim(0, 0)), pathMap(3)).differences).toEqual(['The game ends after 1 of 3 moves.'])
})

test('an invalid log is refused in a sentence', () => {
  expect(readGameLog('{')).toMatch(/^It is not JSON: /)
  expect(readGameLog('{"game": 3}')).toBe('It is not a game log: game: expected a list, found 3.')
  expect(readGameLog('{"game": []}')).toBe('It is not a game log: it names no map, or no punters.')
})
