import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'
import { logText, readSessionLog } from '../../../main/services/games/haggle/session-log.ts'
import { storyOf } from '../../../main/services/games/haggle/story.ts'

const seat = fc.constantFrom(0 as const, 1 as const)
const share = fc.array(fc.nat(4), { minLength: 3, maxLength: 3 })
const noted = fc.jsonValue() as fc.Arbitrary<Json>

/** Entries as the original writes them between a session's beginning and its end, in any order. */
const middle = fc.oneof(
  fc.tuple(fc.constant('info'), seat, noted),
  fc.tuple(fc.constant('offer'), seat, fc.tuple(share, share)),
  fc.tuple(fc.constant('offer'), seat),
  fc.tuple(fc.constant('offer'), seat, fc.constant(null)),
)
const end = fc.oneof(
  fc.tuple(fc.tuple(fc.constant('abort'), fc.option(seat), noted)),
  fc.tuple(share, share, fc.nat(10), fc.boolean()).map(([one, other, score, done]) => [
    ['valuation', 0, one],
    ['score', 0, score],
    ['valuation', 1, other],
    ['score', 1, 10 - score],
    ['done', done],
  ]),
)
const label = fc.constantFrom('script', 'human', 'remote')
const logs = fc
  .tuple(fc.boolean(), fc.tuple(label, label), share, fc.integer({ min: 1, max: 8 }), fc.array(middle), end)
  .map(([seeded, labels, counts, rounds, between, last]): unknown[] => [
    ...(seeded ? [['seed', 4_294_967_295]] : []),
    ['init', labels, counts, rounds],
    ...between,
    ...last,
  ])

describe('any log of the original', () => {
  test('comes back byte for byte', () => {
    fc.assert(
      fc.property(logs, (log) => {
        const text = `${JSON.stringify(log, null, 4)}\n`
        const read = readSessionLog(text)
        expect(typeof read === 'string' ? read : logText(read.log)).toBe(text)
      }),
    )
  })

  test('is told, one sentence or two an entry', () => {
    fc.assert(
      fc.property(logs, (log) => {
        const read = readSessionLog(JSON.stringify(log))
        if (typeof read === 'string') throw new Error(read)
        const story = storyOf(read.log)
        expect(story).toHaveLength(log.length + 1)
        for (const { text } of story) expect(text).not.toMatch(/undefined|NaN|\[object/)
      }),
    )
  })
})

test('whatever else it is, it is refused in words or comes back', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.array(fc.array(noted)).map((list) => JSON.stringify(list)),
      ),
      (text) => {
        const read = readSessionLog(text)
        if (typeof read === 'string') expect(read).toMatch(/^(It is|Entry \d+) .*\S/)
        else expect(JSON.parse(logText(read.log))).toEqual(JSON.parse(text))
      },
    ),
  )
})
