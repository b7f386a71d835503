import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { playCops } from '../../../main/services/games/cops/play.ts'
import { hasPython } from '../../hostile/players/programs.ts'
import { completed } from '../../unit/cops/stage.ts'
import { madeTown } from '../../unit/agents-cops/played-town.ts'
import { playedLessons } from './lessons-played.ts'
import { writePythonAgent, writePythonKit } from './python-program.ts'

const program = (folder: string, role: string) => ({ folder, command: ['python3', 'agent.py', role] })
const roles = ['robber', ...Array<string>(5).fill('cop')]
const limits = { startMs: 30_000, moveMs: 30_000 }

describe.skipIf(!hasPython)('the kits for Python (needs python3)', () => {
  test.each([0, 1, 2, 3])('the herders do after %i lessons what they do in JavaScript', (lessons) =>
    playedLessons['cows']!(
      { folder: writePythonKit('cows', lessons), command: () => ['python3', 'agent.py'] },
      lessons,
    ),
  )

  test.each([0, 2, 4])('a game of robber and cops ends after %i lessons as in JavaScript', (lessons) => {
    const folder = writePythonKit('cops', lessons)
    return playedLessons['cops']!({ folder, command: (role) => ['python3', 'agent.py', role!] }, lessons)
  })

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
