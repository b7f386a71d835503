import { describe, expect, test } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'
import type { MatchEvent } from '../../../main/contract/procedures/procedures.ts'
import { mayRead, type Viewer } from '../../../main/contract/histories/viewer.ts'
import { config } from '../../../main/referees/haggle/config.ts'
import type { Input } from '../../../main/referees/haggle/input.ts'
import { foldStretch, type Reader } from '../../../renderer/games/fold.ts'
import { createOutline } from '../../../renderer/games/match-outline.ts'
import { reader as haggleReader } from '../../../renderer/games/haggle/digests.ts'
import { rules as haggleRules } from '../../../renderer/games/haggle/rules.ts'
import { reader as speckerReader } from '../../../renderer/games/specker/digests.ts'
import { obligationsOf } from '../../../renderer/games/specker/market.ts'
import { rules as speckerRules } from '../../../renderer/games/specker/rules.ts'
import { viewerChoices, viewerOf } from '../../../renderer/screens/match/viewers.ts'
import { councilRules } from '../../conformance/toys/council.ts'
import { allOf, beginning, events, material, sale, turn } from './played.ts'

test('readers of an event: everybody what is public, seats their own, nobody what is sealed; today everybody all', () => {
  const read = (viewer: Viewer) => (['public', 'sealed', [0, 2]] as const).map((audience) => mayRead(audience, viewer))
  expect(read('public')).toEqual([true, true, true])
  expect(read('panel')).toEqual([true, false, false])
  expect(read(0)).toEqual([true, false, true])
  expect(read(1)).toEqual([true, false, false])
})

test('an address names a seat of the match, the panel or nobody', () => {
  expect([undefined, 'public', 'panel', '0', '1'].map((as) => viewerOf(as, 2))).toEqual([
    'public',
    'public',
    'panel',
    0,
    1,
  ])
  expect(['2', '-1', '', 'Anna', '1e0', '0001'].map((as) => viewerOf(as, 2))).toEqual(Array(6).fill(null))
  expect(viewerChoices(['Anna', 'Ben']).map(({ value }) => viewerOf(value, 2))).toEqual(['public', 'panel', 0, 1])
})

describe('a game of hidden information', () => {
  const seats = [0, 1, 2, 3].map((id) => ({ id, entrant: Math.min(id, 1), role: 'r', bodies: 1 }))
  const start = { config: {}, seats, seed: '0'.repeat(64) }
  const reader: Reader<unknown, string, null> = {
    before: () => null,
    after: (_, event) => (event.kind === 'input' ? (event.input as { type: string }).type : event.kind),
  }
  const input = (n: number, value: Json, audience?: readonly number[] | 'sealed'): MatchEvent => {
    return { n, at: n, kind: 'input', input: value, ...(audience === undefined ? {} : { audience }) }
  }
  const history: readonly MatchEvent[] = [
    input(0, { type: 'hide', place: 4 }, [0]),
    input(1, { type: 'propose', seat: 1, place: 3 }, [1, 2, 3]),
    { n: 2, at: 2, kind: 'console', seat: 1, text: 'left' },
    { n: 3, at: 3, kind: 'fault', seat: 2, fault: { kind: 'timeout', text: 'Too slow.' } },
    input(4, { type: 'vote', seat: 1, place: 3 }, 'sealed'),
    input(5, { type: 'search' }),
  ]
  const watched = (viewer: Viewer) => foldStretch(councilRules, start, viewer, reader, 0, null, history)

  test.each([
    ['public', ['hide', 'propose', 'console', 'fault', 'vote', 'search']],
    ['panel', [null, null, null, null, null, 'search']],
    [0, ['hide', null, null, null, null, 'search']],
    [1, [null, 'propose', 'console', null, null, 'search']],
    [2, [null, 'propose', null, 'fault', null, 'search']],
  ] as const)('%s is told of the events that it could read', (viewer, told) => {
    expect(watched(viewer)).toMatchObject({ digests: told, broken: null })
  })

  test('and sees of the state what the rules let it see, at every position', () => {
    const seen = (viewer: Viewer) =>
      [0, 1, 2].map((position) => {
        const { hidden, proposals } = watched(viewer).viewAt(position) as { hidden: number | null; proposals: Json[] }
        return [hidden, proposals]
      })
    const none = [null, null, null, null]
    expect(seen(0)).toEqual([
      [null, []],
      [4, []],
      [4, []],
    ])
    expect(seen(1)).toEqual([
      [null, none],
      [null, none],
      [null, [null, 3, null, null]],
    ])
    for (const viewer of ['panel', 'public'] as const) {
      expect(seen(viewer)).toEqual([
        [null, none],
        [4, none],
        [4, [null, 3, null, null]],
      ])
    }
  })

  test('its outline says of a hidden event that it was, in one line, and of whom no more', () => {
    const outline = createOutline(2, 2, 1)
    const rest = { levels: [0, 0, 0, 0], marks: [], swings: [], initial: [0, 0], states: [], last: true, broken: null }
    const restricted = [
      { event: 0, audience: [0] },
      { event: 1, audience: [1] },
    ]
    outline.add({ from: 0, at: [5, 6], round: [1, 1], seat: [0, 1], lines: [3, 3], restricted, ...rest })
    expect([0, 1].map((event) => [outline.hidden(event), outline.lines(event), outline.seat(event)])).toEqual([
      [true, 1, null],
      [false, 3, 1],
    ])
  })
})

describe('Haggling', () => {
  const seats = [0, 1].map((id) => ({ id, entrant: id, role: 'negotiator', bodies: 1 }))
  // Seed 1: objects 4 1 1, worth 0 8 2 to the first side and 2 0 2 to the second.
  const start = { config: config.parse({}) as unknown as Json, seats, seed: `00000001${'0'.repeat(56)}` }
  const inputs: readonly Input[] = [
    { type: 'answer', seat: 0, value: [4, 1, 1] },
    { type: 'answer', seat: 1, value: [4, 0, 1] },
    { type: 'answer', seat: 0, value: null },
  ]
  const watched = (viewer: Viewer) =>
    foldStretch(haggleRules, start, viewer, haggleReader, 0, null, events(inputs as unknown as Json[]))

  test('a side knows what offers are worth to itself; what the other valued its view has once it is over', () => {
    expect(allOf(watched(0)).map(({ worths }) => worths)).toEqual([
      [10, null],
      [8, null],
      [8, null],
    ])
    expect(allOf(watched(1)).map(({ worths }) => worths)).toEqual([
      [null, 0],
      [null, 10],
      [null, 10],
    ])
    expect(watched(0).viewAt(2)).toMatchObject({ values: [[0, 8, 2], null], seed: null, scores: null })
    expect(watched(1).viewAt(2)).toMatchObject({ values: [null, [2, 0, 2]] })
    expect(watched(1).viewAt(3)).toMatchObject({
      values: [
        [0, 8, 2],
        [2, 0, 2],
      ],
    })
  })

  test('the panel and everybody know both sides’ all along', () => {
    for (const viewer of ['panel', 'public'] as const) {
      expect(allOf(watched(viewer)).map(({ worths }) => worths)).toEqual([
        [10, 0],
        [8, 10],
        [8, 10],
      ])
    }
  })
})

describe('the Specker Challenge Game', () => {
  const watched = (viewer: Viewer, inputs: readonly Json[]) =>
    foldStretch(speckerRules, beginning(3), viewer, speckerReader, 0, null, events(inputs))

  test('trades are public, so a seat is told of all of them; what is owed it is shown of itself', () => {
    const trade = [sale[0]!, sale[1]!]
    expect(watched(2, trade).digests).toEqual(watched('public', trade).digests)
    const owed = ([0, 1, 2, 'public', 'panel'] as const).map((viewer) =>
      obligationsOf(watched(viewer, trade).viewAt(2), viewer).map(({ debtor, owes }) => [debtor, owes]),
    )
    const all = [[0, 'raw material']]
    expect(owed).toEqual([all, [], [], all, all])
  })

  test('of what was refused the others do not see what had been sent', () => {
    const bad = { variables: 3, constraints: [] }
    const broken = [sale[0]!, sale[1]!, turn(2), turn(0, { type: 'deliver', challenge: 0, instance: bad })]
    const shown = (viewer: Viewer) => allOf(watched(viewer, broken)).at(-1)!.happenings[0]!
    expect(shown(0)).toMatchObject({ event: { type: 'removed' }, evidence: { instance: bad } })
    expect(shown(1)).toMatchObject({ event: { type: 'removed' }, evidence: { instance: null, predicate: null } })
    const good = [...broken.slice(0, 3), turn(0, { type: 'deliver', challenge: 0, instance: material })]
    expect(allOf(watched(1, good)).at(-1)!.happenings[0]).toMatchObject({ evidence: { instance: material } })
  })
})
