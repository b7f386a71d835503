import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IsolationTier } from '../../main/contract/limits.ts'
import type { Answer } from '../../main/referees/cops/answer.ts'
import { config, type Config } from '../../main/referees/cops/config.ts'
import { rules } from '../../main/referees/cops/rules.ts'
import { isRobbersWorld, nameOf, ROBBER, type State } from '../../main/referees/cops/state.ts'
import { playCops } from '../../main/services/games/cops/play.ts'
import { isolationTiers } from '../../main/services/machine/isolation.ts'
import { compiled, hasPython } from './compiled.ts'
import { withFolder } from './folder.ts'
import { alternately } from './measure.ts'
import { rowOf, type Bench, type Row } from './row.ts'

/** Games of one measurement of the rules. */
const GAMES = 200
/** Games of programs, on each side. */
const PROGRAM_GAMES = 10
const WORLDS = 201

const official = join(import.meta.dirname, '..', '..', '..', 'shared', 'data', 'hyde-park-2005-phase1.wsk')
/** The map of 2005, or where that is absent the town of its size that ships. */
const map = existsSync(official)
  ? official
  : join(import.meta.dirname, '..', '..', 'agents', 'cops', 'maps', 'park.wsk')

/** Cops & Robbers: games of 201 worlds. */
export const cops: Bench = {
  name: 'cops',
  async measure() {
    const settings = config.parse({ map: readFileSync(map, 'utf8') })
    return [rulesRow(settings), ...(await programRows(settings))]
  },
}

/** The rules alone: players in this process that walk about, tell where the robber is not, plan for all and vote. */
function rulesRow(settings: Config): Row {
  const rates = Array.from({ length: 10 }, (_, round) => {
    const from = performance.now()
    for (let game = 0; game < GAMES; game += 1) playAlone(settings, round * GAMES + game)
    return (GAMES / (performance.now() - from)) * 1_000
  })
  return rowOf(
    { name: 'cops, rules alone, games of 201 worlds', value: Math.max(...rates), unit: 'games/s' },
    { name: 'the first such games', value: rates[0]!, unit: 'games/s' },
    { of: 'value', atLeast: 500 },
  )
}

function playAlone(settings: Config, seed: number): void {
  const state = rules.initial(settings, [], '')
  let chance = seed + 1
  const below = (most: number): number => {
    chance = (Math.imul(chance, 1_664_525) + 1_013_904_223) >>> 0
    return (chance >>> 8) % most
  }
  while (state.end === null) {
    for (const seat of state.waiting) rules.apply(state, { type: 'said', seat, answer: answerOf(state, seat, below) })
  }
  if (state.end !== 'escaped') throw new Error(`the game ended otherwise: ${state.end}`)
}

function answerOf(state: State, seat: number, below: (most: number) => number): Answer {
  const { town, bots, world, robber } = state
  const own = seat === ROBBER ? robber : bots[Math.max(0, seat - 1)]!.node
  const mode = seat === ROBBER ? 'robber' : bots[seat - 1]!.mode
  const near = (mode === 'cop-car' ? town.car : town.foot)[own]!
  const loc = (node: number): string => town.nodes[node]!.loc
  switch (state.step) {
    case 'register':
      return { type: 'register', bot: `B${seat}`, ptype: seat === ROBBER ? mode : seat > 3 ? 'cop-car' : 'cop-foot' }
    case 'inform':
      return {
        type: 'inform',
        informs: near.map((node) => ({ bot: 'B0', loc: loc(node), ptype: 'robber', world, certainty: -100 })),
      }
    case 'plan':
      return {
        type: 'plan',
        plan: bots.map(({ node, mode: ptype }, bot) => ({
          bot: `B${bot + 1}`,
          loc: loc(node),
          ptype,
          world: world + 1,
        })),
      }
    case 'vote': {
      const first = below(5)
      return { type: 'vote', ballot: [0, 1, 2, 3, 4].map((at) => nameOf(state, 1 + ((at + first) % 5))) }
    }
    default: {
      // Nobody meets, so that the game lasts.
      const taken = isRobbersWorld(state) ? bots.map(({ node }) => node) : [robber]
      const free = near.filter((node) => !taken.includes(node))
      return { type: 'move', loc: loc(free.length === 0 ? own : free[below(free.length)]!), ptype: mode }
    }
  }
}

/**
 * Six programs in C, which need a compiler, started by the person's own command and in boxes, in turn with games of a referee in
 * Python, where there is one.
 */
async function programRows(settings: Config): Promise<readonly Row[]> {
  const boxed = (await isolationTiers()).find(({ tier }) => tier === 'bubblewrap')?.available === true
  if (!boxed) console.error('  left out: games of programs in boxes need bubblewrap')
  return withFolder(async (folder) => {
    if (!hasPython() || !compiled('cops-client.c', folder, 'bot')) {
      console.error('  left out: games of programs need a C compiler and python3')
      return []
    }
    return [
      await programRow('cops, a game of 201 worlds by six programs in C', settings, folder, null),
      ...(boxed ? [await programRow('the same in boxes', settings, folder, 'bubblewrap')] : []),
    ]
  })
}

async function programRow(
  name: string,
  settings: Config,
  folder: string,
  isolation: IsolationTier | null,
): Promise<Row> {
  const { first, second } = await alternately(
    PROGRAM_GAMES,
    () => secondsOf(() => playPrograms(settings, folder, isolation)),
    () => secondsOf(() => playSimply(join(folder, 'bot'))),
  )
  return rowOf(
    { name, value: Math.min(...first), unit: 's' },
    { name: 'a simple referee in Python', value: Math.min(...second), unit: 's' },
    { of: 'ratio', below: 1 },
  )
}

async function secondsOf(play: () => unknown): Promise<number> {
  const from = performance.now()
  await play()
  return (performance.now() - from) / 1_000
}

async function playPrograms(settings: Config, folder: string, isolation: IsolationTier | null): Promise<void> {
  const { end, disqualified } = await playCops({
    config: settings,
    programs: ['robber', ...Array<string>(5).fill('cop-foot')].map((role) => ({
      folder,
      command: ['./bot', role, 'Bot'],
    })),
    limits: {},
    isolation,
  })
  if (end !== 'escaped') throw new Error(`the game ended otherwise: ${end}: ${disqualified.join(' ')}`)
}

function playSimply(bot: string): void {
  execFileSync('python3', [join(import.meta.dirname, 'cops-referee.py'), map, String(WORLDS), bot])
}
