import { expect } from 'vitest'
import HaggleBaby from '../../../agents/haggle/baby.ts'
import PunterBaby from '../../../agents/punter/baby.ts'
import SpeckerBaby from '../../../agents/specker/baby.ts'
import type { HerderAction } from '../../../main/referees/cows/messages.ts'
import { config as haggleConfig } from '../../../main/referees/haggle/config.ts'
import { moverOf, offered, rules as haggleRules } from '../../../main/referees/haggle/rules.ts'
import { playCops } from '../../../main/services/games/cops/play.ts'
import { configOf, generator } from '../../unit/agents-specker/table.ts'
import { completed } from '../../unit/cops/stage.ts'
import { madeTown, playTown, type CopsPackage } from '../../unit/agents-cops/played-town.ts'
import { classOf, firstAgent, lessonsOf, withLessons } from '../../unit/kits/lessons.ts'
import { playHerd, type Herders } from '../../unit/kits/played-herd.ts'
import { playPunters, punterOf, type Punter } from '../../unit/kits/played-punters.ts'
import { playSpecker } from './play-specker.ts'
import { startProgram } from './python-program.ts'

/** A kit's program after some lessons: its folder, where it is built, and how it starts. */
export interface LessonProgram {
  readonly folder: string
  /** `role`: of a game whose roles are programs of their own. */
  command(role?: string): readonly string[]
}

const script = (game: string, lessons: number): string =>
  withLessons(firstAgent(game, 'javascript/agent.cjs'), lessonsOf(game).slice(0, lessons))

/**
 * Plays matches with a kit's program after some lessons of a game, and expects of it what the agent in JavaScript does after the
 * same lessons or, where agents play at random, that it keeps the rules, and wins after the last lesson.
 */
export const playedLessons: Readonly<Record<string, (program: LessonProgram, lessons: number) => Promise<void>>> = {
  async haggle({ folder, command }, lessons) {
    type Class = new (...given: unknown[]) => { offer(left?: readonly number[]): readonly number[] | undefined }
    const Agent = classOf<Class>(script('haggle', lessons), generator(1))
    for (const [seed, mySeat] of [1, 2, 3, 4].map((each) => [each, each % 2] as const)) {
      const program = startProgram(folder, command(), seed)
      const state = haggleRules.initial(haggleConfig.parse({ seed }), [], '0'.repeat(64))
      const { counts, maxRounds } = state
      const [mine, theirs] = [state.values[mySeat]!, state.values[1 - mySeat]!]
      const opt = { me: mySeat, counts, values: mine, max_rounds: maxRounds }
      expect(await program.ask({ type: 'start', opt })).toEqual({ type: 'ready' })
      const agent = new Agent(mySeat, [...counts], [...mine], maxRounds, () => undefined)
      const baby = new HaggleBaby(1 - mySeat, counts, theirs)
      while (state.ending === null) {
        const seat = moverOf(state)
        const left = offered(state) ?? undefined
        const value = seat === mySeat ? agent.offer(left) : baby.offer(left)
        if (seat === mySeat) {
          const said = await program.ask({ type: 'offer', ...(left === undefined ? {} : { offer: left }) })
          expect([seed, said]).toEqual([
            seed,
            value === undefined ? { type: 'offer' } : { type: 'offer', offer: [...value] },
          ])
        }
        haggleRules.apply(state, { type: 'answer', seat, value: value === undefined ? null : [...value] })
      }
      program.close()
    }
  },

  async punter({ folder, command }, lessons) {
    for (const mySeat of [0, 1]) {
      const program = startProgram(folder, command(), 1)
      const alike = punterOf(script('punter', lessons))
      const asked: Punter = {
        async setup(map, { punter, punters }) {
          alike.setup(map, { punter, punters })
          const message = { type: 'setup', punter, punters, map }
          expect(await program.ask(message)).toMatchObject({ ready: punter })
        },
        async move(moves) {
          const said = await program.ask({ type: 'move', moves })
          expect(said).toEqual(await alike.move(moves))
          return said as never
        },
      }
      const players = [asked, new PunterBaby() as Punter]
      await playPunters(mySeat === 0 ? players : players.toReversed())
      program.close()
    }
  },

  async cows({ folder, command }, lessons) {
    const program = startProgram(folder, command(), 1)
    const alike = classOf<Herders>(script('cows', lessons), () => 0)
    const started = new Set<number>()
    const asked = async ([body, perception, start]: Parameters<Herders['act']>): Promise<HerderAction> => {
      if (!started.has(body)) expect(await program.ask({ ...start, body })).toEqual({ ready: true, body })
      started.add(body)
      const { action, body: whose } = await program.ask({ ...perception, body })
      expect(whose).toBe(body)
      expect(action).toBe(alike.act(body, perception, start))
      return action as HerderAction
    }
    const [cows] = await playHerd('meadow', 60, [asked, () => Promise.resolve('skip')])
    program.close()
    expect(lessons < 3 || cows! > 0).toBe(true)
  },

  async cops({ folder, command }, lessons) {
    const map = madeTown('python')
    const alike = classOf<CopsPackage>(script('cops', lessons), () => 0)
    const programs = ['robber', ...Array<string>(5).fill('cop')].map((role) => ({
      folder,
      command: [...command(role)],
    }))
    const limits = { startMs: 30_000, moveMs: 30_000 }
    const played = await playCops({ config: completed({ map }), programs, limits, isolation: null })
    expect([played.refused, played.disqualified]).toEqual([[], Array(6).fill(null)])
    const { caught, world, loot } = playTown(alike, alike, map)
    expect([played.end, played.world, played.loot]).toEqual([caught ? 'caught' : 'escaped', world, loot])
  },

  async specker({ folder, command }, lessons) {
    const small = configOf('max-csp', { maxVars: 8, maxConstraints: 60 }, { maxTurns: 8 })
    const isLast = lessons === lessonsOf('specker').length
    const seeds = isLast ? [0, 1, 2, 3, 4, 5] : [0, 1]
    const matches = []
    for (const seed of seeds)
      matches.push(await playSpecker(startProgram(folder, command(), seed), small, SpeckerBaby, seed))
    expect(matches.map(({ faults }) => faults)).toEqual(seeds.map(() => []))
    // Without lessons it wins one match in fifty, with all of them 45 or more.
    if (isLast) expect(matches.filter(({ won }) => won).length).toBeGreaterThanOrEqual(3)
  },
}
