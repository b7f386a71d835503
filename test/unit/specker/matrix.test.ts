import { describe, expect, test, vi } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'
import type { Action, Kind } from '../../../main/referees/specker/messages.ts'
import type { PlayerFault, Rule, Violation } from '../../../main/referees/specker/trading/violations.ts'
import { accept, deliver, e, match, offer, reoffer, reveal, sealed, solve, type Match } from './match.ts'

vi.mock('../../../grammars/challenges/index.ts', () => import('./sums.ts'))

/*
 * Every rule of section 4.3 and every decision that can be broken, in every variant and mode. A row is a player that breaks
 * something; a column is a market, a way of taking turns and a table. A row without a meaning there says why.
 */

const markets = [
  { name: 'classic', variant: 'classic', kind: 'classic' },
  { name: 'belief', variant: 'belief', kind: 'belief' },
  { name: 'secret', variant: 'secret', kind: 'secret' },
  { name: 'base ball, classic', variant: 'base-ball', kind: 'classic' },
  { name: 'base ball, secret', variant: 'base-ball', kind: 'secret' },
] as const
const modes = ['synchronous', 'asynchronous', 'mega-moves'] as const
type Mode = (typeof modes)[number]

/** The agents there, and the one that begins a round. */
interface Seating {
  readonly name: string
  readonly players: number
  readonly order: 'fixed' | 'rotating'
  readonly modes: readonly Mode[]
}
const seatings: readonly Seating[] = [
  { name: 'two', players: 2, order: 'fixed', modes },
  { name: 'two, rotating', players: 2, order: 'rotating', modes: ['synchronous'] },
  { name: 'three', players: 3, order: 'fixed', modes: ['synchronous', 'asynchronous'] },
  { name: 'three, rotating', players: 3, order: 'rotating', modes: ['synchronous'] },
]

/** Two players who trade, and perhaps a third, at a market; what they do is said in the words of the market. */
interface Stage {
  readonly match: Match
  readonly mode: Mode
  readonly kind: Kind
  /** In its next turn; whoever has one before does nothing in it. */
  act(seat: number, ...actions: readonly Action[]): Violation | null
  fail(seat: number, fault: PlayerFault): Violation | null
  offer(sizes: readonly number[], price: number): Action
  deliver(challenge: number, size: number): Action
}

interface Column {
  readonly name: string
  readonly market: (typeof markets)[number]
  readonly mode: Mode
  readonly seating: Seating
}
const columns: readonly Column[] = markets.flatMap((market) =>
  seatings.flatMap((seating) =>
    seating.modes.map((mode) => ({ name: `${market.name} | ${mode} | ${seating.name}`, market, mode, seating })),
  ),
)

function stage({ market, mode, seating }: Column, settings: Readonly<Record<string, Json>>): Stage {
  const { variant, kind } = market
  const { players, order } = seating
  const played = match(players, { variant, mode, order, offersMin: 0, ...settings })
  const race = mode === 'asynchronous'
  const wait = (seat: number): void => {
    while (!race && played.state.turn !== seat) {
      const { turn } = played.state
      if (turn === null || played.act(turn) !== null) throw new Error(`seat ${turn} cannot wait for seat ${seat}`)
    }
  }
  return {
    match: played,
    mode,
    kind,
    act(seat, ...actions) {
      wait(seat)
      return race ? played.race(seat, played.events(), ...actions) : played.act(seat, ...actions)
    },
    fail(seat, fault) {
      wait(seat)
      return played.fail(seat, fault)
    },
    offer: (sizes, price) => offer([...sizes], price, { kind }),
    deliver: (challenge, size) => deliver(challenge, size, kind === 'secret' ? sealed(8) : undefined),
  }
}

/** Seat 0 has sold [10] to seat 1. */
function sold(s: Stage, price = 0.5): Stage {
  s.act(0, s.offer([10], price))
  s.act(1, accept(0))
  return s
}

function delivered(s: Stage, price = 0.5): Stage {
  sold(s, price).act(0, s.deliver(0, 10))
  return s
}

function answered(s: Stage, reached: number): Stage {
  delivered(s).act(1, solve(0, reached))
  return s
}

interface Row {
  readonly name: string
  readonly rule: Rule
  /** The seat that breaks it. */
  readonly seat: number
  /** Place of the action to blame in its bundle. */
  readonly action: number | null
  readonly settings?: Readonly<Record<string, Json>>
  breaks(s: Stage): Violation | null
  /** The contents of the violation if players act in turn: the values beside the sentence, and the sentence. */
  readonly values?: Readonly<Record<string, Json>>
  readonly text?: RegExp
  readonly except?: Partial<Record<Mode, string>>
  readonly kinds?: readonly Kind[]
}

const afterTheEnd = {
  asynchronous: 'nobody knows the end before it comes: what is too late is refused, see below',
  'mega-moves': 'every mega-move ends with nothing owed, so nobody is asked after the last one',
}
const otherStep = { 'mega-moves': 'the step asks for something else, which is blamed first: see the last row' }
const noTurns = 'there are no turns in which it would be due'

const rows: readonly Row[] = [
  {
    name: 'rule 2, decision 3: neither accepts nor reoffers',
    rule: 'accept-or-reoffer',
    seat: 1,
    action: null,
    values: { reoffered: 0, left: 1, first: 0 },
    text: /others offer 1 challenge \(0 at 0\.5 first\); accept one or lower all of them/,
    breaks(s) {
      s.act(0, s.offer([10], 0.5))
      return s.act(1)
    },
    except: { asynchronous: noTurns },
  },
  {
    name: 'rule 2, decision 3: lowers one of two where all are wanted',
    rule: 'accept-or-reoffer',
    seat: 1,
    action: null,
    values: { reoffered: 1, left: 1, first: 1 },
    text: /not all were reoffered: challenge 1 at 0\.5 was left/,
    breaks(s) {
      s.act(0, s.offer([10], 0.5), s.offer([9], 0.5))
      return s.act(1, reoffer(0, 0.4))
    },
    except: { asynchronous: noTurns },
  },
  {
    name: 'rule 3: offers nothing',
    rule: 'new-offer',
    seat: 0,
    action: null,
    settings: { offersMin: 1 },
    values: { offered: 0, offersMin: 1 },
    text: /0 new challenges were offered; at least 1 must be in each turn/,
    breaks: (s) => s.act(0),
    except: { asynchronous: noTurns },
  },
  {
    name: 'rule 3, decision 4: offers what is there, not cheaper',
    rule: 'new-offer',
    seat: 0,
    action: 1,
    values: { price: e(0.5), lowest: e(0.5) },
    text: /^actions\.1 \(offer\): this predicate is already on offer at 0\.5/,
    breaks: (s) => s.act(0, s.offer([10, 9], 0.5), s.offer([9, 10, 9], 0.5)),
  },
  {
    name: 'rule 3: offers more than offersMax',
    rule: 'offers-max',
    seat: 0,
    action: 1,
    settings: { offersMax: 1 },
    values: { offersMax: 1 },
    text: /only 1 new offers/,
    breaks: (s) => s.act(0, s.offer([10], 0.5), s.offer([9], 0.5)),
  },
  {
    name: 'offers what is not sold here',
    rule: 'wrong-kind',
    seat: 0,
    action: 0,
    breaks: (s) => s.act(0, offer([10], 0.5, { kind: s.kind === 'belief' ? 'classic' : 'belief' })),
  },
  {
    name: 'offers what the league does not admit',
    rule: 'league',
    seat: 0,
    action: 0,
    settings: { league: 'few' },
    breaks: (s) => s.act(0, s.offer([10, 9, 8], 0.5)),
  },
  {
    name: 'rule 4: offers no predicate',
    rule: 'illegal-predicate',
    seat: 0,
    action: 0,
    values: { price: e(0.5) },
    text: /the predicate is not legal: not a size/,
    breaks: (s) => s.act(0, s.offer([99], 0.5)),
  },
  {
    name: 'rule 4, decision 7: does not deliver',
    rule: 'delivery',
    seat: 0,
    action: null,
    values: { challenge: 0 },
    text: /raw material for challenge 0 was due in this turn and did not come/,
    breaks: (s) => (s.mode === 'asynchronous' ? sold(s).match.overdue(0) : sold(s).act(0)),
  },
  {
    name: 'rule 4: delivers what does not match the predicate',
    rule: 'illegal-material',
    seat: 0,
    action: 0,
    values: { challenge: 0 },
    text: /does not match its predicate: the size is none of the predicate/,
    breaks: (s) => sold(s).act(0, s.deliver(0, 9)),
  },
  {
    name: 'rule 4, decision 7: does not solve',
    rule: 'solution',
    seat: 1,
    action: null,
    values: { challenge: 0 },
    text: /a solution for challenge 0 was due/,
    breaks: (s) => (s.mode === 'asynchronous' ? delivered(s).match.overdue(0) : delivered(s).act(1)),
  },
  {
    name: 'rule 4: an infeasible solution',
    rule: 'infeasible-solution',
    seat: 1,
    action: 0,
    values: { challenge: 0 },
    text: /not feasible: not between 0 and the size/,
    breaks: (s) => delivered(s).act(1, solve(0, 11)),
  },
  {
    name: 'rule 4: delivers twice',
    rule: 'not-due',
    seat: 0,
    action: 1,
    values: { challenge: 0 },
    text: /its raw material has been delivered/,
    breaks: (s) => sold(s).act(0, s.deliver(0, 10), s.deliver(0, 10)),
  },
  {
    name: 'rule 4: delivers what another sold',
    rule: 'not-yours',
    seat: 1,
    action: 1,
    values: { challenge: 0, owner: 0 },
    text: /challenge 0 was sold by seat 0, not by you/,
    breaks(s) {
      s.act(0, s.offer([10], 0.5))
      return s.act(1, accept(0), s.deliver(0, 10))
    },
    except: otherStep,
  },
  {
    name: 'rule 4: solves what another bought',
    rule: 'not-yours',
    seat: 0,
    action: 1,
    values: { challenge: 0, owner: 1 },
    text: /challenge 0 was bought by seat 1, not by you/,
    breaks: (s) => sold(s).act(0, s.deliver(0, 10), solve(0, 1)),
    except: otherStep,
  },
  {
    name: 'rule 4: solves before the delivery',
    rule: 'not-due',
    seat: 1,
    action: 1,
    values: { challenge: 0 },
    text: /has not been delivered yet/,
    breaks(s) {
      s.act(0, s.offer([10], 0.5))
      return s.act(1, accept(0), solve(0, 1))
    },
    except: otherStep,
  },
  {
    name: 'rule 4: delivers what nobody bought',
    rule: 'not-due',
    seat: 0,
    action: 1,
    values: { challenge: 0 },
    text: /it was not bought, or is finished/,
    breaks: (s) => s.act(0, s.offer([10], 0.5), s.deliver(0, 10)),
    except: otherStep,
  },
  {
    name: 'rule 4: solves what was not bought',
    rule: 'not-due',
    seat: 1,
    action: 0,
    breaks: (s) => delivered(s).act(1, solve(7, 1)),
  },
  {
    name: 'delivers a secret challenge without its secret',
    rule: 'illegal-secret',
    seat: 0,
    action: 0,
    breaks: (s) => sold(s).act(0, deliver(0, 10)),
    kinds: ['secret'],
  },
  {
    name: 'delivers a secret where there is none',
    rule: 'illegal-secret',
    seat: 0,
    action: 0,
    breaks: (s) => sold(s).act(0, deliver(0, 10, sealed(8))),
    kinds: ['classic', 'belief'],
  },
  {
    name: 'does not reveal',
    rule: 'reveal',
    seat: 0,
    action: null,
    breaks: (s) => (s.mode === 'asynchronous' ? answered(s, 1).match.overdue(0) : answered(s, 1).act(0)),
    kinds: ['secret'],
  },
  {
    name: 'reveals something else',
    rule: 'broken-secret',
    seat: 0,
    action: 0,
    breaks: (s) => answered(s, 1).act(0, reveal(0, 9)),
    kinds: ['secret'],
  },
  {
    name: 'rule 5, decision 3: lowers by less than mindec',
    rule: 'price-lowering',
    seat: 1,
    action: 0,
    values: { challenge: 0, price: 495_000_000, old: e(0.5), mindec: e(0.01) },
    text: /costs 0\.5 and must be lowered by at least 0\.01 or to 0, not to 0\.495/,
    breaks(s) {
      s.act(0, s.offer([10], 0.5))
      return s.act(1, reoffer(0, 0.495))
    },
  },
  {
    name: 'rule 5: "lowers" to a higher price',
    rule: 'price-lowering',
    seat: 1,
    action: 0,
    values: { challenge: 0, price: e(0.9), old: e(0.5), mindec: e(0.01) },
    text: /must be lowered/,
    breaks(s) {
      s.act(0, s.offer([10], 0.5))
      return s.act(1, reoffer(0, 0.9))
    },
  },
  {
    name: 'rule 5, decision 3: lowers what is free',
    rule: 'price-lowering',
    seat: 1,
    action: 0,
    breaks(s) {
      s.act(0, s.offer([10], 0))
      return s.act(1, reoffer(0, 0))
    },
  },
  {
    name: 'decision 5: accepts what it has just undercut',
    rule: 'not-on-offer',
    seat: 1,
    action: 1,
    values: { challenge: 0 },
    text: /not on offer any more/,
    breaks(s) {
      s.act(0, s.offer([10], 0.5))
      return s.act(1, reoffer(0, 0.4), accept(0))
    },
  },
  {
    name: 'decision 5: lowers what is its own by lowering it',
    rule: 'own-challenge',
    seat: 1,
    action: 1,
    values: { challenge: 1 },
    text: /only others can lower it/,
    breaks(s) {
      s.act(0, s.offer([10], 0.5))
      return s.act(1, reoffer(0, 0.4), reoffer(1, 0.3))
    },
  },
  {
    name: 'rule 6: buys twice',
    rule: 'bought-once',
    seat: 1,
    action: 1,
    values: { challenge: 0, buyer: 1 },
    text: /challenge 0 was bought by seat 1; it can be bought only once/,
    breaks(s) {
      s.act(0, s.offer([10], 0.5))
      return s.act(1, accept(0), accept(0))
    },
  },
  {
    name: 'rule 6: reoffers what was bought',
    rule: 'bought-once',
    seat: 1,
    action: 1,
    values: { challenge: 0, buyer: 1 },
    text: /was bought by seat 1/,
    breaks(s) {
      s.act(0, s.offer([10], 0.5))
      return s.act(1, accept(0), reoffer(0, 0.1))
    },
  },
  {
    name: 'rule 6: buys what never was',
    rule: 'not-on-offer',
    seat: 1,
    action: 0,
    values: { challenge: 99 },
    text: /there is no challenge 99/,
    breaks(s) {
      s.act(0, s.offer([10], 0.5))
      return s.act(1, accept(99))
    },
  },
  {
    name: 'rule 2: buys its own challenge',
    rule: 'own-challenge',
    seat: 0,
    action: 1,
    values: { challenge: 0 },
    text: /is your own; only others can buy it/,
    breaks: (s) => s.act(0, s.offer([10], 0.5), accept(0)),
    except: otherStep,
  },
  {
    name: 'rule 2: undercuts itself',
    rule: 'own-challenge',
    seat: 0,
    action: 1,
    values: { challenge: 0 },
    text: /only others can lower it/,
    breaks: (s) => s.act(0, s.offer([10], 0.5), reoffer(0, 0.4)),
    except: otherStep,
  },
  {
    name: 'rule 7, decision 2: spends all it has',
    rule: 'positive-account',
    seat: 1,
    action: 0,
    settings: { init: e(0.5) },
    values: { challenge: 0, price: e(0.5), account: e(0.5) },
    text: /would leave your account at 0; it must stay above 0/,
    breaks(s) {
      s.act(0, s.offer([10], 0.5))
      return s.act(1, accept(0))
    },
  },
  {
    name: 'decision 6: spends the same twice in one bundle',
    rule: 'positive-account',
    seat: 1,
    action: 1,
    settings: { init: e(0.8) },
    breaks(s) {
      s.act(0, s.offer([10], 0.5), s.offer([9], 0.5))
      return s.act(1, accept(0), accept(1))
    },
  },
  {
    name: 'rule 8: no answer in time',
    rule: 'time-limit',
    seat: 0,
    action: null,
    breaks: (s) => sold(s).fail(0, { kind: 'timeout', text: 'No answer came within 5 ms.' }),
  },
  {
    name: 'rule 10: offers after maxTurns',
    rule: 'completion',
    seat: 0,
    action: 1,
    settings: { maxTurns: 1 },
    values: { round: 2, maxTurns: 1 },
    text: /after round 1 nothing can be offered any more/,
    breaks: (s) => sold(s).act(0, s.deliver(0, 10), s.offer([9], 0.5)),
    except: afterTheEnd,
  },
  {
    name: 'rule 10: buys after maxTurns',
    rule: 'completion',
    seat: 0,
    action: 1,
    settings: { maxTurns: 1 },
    values: { round: 2, maxTurns: 1 },
    text: /nothing can be bought/,
    breaks: (s) => sold(s).act(0, s.deliver(0, 10), accept(0)),
    except: afterTheEnd,
  },
  {
    name: 'rule 10: reoffers after maxTurns',
    rule: 'completion',
    seat: 0,
    action: 1,
    settings: { maxTurns: 1 },
    values: { round: 2, maxTurns: 1 },
    text: /nothing can be reoffered/,
    breaks: (s) => sold(s).act(0, s.deliver(0, 10), reoffer(0, 0.1)),
    except: afterTheEnd,
  },
  {
    name: 'acts in another step',
    rule: 'mega-move',
    seat: 1,
    action: 0,
    breaks: (s) => {
      s.act(0, s.offer([10], 0.5))
      return s.act(1, s.offer([9], 0.5))
    },
    except: { synchronous: 'a turn has no steps', asynchronous: 'there are no steps' },
  },
]

const cells = rows.flatMap((row) =>
  columns
    .filter(({ market, mode }) => (row.kinds?.includes(market.kind) ?? true) && row.except?.[mode] === undefined)
    .map((column) => ({ name: `${row.name} | ${column.name}`, row, column })),
)

describe('a player that breaks a rule is removed, told why, and costs nobody anything that can be paid', () => {
  for (const { name, row, column } of cells) {
    test(name, () => {
      const s = stage(column, row.settings ?? {})
      const { state } = s.match
      const before = s.match.accounts().reduce((sum, account) => sum + account, 0)
      const violation = row.breaks(s)
      // Decision 12: rule, action, values, a sentence; and the same in public.
      expect(violation).toMatchObject({ rule: row.rule, action: row.action })
      expect(violation?.values).toBeTypeOf('object')
      expect(violation?.text).toMatch(/^\S.+\.$/s)
      if (s.mode === 'synchronous') {
        expect(violation?.values).toMatchObject(row.values ?? {})
        expect(violation?.text).toMatch(row.text ?? /./)
      }
      const { rule, text } = violation!
      expect(state.events.filter(({ type }) => type === 'removed')).toMatchObject([{ seat: row.seat, rule, text }])
      // Rule 9, decision 8: nothing of its own is left, its debts are paid back, no energy is made.
      expect(s.match.removed()).toEqual([row.seat])
      expect(s.match.view().store.filter(({ seller }) => seller === row.seat)).toEqual([])
      expect(state.deals.size).toBe(0)
      for (const { owed, paid } of state.removals[0]!.refunds) expect(paid).toBe(owed)
      expect(s.match.accounts().reduce((sum, account) => sum + account, 0)).toBe(before)
      // Rule 1, decision 8: below all who finished, and below who is removed after it.
      const ranks = new Map([[row.seat, column.seating.players]])
      // With two left it goes on, except where there was nothing more to do.
      const over = column.seating.players === 2 || row.rule === 'completion'
      expect(s.match.outcome() !== null).toBe(over)
      if (!over) {
        const next = state.turn ?? 2
        s.match.fail(next, { kind: 'crash', text: 'It fell.' })
        ranks.set(next, 2)
      }
      expect(s.match.outcome()?.places.map(({ rank }) => rank)).toEqual(
        state.players.map((_, seat) => ranks.get(seat) ?? 1),
      )
    })
  }
})

describe('decision 4: the duty to offer lapses only where no legal offer exists', () => {
  const settings = { challengeConfig: { max: 1 }, offersMin: 1 }
  /** The only predicate of every kind that is sold here. */
  const kindsOf = ({ market: { variant, kind } }: Column): readonly Kind[] =>
    variant === 'base-ball' ? ['classic', 'secret'] : [kind]
  const offers = (column: Column, price: number): Action[] => kindsOf(column).map((kind) => offer([1], price, { kind }))
  /** Seat 1 has bought the first offer of seat 0 and done what it owes before it must offer; then it offers nothing. */
  const silent = (s: Stage): Violation | null => {
    if (s.mode !== 'mega-moves') return s.act(1, accept(0))
    s.act(1, accept(0))
    const secret = s.match.state.deals.get(0)?.kind === 'secret'
    s.act(0, deliver(0, 1, secret ? sealed(1, '1/1') : undefined))
    s.act(1, solve(0, 0))
    if (secret) s.act(0, reveal(0, 1))
    return s.act(1)
  }

  test.each(columns)('$name', (column) => {
    const s = stage(column, settings)
    // The same for nothing: nobody can be cheaper, also when the dearer ones are sold.
    expect(s.act(0, ...offers(column, 0.5), ...offers(column, 0))).toBeNull()
    expect(silent(s)).toBeNull()
    expect(s.match.removed()).toEqual([])
  })

  test.each(columns)('$name: where one is left, it does not', (column) => {
    const s = stage(column, settings)
    expect(s.act(0, ...offers(column, 0.5))).toBeNull()
    const violation = silent(s)
    // Without turns nothing is due in any of them.
    if (s.mode === 'asynchronous') expect(violation).toBeNull()
    else expect(violation).toMatchObject({ rule: 'new-offer', action: null, values: { offered: 0, offersMin: 1 } })
  })
})

describe('decision 8: what a removed seller cannot refund is recorded', () => {
  test.each(columns)('$name', (column) => {
    const s = stage(column, { init: e(0.6) })
    s.act(0, s.offer([10], 0.5))
    s.act(1, accept(0))
    // Half of what it was paid is gone.
    s.match.state.players[0]!.account -= e(0.8)
    s.fail(0, { kind: 'crash', text: 'It fell.' })
    expect(s.match.state.removals[0]?.refunds).toEqual([{ challenge: 0, buyer: 1, owed: e(0.5), paid: e(0.3) }])
    const voided = s.match.state.events.find(({ type }) => type === 'voided')
    expect(voided).toMatchObject({ refund: e(0.3), shortfall: e(0.2) })
  })
})

describe('decision 9: a seller who cannot pay a payoff pays all it has and is removed', () => {
  test.each(columns)('$name', (column) => {
    // For a perfect solution a seller owes 1, and more where it has claimed something.
    const s = delivered(stage(column, { init: e(0.4), profitFactor: 9 }), 0.3)
    expect(s.act(1, solve(0, 10))).toBeNull()
    expect(s.match.removed()).toEqual([0])
    expect(s.match.accounts().slice(0, 2)).toEqual([0, e(0.8)])
    const { violation } = s.match.state.removals[0]!
    expect(violation).toMatchObject({ rule: 'positive-account', action: null, values: { paid: e(0.7) } })
    expect(Number(violation.values['shortfall'])).toBeGreaterThan(0)
  })
})

describe('decision 11, rule 1: equal accounts share a rank', () => {
  test.each(columns)('$name', (column) => {
    const s = stage(column, { maxTurns: 1 })
    if (s.mode === 'asynchronous') s.match.close()
    while (s.match.outcome() === null) s.act(s.match.state.turn!)
    expect(new Set(s.match.outcome()?.places.map(({ rank }) => rank))).toEqual(new Set([1]))
  })
})

describe('decision 10: after trading, what is owed is still done', () => {
  test.each(columns)('$name', (column) => {
    const s = sold(stage(column, { maxTurns: 1 }))
    if (s.mode === 'asynchronous') s.match.close()
    expect(s.match.outcome()).toBeNull()
    s.act(0, s.deliver(0, 10))
    s.act(1, solve(0, 1))
    if (s.kind === 'secret') s.act(0, reveal(0, 8))
    while (s.match.outcome() === null) s.act(s.match.state.turn!)
    expect(s.match.removed()).toEqual([])
  })

  test.each(markets)('asynchronous, $name: what comes too late is refused and costs nothing', (market) => {
    const s = sold(stage({ name: market.name, market, mode: 'asynchronous', seating: seatings[0]! }, {}))
    s.match.close()
    expect(s.act(0, s.deliver(0, 10), s.offer([9], 0.5))).toBeNull()
    expect(s.match.state.events.at(-1)).toMatchObject({ type: 'refused', seat: 0, action: 1, rule: 'completion' })
    expect(s.match.state.deals.get(0)?.material).not.toBeNull()
  })
})
