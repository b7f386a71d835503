import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Answer } from '../../../main/referees/cops/answer.ts'
import { heard } from '../../../main/referees/cops/hearing.ts'
import { marketOf } from '../../../main/referees/cops/legality.ts'
import {
  brainViewFrom,
  movesOf,
  whyRefused,
  robotsOf,
  twistViewOf,
  type DialogueLine,
} from '../../../main/referees/cops/player-view.ts'
import { rules } from '../../../main/referees/cops/rules.ts'
import { lootOf, ROBBER, type State } from '../../../main/referees/cops/state.ts'
import {
  dirtyCops,
  questionFor,
  questionsFor,
  skeletonMessage,
  tallyMessage,
} from '../../../main/referees/cops/player-messages.ts'
import { answerOf, begun, completed } from '../../unit/cops/stage.ts'

const game = fc.record({
  rules: fc.constantFrom('2005', '2005-twist', '2005-twist'),
  modes: fc.array(fc.constantFrom('cop-foot' as const, 'cop-car' as const), { minLength: 5, maxLength: 5 }),
  /** True if anybody ever goes to the market: pushes are for the other games. */
  lists: fc.boolean(),
  dice: fc.array(fc.nat({ max: 1_000_000 }), { minLength: 50, maxLength: 200 }),
})
type Draw = (below: number) => number

function streamOf(dice: readonly number[]): Draw {
  let at = 0
  return (below) => {
    at += 1
    return (dice[at % dice.length]! + at * 7) % below
  }
}

/** An answer that may be legal: somebody goes somewhere near, is pushed, bribed or accused. */
function anyAnswer(state: State, seat: number, next: Draw, lists: boolean): Answer {
  const { town } = state
  const pick = <T>(values: readonly T[]): T => values[next(values.length)]!
  const name = (): string => pick(['R', 'C1', 'C2', 'C3', 'C4', 'C5'])
  const near = (node: number): string => town.nodes[pick([node, ...town.foot[node]!, ...town.car[node]!])]!.loc
  const some = (count: number): string[] => Array.from({ length: next(count) }, name)
  const ptype = (): 'cop-foot' | 'cop-car' | 'robber' =>
    pick(['cop-foot', 'cop-foot', 'cop-car', 'cop-car', 'robber'] as const)
  const legal = answerOf(state, seat, { asks: lootOf(state) >= 50 && next(2) === 0 })
  switch (legal.type) {
    case 'vote':
      return next(2) === 0 ? legal : { ...legal, ballot: some(4) }
    case 'move':
      return seat === ROBBER
        ? { ...legal, loc: near(state.robber) }
        : { ...legal, loc: near(state.bots[seat - 1]!.node), ptype: ptype() }
    case 'bribe':
      return next(3) === 0 ? { type: 'bribe', asks: true } : legal
    case 'orders': {
      const moves = legal.moves.map((move) => {
        const { node, mode } = state.bots[Number(move.bot.slice(1)) - 1]!
        return { ...move, loc: near(node), ptype: next(3) === 0 ? ptype() : mode }
      })
      return {
        ...legal,
        moves: next(9) === 0 ? moves.slice(1) : moves,
        market: next(12) === 0 ? null : lists && next(4) === 0 ? 'turncoat' : legal.market,
        accuse: next(8) === 0 ? (next(2) === 0 ? some(3) : dirtyCops(state).map((each) => `C${each}`)) : [],
      }
    }
    case 'robber-orders':
      return {
        ...legal,
        move: { ...legal.move, loc: near(state.robber) },
        push: next(2) === 0 ? { bot: name(), loc: near(state.bots[next(5)]!.node) } : null,
        choose: next(3) === 0 ? null : next(2) === 0 ? some(4) : marketOf(state).map((each) => `C${each}`),
      }
    default:
      return legal
  }
}

test('what a brain knows from its dialogue is enough to tell what the rules will refuse, in the same words', () => {
  let [refused, pushed, bribed, accused, dirtyMoves] = [0, 0, 0, 0, 0]
  fc.assert(
    fc.property(game, ({ rules: ruleSet, modes, lists, dice }) => {
      const reading = dice[0]! % 2 === 0 ? 'earlier' : 'as-written'
      const settings = { rules: ruleSet, lastWorld: 60, illegal: 'stands-still', secondPhase: reading }
      const state = begun(settings, modes)
      const next = streamOf(dice)
      const dialogues = [0, 1, 2, 3, 4, 5].map((seat): DialogueLine[] => [{ told: skeletonMessage(state, seat) }])
      let asked = ''
      while (state.end === null) {
        const step = `${state.world} ${state.step}`
        if (step !== asked) {
          asked = step
          if (state.step === 'bribe')
            for (const seat of dirtyCops(state)) dialogues[seat]!.push({ told: tallyMessage(state, null) })
          const messages = questionsFor(state, state.waiting)
          expect(messages).toEqual(state.waiting.map((seat) => questionFor(state, seat)))
          for (const [place, seat] of state.waiting.entries()) dialogues[seat]!.push({ told: messages[place]! })
        }
        const [seat] = state.waiting
        const view = brainViewFrom(dialogues[seat!]!)!
        const says = (answer: Answer): string | null =>
          heard(rules.load(rules.save(state), completed(settings), []), seat!, answer)
        const answer = anyAnswer(state, seat!, next, lists)
        const problem = says(answer)
        expect(whyRefused(view, answer)).toBe(problem)
        if (problem !== null) refused += 1
        expect(view.missed).toBe(false)

        // The parts of a form.
        const twist = twistViewOf(view)
        expect(robotsOf(view)).toHaveLength(
          seat === ROBBER ? 1 : state.bots.filter(({ controller }) => controller === seat).length,
        )
        if (state.step === 'bribe') expect(twist!.whyNotAsk === null).toBe(says({ type: 'bribe', asks: true }) === null)
        const played = problem === null ? answer : answerOf(state, seat!)
        if (played.type === 'orders') {
          for (const { bot, loc, ptype } of played.moves) {
            const { node } = state.bots[Number(bot.slice(1)) - 1]!
            expect(movesOf(view, state.town.nodes[node]!.loc, ptype === 'robber' ? 'cop-foot' : ptype)).toContain(loc)
          }
          dirtyMoves += twist!.isDirty ? 1 : 0
        }
        const legal = problem === null || says(played) === null ? played : forced(state, view.offers)
        expect(whyRefused(view, legal)).toBeNull()
        if (legal.type === 'robber-orders') {
          pushed += legal.push === null ? 0 : 1
          bribed += legal.choose?.length ?? 0
        }
        dialogues[seat!]!.push({ answered: legal })
        expect(rules.apply(state, { type: 'said', seat: seat!, answer: legal })).toBeNull()
        expect(state.brains[seat!]!.refused).toBeNull()
        accused = Math.max(accused, state.accusations.length)
      }
    }),
    { numRuns: 20, seed: 2005 },
  )
  // Games in which all of it happens.
  const missing = Object.entries({ refused, pushed, bribed, accused, dirtyMoves }).filter(([, times]) => times === 0)
  expect(missing).toEqual([])
})

/** The robber's orders after it has asked in vain, or with nobody chosen. */
function forced(state: State, offers: readonly string[] | null): Answer {
  const { town, bots, robber } = state
  const { node, mode } = bots[0]!
  const pushed = (mode === 'cop-car' ? town.car : town.foot)[node]![0]!
  const move = { bot: 'R', loc: town.nodes[robber]!.loc, ptype: 'robber' } as const
  expect(offers).toEqual([])
  return { type: 'robber-orders', move, push: { bot: 'C1', loc: town.nodes[pushed]!.loc }, choose: null }
}
