import { describe, expect, test } from 'vitest'
import type { Input } from '../../../main/referees/punter/input.ts'
import { outline } from '../../../main/referees/punter/punter.ts'
import { rules } from '../../../main/referees/punter/rules.ts'
import { begun, claim, completed, mapText, pass, passesOn, pathMap, plays, seatsOf } from './stage.ts'

const settings = { futures: true, map: pathMap(6) }
const scores = (state: ReturnType<typeof begun>): number[] => rules.outcome(state)!.places.map(({ score }) => score)

describe('futures', () => {
  test('do not swing when they are named', () => {
    const state = rules.initial(completed(settings), seatsOf(1), '')
    const input: Input = { type: 'ready', seat: 0, futures: [{ source: 0, target: 3 }] }
    const swings = outline.swings!(state, input)
    rules.apply(state, input)
    expect([outline.levels(state), swings()]).toEqual([[-27], []])
  })

  test('bring the cube of the distance in the whole map where they are kept, and cost it where they are not', () => {
    const futures = [[{ source: 0, target: 2 }], [{ source: 0, target: 3 }]]
    const state = begun(2, settings, futures)
    for (const move of [claim(0, 1), pass, claim(1, 2), pass]) plays(state, move)
    passesOn(state)
    expect(scores(state)).toEqual([1 + 4 + 8, -27])
    expect(rules.outcome(state)).toMatchObject({ futures: [8, -27] })
  })

  test('count one by one: from a mine to a site that is not a mine; the last of a mine counts', () => {
    const state = begun(
      1,
      {
        ...settings,
        map: mapText(
          [0, 1, 2, 3],
          [
            [0, 1],
            [1, 2],
            [2, 3],
          ],
          [0, 3],
        ),
      },
      [
        [
          { source: 0, target: 1 },
          { source: 1, target: 2 },
          { source: 0, target: 3 },
          { source: 0, target: 77 },
          { source: '3', target: 1 },
          { source: 3, target: 1 },
          { source: 0, target: 2 },
          { source: 0, target: 3 },
        ],
      ],
    )
    expect(state.punters[0]!.futures.map(({ mine, target }) => [mine, target])).toEqual([
      [0, 2],
      [3, 1],
    ])
    expect(state.punters[0]!.notes).toEqual([
      'The future from 1 to 2 is passed over: 1 is no mine.',
      'The future from 0 to 3 is passed over: 3 is a mine.',
      'The future from 0 to 77 is passed over: there is no site 77.',
      'A future is not {"source": MINE, "target": SITE} and is passed over.',
      'The future from 0 to 1 is passed over: a later one of the mine counts.',
      'The future from 0 to 3 is passed over: 3 is a mine.',
    ])
  })

  test('of which the target cannot be reached bring nothing', () => {
    const state = begun(
      1,
      {
        futures: true,
        map: mapText(
          [0, 1, 2, 3],
          [
            [0, 1],
            [2, 3],
          ],
          [0],
        ),
      },
      [[{ source: 0, target: 3 }]],
    )
    expect(state.punters[0]!.notes).toEqual(['The future from 0 to 3 brings nothing: there is no way.'])
    passesOn(state)
    expect(scores(state)).toEqual([0])
  })

  test('are not for the eyes of others before the end', () => {
    const state = begun(2, settings, [[{ source: 0, target: 2 }]])
    expect(rules.view(state, 1).punters[0]).toMatchObject({ futures: null, score: 0, notes: [] })
    expect(rules.view(state, 'public').punters[0]!.futures).toBeNull()
    for (const viewer of [0, 'panel'] as const) {
      expect(rules.view(state, viewer).punters[0]).toMatchObject({
        score: -8,
        futures: [{ source: 0, target: 2, worth: 8, kept: false }],
      })
    }
    passesOn(state)
    expect(rules.view(state, 'public').punters[0]!.futures).toHaveLength(1)
  })

  test('of which many are wrong have the first twenty notes and a count', () => {
    const state = begun(1, settings, [Array.from({ length: 50 }, () => ({}))])
    const { notes } = state.punters[0]!
    expect(notes).toHaveLength(21)
    expect(notes.at(-1)).toBe('30 more are passed over or bring nothing.')
  })

  test('are absent from a match without them', () => {
    const state = begun(1, { map: pathMap(3) }, [[{ source: 0, target: 2 }]])
    expect(state.punters[0]).toMatchObject({ futures: [], notes: ['Futures are not a part of this match.'] })
  })
})
