import { describe, expect, test } from 'vitest'
import Baby from '../../../agents/specker/baby.ts'
import HaggleBaby from '../../../agents/haggle/baby.ts'
import Conceder from '../../../agents/haggle/conceder.ts'
import Hard from '../../../agents/haggle/hard.ts'
import Learner from '../../../agents/haggle/learner.ts'
import { config as haggleConfig } from '../../../main/referees/haggle/config.ts'
import { moverOf, offered, rules as haggleRules, type Share } from '../../../main/referees/haggle/rules.ts'
import { config as speckerConfig } from '../../../main/referees/specker/config.ts'
import { bundle, type StartMessage, type TurnMessage } from '../../../main/referees/specker/messages.ts'
import { rules } from '../../../main/referees/specker/rules.ts'
import { startMessage, turnMessage } from '../../../main/referees/specker/referee/views.ts'
import { configOf, generator } from '../agents-specker/table.ts'
import { classOf, firstAgent, lessonsOf, statedFigures, withLessons } from './lessons.ts'

/** The agent of the kit for JavaScript after some lessons. */
function agentAfter<C>(game: string, lessons: number, random: () => number, remaining?: () => number): C {
  const script = withLessons(firstAgent(game, 'javascript/agent.cjs'), lessonsOf(game).slice(0, lessons))
  return classOf<C>(script, random, remaining)
}

describe('the lessons on the Specker Challenge Game, done on the agent of the kit', () => {
  interface Player {
    turn(view: TurnMessage): unknown
  }
  /** The steps that are left for an answer. */
  let steps = 0
  const remaining = (): number => (steps === 0 ? 0 : steps--)
  const config = speckerConfig.parse(configOf('max-csp', { maxVars: 8, maxConstraints: 60 }, { maxTurns: 8 }))

  /** A match after some lessons against the baby: whether it is won, and the rules that were broken. */
  function play(lessons: number, seed: number): { readonly won: boolean; readonly faults: readonly string[] } {
    const random = generator(seed)
    const real = Math.random
    Math.random = random
    try {
      const Mine = agentAfter<new (start: StartMessage) => Player>('specker', lessons, random, remaining)
      const mySeat = seed % 2
      const state = rules.initial(
        config,
        [0, 1].map((id) => ({ id, entrant: id, role: 'player', bodies: 1 })),
        '0'.repeat(64),
      )
      const players = [0, 1].map((seat): Player => new (seat === mySeat ? Mine : Baby)(startMessage(state, seat)))
      while (state.turn !== null) {
        const seat = state.turn
        steps = 1_000
        const answer = JSON.parse(JSON.stringify(players[seat]!.turn(turnMessage(state, seat)))) as unknown
        expect(rules.apply(state, { type: 'turn', seat, actions: bundle.parse(answer).actions })).toBeNull()
      }
      const [me, other] = [mySeat, 1 - mySeat].map((seat) => rules.outcome(state)!.places[seat]!)
      return { won: me!.rank < other!.rank, faults: state.removals.map(({ violation }) => violation.text) }
    } finally {
      Math.random = real
    }
  }

  test('there are four', () => expect(lessonsOf('specker').map((pieces) => pieces.length)).toEqual([1, 1, 2, 1]))

  test.each([0, 1, 2, 3, 4])('after %i of them it keeps the rules', (lessons) => {
    for (let seed = 0; seed < 4; seed++) expect(play(lessons, seed).faults).toEqual([])
  })

  test('after all of them it beats the baby', () => {
    const wins = Array.from({ length: 10 }, (_, seed) => play(4, seed).won)
    expect(wins.filter(Boolean).length).toBeGreaterThanOrEqual(9)
  })

  test.each([
    [0, 0],
    [1_000, 60],
    [1_000, 1_000],
  ])('after all of them it leaves half of %i steps to other raw material, with %i constraints', (most, size) => {
    interface Solver {
      solve(instance: object): readonly number[]
    }
    const Mine = agentAfter<new (start: object) => Solver>('specker', 4, generator(1), remaining)
    const constraints = Array.from({ length: size }, (_, at) => ({
      weight: 1,
      relation: 22,
      variables: [1 + (at % 8), 1 + ((at + 1) % 8), 1 + ((at + 3) % 8)],
    }))
    steps = most
    const solved = new Mine({ me: 0, challenge: { name: 'max-csp', config: {} }, config: {} }).solve({
      ...{ variables: 8, constraints },
    })
    expect([...solved].every((value) => value === 0 || value === 1)).toBe(true)
    expect(solved).toHaveLength(8)
    expect(steps).toBeLessThanOrEqual(most / 2)
    expect(steps).toBeGreaterThan(most / 2 - 25 - (most === 0 ? 1 : 0))
  })
})

describe('the lessons on Haggling, done on the agent of the kit', () => {
  type Class = new (
    me: number,
    counts: Share,
    values: Share,
    rounds: number,
    log: () => void,
  ) => { offer(offered?: Share): unknown }

  /** The values of both on a scenario; walking away is an error. */
  function play(seats: readonly [Class, Class], seed: number, settings = {}): readonly [number, number] {
    const state = haggleRules.initial(haggleConfig.parse({ seed, ...settings }), [], '0'.repeat(64))
    const { counts, values, maxRounds } = state
    const agents = seats.map((Agent, me) => new Agent(me, [...counts], [...values[me]!], maxRounds, () => undefined))
    while (state.ending === null) {
      const seat = moverOf(state)
      const value = JSON.parse(JSON.stringify(agents[seat]!.offer(offered(state) ?? undefined) ?? null)) as
        number[] | null
      haggleRules.apply(state, { type: 'answer', seat, value })
    }
    if (state.ending.type === 'abort') throw new Error(state.ending.reason)
    const [first, second] = haggleRules.outcome(state)!.places
    return [first!.score, second!.score]
  }

  /** The average value of each, sitting first and second on some scenarios. */
  function means(one: Class, other: Class, scenarios = 40): readonly [number, number] {
    const sums: [number, number] = [0, 0]
    for (let seed = 1; seed <= scenarios; seed++) {
      const [first, second] = [play([one, other], seed), play([other, one], seed)]
      sums[0] += first[0] + second[1]
      sums[1] += first[1] + second[0]
    }
    return [sums[0] / (2 * scenarios), sums[1] / (2 * scenarios)]
  }

  const after = (lessons: number): Class => agentAfter<Class>('haggle', lessons, generator(1))

  test('there are four', () => expect(lessonsOf('haggle').map((pieces) => pieces.length)).toEqual([1, 1, 1, 1]))

  test.each([0, 1, 2, 3, 4])('after %i of them it plays, whatever the settings', (lessons) => {
    const mine = after(lessons)
    for (const settings of [
      {},
      { maxRounds: 1 },
      { maxRounds: 40 },
      { types: 2, maxObjects: 2, totalValue: 2 },
      { types: 10, minObjects: 10, maxObjects: 12, totalValue: 20 },
      { types: 3, maxObjects: 100, totalValue: 200 },
    ]) {
      for (const seed of [1, 2, 3]) {
        play([mine, HaggleBaby], seed, settings)
        play([Hard, mine], seed, settings)
      }
    }
  })

  test('the page states the figures of the lessons', () => {
    const rows = [0, 1, 2, 3, 4].map((lessons) => means(after(lessons), HaggleBaby, 200))
    const rounded = rows.map((each) => each.map((mean) => Number(mean.toFixed(2))))
    expect(statedFigures('haggle')).toEqual(rounded)
  })

  test('after all of them it earns more than the baby, and more with everybody than at first', () => {
    const [first, last] = [after(0), after(4)]
    const [mine, theirs] = means(last, HaggleBaby)
    expect(mine).toBeGreaterThan(theirs)
    for (const other of [HaggleBaby, Conceder, Hard, Learner]) {
      expect(means(last, other)[0]).toBeGreaterThan(means(first, other)[0] + 0.3)
    }
  })
})
