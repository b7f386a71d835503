import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import HaggleBaby from '../../../agents/haggle/baby.ts'
import Kit from '../../../agents/kits/specker/typescript/agent.ts'
import Baby from '../../../agents/specker/baby.ts'
import type { Json } from '../../../main/contract/json.ts'
import { config as haggleConfig } from '../../../main/referees/haggle/config.ts'
import { moverOf, offered, rules as haggleRules } from '../../../main/referees/haggle/rules.ts'
import { config as speckerConfig } from '../../../main/referees/specker/config.ts'
import { bundle, ENERGY, type StartMessage, type TurnMessage } from '../../../main/referees/specker/messages.ts'
import { rules } from '../../../main/referees/specker/rules.ts'
import { startMessage, turnMessage } from '../../../main/referees/specker/referee/views.ts'
import { hasPython } from '../../hostile/players/programs.ts'
import { configOf, generator } from '../../unit/agents-specker/table.ts'
import { classOf, firstAgent, lessonsOf, withLessons } from '../../unit/kits/lessons.ts'
import { startPython } from './python-program.ts'

interface Player {
  turn(view: TurnMessage): unknown
}

/** A match of the program, in seat 0, with a script: who was removed and why, and whether it won. */
async function playSpecker(
  settings: Json,
  lessons: number,
  Other: new (start: StartMessage) => Player,
  seed = 1,
): Promise<{ readonly faults: readonly string[]; readonly won: boolean }> {
  const random = Math.random
  Math.random = generator(seed)
  const program = startPython('specker', lessons, seed)
  try {
    const seats = [0, 1].map((id) => ({ id, entrant: id, role: 'player', bodies: 1 }))
    const state = rules.initial(speckerConfig.parse(settings), seats, '0'.repeat(64))
    const other = new Other(startMessage(state, 1))
    expect(await program.ask(startMessage(state, 0))).toEqual({ ready: true })
    while (state.turn !== null) {
      const seat = state.turn
      const view = turnMessage(state, seat)
      const answer = seat === 0 ? await program.ask(view) : (JSON.parse(JSON.stringify(other.turn(view))) as unknown)
      expect(rules.apply(state, { type: 'turn', seat, actions: bundle.parse(answer).actions })).toBeNull()
    }
    const [mine, theirs] = rules.outcome(state)!.places
    return { faults: state.removals.map(({ violation }) => violation.text), won: mine!.rank < theirs!.rank }
  } finally {
    program.close()
    Math.random = random
  }
}

const SHIPPED = readdirSync(new URL('../../../grammars/challenges/', import.meta.url)).flatMap((file) =>
  file.endsWith('.challenge') ? [file.replace('.challenge', '')] : [],
)

describe.skipIf(!hasPython)('the kits for Python (needs python3)', () => {
  test.each(SHIPPED)(
    'the Specker agent plays %s by the rules, in every variant and step by step',
    async (challenge) => {
      for (const variant of ['classic', 'belief', 'secret', 'base-ball']) {
        for (const mode of ['synchronous', 'mega-moves']) {
          const config = configOf(challenge, {}, { variant, mode, maxTurns: 12, init: 1_000 * ENERGY })
          const { faults } = await playSpecker(config, 0, Kit)
          expect([variant, mode, faults]).toEqual([variant, mode, []])
        }
      }
    },
  )

  test.each(['t-ball', 'slow-pitch', 'level-k-independent', 'level-k-reduced'])(
    'and in the league %s',
    async (league) => {
      for (const challenge of ['max-csp', 'max-sat']) {
        const config = configOf(challenge, {}, { league, maxTurns: 5, init: 1_000 * ENERGY })
        expect(await playSpecker(config, 0, Kit)).toMatchObject({ faults: [] })
      }
    },
  )

  const small = configOf('max-csp', { maxVars: 8, maxConstraints: 60 }, { maxTurns: 8 })

  test.each([1, 2])('after %i lessons it keeps the rules', async (lessons) => {
    for (const seed of [1, 2]) expect(await playSpecker(small, lessons, Baby, seed)).toMatchObject({ faults: [] })
  })

  test('after all of them it beats the baby', async () => {
    const wins = []
    for (let seed = 0; seed < 6; seed++) wins.push(await playSpecker(small, 3, Baby, seed))
    expect(wins.map(({ faults }) => faults)).toEqual(wins.map(() => []))
    expect(wins.filter(({ won }) => won).length).toBeGreaterThanOrEqual(5)
  })

  test('the Haggling agent demands after each lesson what it demands in JavaScript', async () => {
    type Class = new (...given: unknown[]) => { offer(left?: readonly number[]): readonly number[] | undefined }
    const lessons = lessonsOf('haggle')
    for (let done = 0; done <= lessons.length; done++) {
      const script = withLessons(firstAgent('haggle', 'javascript/agent.cjs'), lessons.slice(0, done))
      const Agent = classOf<Class>(script, generator(1))
      for (const seed of [1, 2, 3, 4]) {
        const program = startPython('haggle', done, seed)
        const state = haggleRules.initial(haggleConfig.parse({ seed }), [], '0'.repeat(64))
        const { counts, values, maxRounds } = state
        const opt = { me: 0, counts, values: values[0], max_rounds: maxRounds }
        expect(await program.ask({ type: 'start', opt })).toEqual({ type: 'ready' })
        const agent = new Agent(0, [...counts], [...values[0]], maxRounds, () => undefined)
        const baby = new HaggleBaby(1, counts, values[1])
        while (state.ending === null) {
          const seat = moverOf(state)
          const left = offered(state) ?? undefined
          const value = seat === 0 ? agent.offer(left) : baby.offer(left)
          if (seat === 0) {
            const said = await program.ask({ type: 'offer', ...(left === undefined ? {} : { offer: left }) })
            expect(said).toEqual(value === undefined ? { type: 'offer' } : { type: 'offer', offer: [...value] })
          }
          haggleRules.apply(state, { type: 'answer', seat, value: value === undefined ? null : [...value] })
        }
        program.close()
      }
    }
  })
})
