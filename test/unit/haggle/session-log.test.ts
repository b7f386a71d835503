import { describe, expect, test } from 'vitest'
import { logOf, logText, readSessionLog } from '../../../main/services/games/haggle/session-log.ts'
import type { Session } from '../../../main/services/games/haggle/sessions.ts'
import { storyOf } from '../../../main/services/games/haggle/story.ts'
import { noteOf } from '../../../main/referees/haggle/script.ts'

const session: Session = {
  seed: 1,
  entries: [0, 1],
  counts: [4, 1, 1],
  values: [
    [0, 8, 2],
    [2, 0, 2],
  ],
  max_rounds: 5,
  offers: [[0, 1, 1], [4, 0, 1], null],
  outcome: 'agreed',
  score: [8, 10],
  aborted_by: null,
  reason: null,
  turns: 3,
  printed: [
    { seat: 0, turn: 0, text: '▸ {"b":1,"a":[]}', note: { b: 1, a: [] } },
    { seat: 1, turn: 0, text: 'printed', note: undefined },
    { seat: 1, turn: 1, text: '▸ null', note: null },
    { seat: 0, turn: 2, text: '▸ "x"', note: 'x' },
  ],
}

describe('the log of a session', () => {
  test('is the original: notes before the offer of their turn, both shares by seat, four spaces and a line end', () => {
    expect(logOf(session)).toEqual([
      ['seed', 1],
      ['init', ['script', 'script'], [4, 1, 1], 5],
      ['info', 0, { b: 1, a: [] }],
      [
        'offer',
        0,
        [
          [0, 1, 1],
          [4, 0, 0],
        ],
      ],
      ['info', 1, null],
      [
        'offer',
        1,
        [
          [0, 1, 0],
          [4, 0, 1],
        ],
      ],
      ['info', 0, 'x'],
      ['offer', 0],
      ['valuation', 0, [0, 8, 2]],
      ['score', 0, 8],
      ['valuation', 1, [2, 0, 2]],
      ['score', 1, 10],
      ['done', true],
    ])
    expect(logText([['seed', 1]])).toBe('[\n    [\n        "seed",\n        1\n    ]\n]\n')
    // Notes keep the order of their keys.
    expect(logText(logOf(session))).toMatch(/"b": 1,\s+"a": \[\]/)
  })

  test('ends with an abort where somebody walked away, after what it noted', () => {
    const walked: Session = {
      ...session,
      offers: [[0, 1, 1]],
      outcome: 'abort',
      aborted_by: 1,
      reason: 'Invalid offer',
      score: [0, 0],
    }
    expect(logOf(walked).slice(-2)).toEqual([
      ['info', 1, null],
      ['abort', 1, 'Invalid offer'],
    ])
  })

  test('says false where nothing was agreed', () => {
    const over: Session = { ...session, offers: [[0, 1, 1]], outcome: 'not agreed', score: [0, 0] }
    expect(logOf(over).slice(-5)).toEqual([
      ['valuation', 0, [0, 8, 2]],
      ['score', 0, 0],
      ['valuation', 1, [2, 0, 2]],
      ['score', 1, 0],
      ['done', false],
    ])
  })

  test.each([
    ['nonsense', 'It is not JSON.'],
    ['{}', 'It is not a list of entries.'],
    ['[["seed",1],["end"]]', 'Entry 2 is not'],
    ['[["seed","1"]]', 'Entry 1 is not'],
    ['[["init",["script"],[1],5]]', 'Entry 1 is not'],
    ['[["init",["script","script"],[1,1],5],["offer",2]]', 'Entry 2 is not'],
    ['[["init",["script","script"],[1,1],5],["seed",5]]', 'Entry 2 gives a seed in the middle'],
    ['[["offer",0,[[1],[0]]]]', 'Entry 1 is an offer before'],
    ['[["done",true,1]]', 'Entry 1 is not'],
  ])('%s is refused in words', (text, words) => {
    expect(readSessionLog(text)).toContain(words)
  })
})

test('a session is told in words', () => {
  expect(storyOf(logOf(session))).toEqual([
    { side: null, text: 'Seed: 1' },
    { side: null, text: 'Alice is a script, Bob is a script. There are 4 books, 1 hat and 1 ball.' },
    { side: null, text: 'They have 5 rounds of two turns.' },
    { side: 0, text: 'Alice notes: {"b":1,"a":[]}' },
    { side: 0, text: 'Alice: I want 1 hat and 1 ball; you get 4 books.' },
    { side: 1, text: 'Bob notes: null' },
    { side: 1, text: 'Bob: I want 4 books and 1 ball; you get 1 hat.' },
    { side: 0, text: 'Alice notes: "x"' },
    { side: 0, text: 'Alice: I accept.' },
    { side: 0, text: 'To Alice, a book is worth $0, a hat is worth $8 and a ball is worth $2.' },
    { side: 0, text: 'Alice gets $8.' },
    { side: 1, text: 'To Bob, a book is worth $2, a hat is worth $0 and a ball is worth $2.' },
    { side: 1, text: 'Bob gets $10.' },
    { side: null, text: 'They have agreed.' },
  ])
})

test('a note is a line of log() and nothing else', () => {
  expect(noteOf('▸ [1,2]')).toEqual([1, 2])
  expect(noteOf('[1,2]')).toBeUndefined()
  expect(noteOf('"▸ [1,2]"')).toBeUndefined()
  expect(noteOf('▸ [1,2')).toBeUndefined()
})
