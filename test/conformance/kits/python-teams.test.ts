import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { HerderAction } from '../../../main/referees/cows/messages.ts'
import { playCops } from '../../../main/services/games/cops/play.ts'
import { hasPython } from '../../hostile/players/programs.ts'
import { completed } from '../../unit/cops/stage.ts'
import { madeTown, playTown, type CopsPackage } from '../../unit/agents-cops/played-town.ts'
import { classOf, firstAgent, lessonsOf, withLessons } from '../../unit/kits/lessons.ts'
import { playHerd, type Herders } from '../../unit/kits/played-herd.ts'
import { startPython, writePythonAgent, writePythonKit } from './python-program.ts'

const scriptAfter = (game: string, lessons: number): string =>
  withLessons(firstAgent(game, 'javascript/agent.cjs'), lessonsOf(game).slice(0, lessons))

const program = (folder: string, role: string) => ({ folder, command: ['python3', 'agent.py', role] })
const roles = ['robber', ...Array<string>(5).fill('cop')]
const limits = { startMs: 30_000, moveMs: 30_000 }

describe.skipIf(!hasPython)('the kits for Python (needs python3)', () => {
  test.each([0, 1, 2, 3])('the herders do after %i lessons what they do in JavaScript', async (lessons) => {
    const python = startPython('cows', lessons, 1)
    const script = classOf<Herders>(scriptAfter('cows', lessons), () => 0)
    let isStarted = false
    const inPython = async ([body, perception, start]: Parameters<Herders['act']>): Promise<HerderAction> => {
      if (!isStarted) expect(await python.ask({ ...start, body })).toEqual({ ready: true, body })
      isStarted = true
      const { action, body: whose } = await python.ask({ ...perception, body })
      expect(whose).toBe(body)
      expect(action).toBe(script.act(body, perception, start))
      return action as HerderAction
    }
    const [cows] = await playHerd('meadow', 60, [inPython, () => Promise.resolve('skip')])
    python.close()
    expect(lessons < 3 || cows! > 0).toBe(true)
  })

  test.each([0, 2, 4])(
    'a game of robber and cops ends after %i lessons as in JavaScript',
    async (lessons) => {
      const map = madeTown('python')
      const folder = writePythonKit('cops', lessons)
      const script = classOf<CopsPackage>(scriptAfter('cops', lessons), () => 0)
      const programs = roles.map((role) => program(folder, role))
      const played = await playCops({ config: completed({ map }), programs, limits, isolation: null })
      expect([played.refused, played.disqualified]).toEqual([[], Array(6).fill(null)])
      const { caught, world, loot } = playTown(script, script, map)
      expect([played.end, played.world, played.loot]).toEqual([caught ? 'caught' : 'escaped', world, loot])
    },
    60_000,
  )

  test('programs may bribe, be bribed and accuse with the rules of the second phase', async () => {
    const agent = readFileSync(join(import.meta.dirname, 'twist-agent.py'), 'utf8')
    const folder = writePythonAgent('cops', 'cops-twist', agent)
    const programs = roles.map((role) => program(folder, role))
    const settings = completed({ map: madeTown('python'), rules: '2005-twist', secondPhase: 'as-written' })
    const played = await playCops({ config: settings, programs, limits, isolation: null })
    expect([played.refused, played.disqualified]).toEqual([[], Array(6).fill(null)])
    expect(played.names).toEqual(['Bob', 'Bob1', 'Bob2', 'Bob3', 'Bob4', 'Bob5'])
    const [robber, dirty] = played.scores
    expect([played.end, robber]).toEqual(['escaped', played.loot])
    expect(played.loot).toBeGreaterThan(0)
    // The robber has bribed it and got away, and yet it has no share: it was accused rightly.
    expect(dirty).toBe(0)
    expect(readFileSync(join(folder, 'said.txt'), 'utf8')).toMatch(/^\d+ Bob1\n(\d+ *\n)*$/)
  }, 60_000)
})
