import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import HaggleBaby from '../../../agents/haggle/baby.ts'
import Kit from '../../../agents/kits/specker/typescript/agent.ts'
import Baby from '../../../agents/specker/baby.ts'
import type { Json } from '../../../main/contract/json.ts'
import { config as haggleConfig } from '../../../main/referees/haggle/config.ts'
import { moverOf, offered, rules as haggleRules } from '../../../main/referees/haggle/rules.ts'
import { ENERGY } from '../../../main/referees/specker/messages.ts'
import { hasPython } from '../../hostile/players/programs.ts'
import { configOf, generator } from '../../unit/agents-specker/table.ts'
import { classOf, firstAgent, lessonsOf, withLessons } from '../../unit/kits/lessons.ts'
import { playSpecker as playProgram } from './play-specker.ts'
import { startPython } from './python-program.ts'

/** A match of the kit for Python after some lessons. */
const playSpecker = (
  settings: Json,
  lessons: number,
  Other: Parameters<typeof playProgram>[2],
  seed = 1,
): ReturnType<typeof playProgram> => playProgram(startPython('specker', lessons, seed), settings, Other, seed)

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
