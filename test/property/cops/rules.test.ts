import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'
import type { Input } from '../../../main/referees/cops/input.ts'
import { rules } from '../../../main/referees/cops/rules.ts'
import { botName, isAsWritten, isRobbersWorld, lootOf, ROBBER, type State } from '../../../main/referees/cops/state.ts'
import { smellOf } from '../../../main/referees/cops/streets.ts'
import { marketOf, mustPush } from '../../../main/referees/cops/legality.ts'
import { worldMessage } from '../../../main/referees/cops/player-messages.ts'
import { distancesFrom } from '../../../main/referees/cops/town.ts'
import { answerOf, begun, completed, type Wish } from '../../unit/cops/stage.ts'

const MONEY = 6_000

/** A player of both roles that decides by a stream of numbers and knows the legal moves. */
function wishOf(state: State, seat: number, next: (below: number) => number): Wish {
  const { town, bots, robber } = state
  const locs = (nodes: readonly number[]): string => town.nodes[nodes[next(nodes.length)]!]!.loc
  if (seat !== ROBBER) {
    const { node, mode } = bots[seat - 1]!
    const ptype = node === town.hq ? (next(2) === 0 ? 'cop-car' : 'cop-foot') : mode
    const near = (ptype === 'cop-car' ? town.car : town.foot)[node]!
    const mayAccuse = isAsWritten(state) || !state.brains[seat]!.liar
    const accuse = next(30) === 0 && mayAccuse ? [`C${1 + next(5)}`] : []
    // Cops keep off the robber most of the time, so that games last.
    const free = [node, ...near].filter((each) => each !== robber || next(20) === 0)
    return {
      loc: free.length === 0 ? locs([node]) : locs(free),
      ptype,
      accuse,
      ...(next(20) === 0 ? { market: 'turncoat' as const } : {}),
    }
  }
  const safe = [robber, ...town.foot[robber]!].filter((each) => bots.every(({ node }) => node !== each))
  const loc = locs(safe.length === 0 ? [robber] : safe)
  if (state.step !== 'orders') return { loc, asks: lootOf(state) >= 50 && next(3) === 0 }
  if (mustPush(state)) {
    const bot = next(5)
    const { node, mode } = bots[bot]!
    return { loc, push: { bot: botName(state, bot), loc: locs((mode === 'cop-car' ? town.car : town.foot)[node]!) } }
  }
  const offered = marketOf(state).filter(() => next(2) === 0)
  return { loc, ...(state.asked ? { choose: offered.map((seat) => `C${seat}`) } : {}) }
}

const game = fc.record({
  rules: fc.constantFrom('2005', '2005-twist'),
  reading: fc.constantFrom('earlier', 'as-written'),
  modes: fc.array(fc.constantFrom('cop-foot' as const, 'cop-car' as const), { minLength: 5, maxLength: 5 }),
  dice: fc.array(fc.nat({ max: 1_000_000 }), { minLength: 50, maxLength: 200 }),
})

function streamOf(dice: readonly number[]): (below: number) => number {
  let at = 0
  return (below) => {
    at += 1
    return (dice[at % dice.length]! + at * 7) % below
  }
}

test('whole games keep the money, the life of evidence, the distances of smells, and can be loaded at any time', () => {
  fc.assert(
    fc.property(game, ({ rules: ruleSet, reading, modes, dice }) => {
      const settings = { rules: ruleSet, lastWorld: 60, secondPhase: reading }
      const state = begun(settings, modes)
      const next = streamOf(dice)
      let other: State = state
      for (let step = 0; state.end === null; step += 1) {
        const [seat] = state.waiting
        const input: Input = { type: 'said', seat: seat!, answer: answerOf(state, seat!, wishOf(state, seat!, next)) }
        if (step % 37 === 0) other = rules.load(rules.save(state), completed(settings), [])
        const { world } = state
        expect(rules.apply(state, input)).toBeNull()
        if (other !== state) expect(rules.apply(other, input)).toBeNull()
        expect(state.brains.map(({ disqualified }) => disqualified)).toEqual(Array(6).fill(null))
        if (world !== state.world) keptBy(state)
      }
      expect(rules.save(other)).toEqual(rules.save(state))
      expect(rules.outcome(state)!.places.every(({ score }) => Number.isInteger(score) && score >= 0)).toBe(true)
    }),
    { numRuns: 60 },
  )
}, 60_000)

function keptBy(state: State): void {
  const { vaults, loot, town, robber, world, evidence } = state
  expect(vaults.reduce((sum, vault) => sum + vault, loot)).toBe(MONEY)
  expect(vaults.every((vault) => vault >= 0)).toBe(true)
  for (const piece of evidence) {
    expect(piece.world % 8).toBe(0)
    expect(piece.world).toBeGreaterThanOrEqual(8)
    expect(world).toBeGreaterThan(piece.world)
    expect(world).toBeLessThanOrEqual(piece.world + 24)
  }
  for (const bot of state.bots) {
    const onFoot = bot.mode === 'cop-foot'
    const distance = distancesFrom(bot.node, onFoot ? town.foot : town.car)[robber]!
    const near = distance > 0 && distance <= (onFoot ? 2 : 1)
    expect(smellOf(town, bot, robber)).toBe(near ? distance : 0)
  }
  if (state.end === null) hiddenIn(state)
}

/** A clean cop and the public learn where the robber is from a bank alone, and from nothing in what they are shown. */
function hiddenIn(state: State): void {
  const onBank = state.town.banks.includes(state.robber)
  for (const seat of [1, 2, 3, 4, 5].filter((each) => state.brains[each]!.bribed === null)) {
    const { players } = worldMessage(state, seat, null)
    expect(players.some(({ ptype }) => ptype === 'robber')).toBe(onBank)
    expect(rules.view(state, seat).robber !== null).toBe(onBank)
    expect(rules.view(state, seat).evidence).toBeNull()
  }
  expect(rules.view(state, 'public').robber !== null).toBe(onBank)
  if (isRobbersWorld(state)) expect(rules.view(state, 'public').waiting).toEqual([])
}

const junk: fc.Arbitrary<Json> = fc.jsonValue() as fc.Arbitrary<Json>

test('what is not an answer never reaches the rules, and illegal answers never break them', () => {
  fc.assert(
    fc.property(game, fc.array(junk, { maxLength: 20 }), ({ rules: ruleSet, dice }, names) => {
      const state = begun({ rules: ruleSet, lastWorld: 20, illegal: 'stands-still' })
      const next = streamOf(dice)
      for (let step = 0; state.end === null; step += 1) {
        const [seat] = state.waiting
        const name = names[step % (names.length || 1)] ?? 'x'
        const wrong = typeof name === 'string' ? name : JSON.stringify(name)
        const wish = { loc: wrong, ballot: [wrong], accuse: [wrong], choose: [wrong], asks: next(2) === 0 }
        const answer = next(4) === 0 ? ({ type: 'vote', ballot: [wrong] } as const) : answerOf(state, seat!, wish)
        expect(rules.apply(state, { type: 'said', seat: seat!, answer })).toBeNull()
      }
      expect([state.end, state.world, state.loot]).toEqual(['escaped', 20, 0])
    }),
    { numRuns: 40 },
  )
}, 60_000)
