import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { playSingleMatch as playProcesses } from '../../../main/services/contests/command/play-match.ts'
import type { Json } from '../../../main/contract/json.ts'
import { ENERGY } from '../../../main/referees/specker/messages.ts'
import { playMatch } from '../../unit/agents-specker/table.ts'
import { SHIPPED, sourceOf } from '../../unit/challenges/shipped.ts'

/** Enough on the account that nobody is removed for being poor. */
const config = (name: string, more: { readonly [key: string]: Json } = {}): { readonly [key: string]: Json } => ({
  challenge: sourceOf(name),
  maxTurns: 3,
  init: 100 * ENERGY,
  ...more,
})

/** A game that nobody here has heard of: no line of the baby knows it. */
const UNHEARD = `challenge unheard "Meet in the middle"
config { longest = 9 in 1..99 }
dictionary {{
  Predicate = "steps" <steps> List(int).
  Instance = "walks" <walks> List(Walk).
  Walk = Left | Right.
  Left = "left" <by> int.
  Right = "right" <by> int.
  Solution = "start" <start> number.
}}
set Predicate.steps
legal predicate { require length(predicate.steps) > 0 else "Empty." }
legal instance {
  require length(instance.walks) > 0 else "Empty."
  for w in instance.walks { require w.by in predicate.steps else "No step of {w.by}." }
}
feasible solution { require solution.start in 0..100 else "0 to 100." }
define after(start: number, walks: list of Walk) =
  start + sum(match w { Left: 0 - w.by, Right: w.by } for w in walks)
measure = max(0, 1000 - abs(after(solution.start, instance.walks) - 50))
goal = max
bound = 1000
property predicate { Predicate.steps: length range 1 3, distinct, element range 1 config.longest }
property instance { Instance.walks: length range 1 5  Walk.by: in predicate.steps }
property solution { Solution.start: range 0 100 }
example "there" {
  predicate {{ steps 5 }}
  instance {{ walks right 5 }}
  solution {{ start 45 }}
  quality = 1
}
`

describe('three babies play every challenge through the rules, and nobody does anything wrong', () => {
  test.each(SHIPPED)('%s', (name) => {
    for (const seed of [1, 2]) {
      const { outcome, removals, transcript } = playMatch(['baby', 'baby', 'baby'], config(name), seed)
      expect(removals).toEqual([])
      expect(outcome.places).toHaveLength(3)
      // They did trade: something was sold, delivered and solved.
      for (const type of ['offer', 'deliver', 'solve']) expect(transcript).toContain(`"type":"${type}"`)
    }
  })

  test('also one that does not ship', () => {
    const played = playMatch(['baby', 'baby'], { ...config('knapsack'), challenge: UNHEARD }, 1)
    expect(played.removals).toEqual([])
    expect(played.transcript).toContain('"solve"')
  })

  test.each([
    ['in a league', 'max-csp', { league: 'slow-pitch' }],
    ['in a league with a parameter', 'max-sat', { league: 'level-k-independent', leagueParameter: 1 }],
    [
      'where raw material may be very large',
      'max-csp',
      { challengeConfig: { maxVars: 1_000, maxConstraints: 100_000, maxWeight: 1_000_000 } },
    ],
    ['where beliefs are sold', 'knapsack', { variant: 'belief' }],
    ['in mega-moves', 'vertex-cover', { mode: 'mega-moves' }],
  ])('%s', (_, name, more) => {
    const { removals } = playMatch(['baby', 'baby'], config(name, more), 3)
    expect(removals).toEqual([])
  })
})

describe('two babies play every challenge as scripts in processes of their own, without a fault', () => {
  const played = async (name: string, more: { readonly [key: string]: Json }): Promise<void> => {
    const report = await playProcesses({
      game: 'specker',
      config: config(name, more),
      agents: ['baby', 'baby'],
      data: join(tmpdir(), 'no-class'),
      seed: name,
      clock: 'frozen',
      isolation: 'none',
      onNotice: () => undefined,
      signal: new AbortController().signal,
    })
    expect(report.seats.map(({ faults, removed }) => ({ faults, removed }))).toEqual(
      [0, 1].map(() => ({ faults: [], removed: false })),
    )
    expect(report.seats.map(({ score }) => score).reduce((a, b) => a + b, 0)).toBe(200 * ENERGY)
  }

  test.each(SHIPPED)('%s', (name) => played(name, { maxTurns: 2 }))

  test('also where there are no turns', () => played('knapsack', { mode: 'asynchronous', duration: 1_000 }))
})
