import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compare, fraction, toText, type Fraction } from '../../../grammars/formulas/numbers/fraction.ts'
import type { Json } from '../../../main/contract/json.ts'
import { ENERGY, type Kind } from '../../../main/referees/specker/messages.ts'
import { config as speckerConfig } from '../../../main/referees/specker/config.ts'
import { verdictOf } from '../../../main/referees/specker/trading/payoffs.ts'
import { rules } from '../../../main/referees/specker/rules.ts'
import type { Deal } from '../../../main/referees/specker/state.ts'
import { payoffOf, worthOf } from '../../../agents/specker/trade/worth.ts'
import { configOf } from './table.ts'

const share = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 60 }))
  .map(([a, b]) => fraction(Math.min(a, b), b))
const price = fc.oneof(
  fc.integer({ min: 0, max: ENERGY }),
  fc.integer({ min: 0, max: 60 }).map((n) => Math.floor((n * ENERGY) / 60)),
)
const kinds = ['classic', 'belief', 'secret'] as const

/** Raw material of which three false variables satisfy just this part. */
function worth({ n, d }: Fraction): Json {
  const constraints = [
    { weight: Number(n), relation: 1, variables: [1, 2, 3] },
    { weight: Number(d - n), relation: 2, variables: [1, 2, 3] },
  ]
  return { variables: 3, constraints: constraints.filter(({ weight }) => weight > 0) }
}

test('what an answer brings is reckoned as the rules reckon it', () => {
  const sale = fc.record({
    kind: fc.constantFrom(...kinds),
    price,
    f: fc.option(price, { nil: undefined }),
    quality: share,
    secret: share,
    profitFactor: fc.constantFrom(0, 0.1, 0.5, 1, 2.75, 1000),
  })
  fc.assert(
    fc.property(sale, ({ kind, price: p, f, quality, secret, profitFactor }) => {
      const variant = kind === 'classic' ? 'classic' : kind
      const config = speckerConfig.parse(configOf('max-csp', {}, { variant, profitFactor, f: 'free' }))
      const seats = [0, 1].map((id) => ({ id, entrant: id, role: 'player', bodies: 1 }))
      const state = rules.initial(config, seats, '0'.repeat(64))
      const claim = kind === 'belief' && f !== undefined ? { f } : {}
      const promised = kind === 'secret' ? { secret: { quality: toText(secret), commitment: '0'.repeat(64) } } : {}
      const deal: Deal = {
        challenge: 0,
        seller: 0,
        buyer: 1,
        predicate: { relations: [22] },
        price: p,
        ...(kind === 'classic' ? {} : { kind }),
        ...claim,
        material: { instance: worth(quality), ...promised },
      }
      const verdict = verdictOf(state, deal, { values: [0, 0, 0] }, quality)
      if (typeof verdict === 'string') throw new Error(verdict)
      expect(payoffOf({ kind, price: p, ...claim }, quality, secret, profitFactor)).toBe(verdict.payoff)
    }),
    { numRuns: 300 },
  )
})

describe('break-even values', () => {
  const v = 0.44 * ENERGY
  const at = (kind: Kind, energy: number) => ({ kind, price: energy * ENERGY })

  test('classic: the price itself; belief: what is claimed', () => {
    const { gain, cost } = worthOf({ profitFactor: 2 })
    expect([0.43, 0.44, 0.45].map((p) => Math.sign(gain(at('classic', p), v, false)))).toEqual([1, 0, -1])
    expect([0.43, 0.44, 0.45].map((p) => Math.sign(gain(at('belief', p), v, false)))).toEqual([1, 0, -1])
    expect(gain({ ...at('belief', 0.9), f: 0.34 * ENERGY }, v, false)).toBeCloseTo(0.2 * ENERGY, 0)
    expect(cost(at('belief', 0.45), v)).toBe(-0.45 * ENERGY)
  })

  test('secret: 1 for who finds the best solution, else the value', () => {
    const { gain } = worthOf({ profitFactor: 1 })
    expect([0, 0.44, 0.9, 1].map((p) => Math.sign(gain(at('secret', p), v, true)))).toEqual([1, 1, 1, 0])
    expect([0.43, 0.44, 0.45].map((p) => Math.sign(gain(at('secret', p), v, false)))).toEqual([1, 0, -1])
  })

  test('a secret: the gain that is promised is there whatever the seller does, and no more where it does its best', () => {
    const materials = fc.record({ optimum: share, promise: share, p: price, profitFactor: fc.constantFrom(0.5, 1, 2) })
    fc.assert(
      fc.property(materials, ({ optimum, promise, p, profitFactor }) => {
        const { gain, cost } = worthOf({ profitFactor })
        const terms = { kind: 'secret', price: p } as const
        const value = (Number(optimum.n) / Number(optimum.d)) * ENERGY
        // He may promise less than the best, never more.
        const promised = compare(promise, optimum) < 0 ? promise : optimum
        expect(payoffOf(terms, optimum, promised, profitFactor) - p).toBeGreaterThanOrEqual(
          gain(terms, value, true) - 2,
        )
        expect(payoffOf(terms, optimum, optimum, profitFactor) - p).toBeLessThanOrEqual(cost(terms, value) + 2)
      }),
    )
  })
})
