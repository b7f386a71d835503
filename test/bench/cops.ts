import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Input } from '../../main/referees/cops/input.ts'
import { rules } from '../../main/referees/cops/rules.ts'
import { playCops } from '../../main/services/games/cops/play.ts'
import { answerOf, begun, completed } from '../unit/cops/stage.ts'
import { withFolder } from './folder.ts'
import { rowOf, type Bench, type Row } from './row.ts'

/** Games of one measurement of the rules. */
const GAMES = 200

/** Cops & Robbers: games of 201 worlds. */
export const cops: Bench = {
  name: 'cops',
  async measure() {
    return [rulesRow(), ...(await programRows())]
  },
}

/** The rules alone: players in this process that have decided before. */
function rulesRow(): Row {
  const inputs = wholeGame()
  const rates = Array.from({ length: 10 }, () => {
    const from = performance.now()
    for (let game = 0; game < GAMES; game += 1) {
      const state = begun()
      for (const input of inputs) rules.apply(state, input)
      if (state.end === null) throw new Error('the game has not ended')
    }
    return (GAMES / (performance.now() - from)) * 1_000
  })
  return rowOf(
    { name: 'cops, rules alone, games of 201 worlds', value: Math.max(...rates), unit: 'games/s' },
    { name: 'the first such games', value: rates[0]!, unit: 'games/s' },
    { of: 'value', atLeast: 500 },
  )
}

function wholeGame(): readonly Input[] {
  const state = begun()
  const inputs: Input[] = []
  while (state.end === null) {
    const [seat] = state.waiting
    const input: Input = { type: 'said', seat: seat!, answer: answerOf(state, seat!) }
    inputs.push(input)
    rules.apply(state, input)
  }
  return inputs
}

/** Six programs in C, which need a compiler. */
async function programRows(): Promise<readonly Row[]> {
  return withFolder(async (folder) => {
    try {
      const program = join(folder, 'bot')
      execFileSync('cc', ['-O2', '-o', program, join(import.meta.dirname, 'cops-client.c')], { stdio: 'pipe' })
    } catch {
      console.error('  left out: games of programs need a C compiler')
      return []
    }
    const seconds: number[] = []
    for (let game = 0; game < 10; game += 1) {
      const from = performance.now()
      const { end } = await playCops({
        config: completed(),
        programs: ['robber', ...Array<string>(5).fill('cop-foot')].map((role) => ({
          folder,
          command: ['./bot', role, 'Bot'],
        })),
        limits: {},
        isolation: null,
      })
      if (end !== 'escaped') throw new Error(`the game ended otherwise: ${end}`)
      seconds.push((performance.now() - from) / 1_000)
    }
    return [
      rowOf(
        { name: 'cops, a game of 201 worlds by six programs in C', value: Math.min(...seconds), unit: 's' },
        { name: 'a simple referee in Python, at its best', value: 0.4, unit: 's' },
        { of: 'value', below: 0.2 },
      ),
    ]
  })
}
