import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IsolationTier } from '../../main/contract/limits.ts'
import { availableTiers } from '../../main/players/isolation/detect.ts'
import { resources } from '../../main/services/machine/resources.ts'
import { compiled } from './compiled.ts'
import { withFolder } from './folder.ts'
import { rowOf, type Bench, type Row } from './row.ts'

/** Rivers of the map on which programs play: each is a move. */
const RIVERS = 100
/** Games of each kind. They take turns, and all moves count. */
const ROUNDS = 2

/** Lambda Punter with a process a move, held against the official server and against a box or a Node child for each move. */
export const punterOffline: Bench = {
  name: 'punter-offline',
  async measure() {
    const files = { nodeBinary: resources.node, hostFile: resources.agentHost }
    const tier = (await availableTiers(files)).find(({ available }) => available)?.tier
    return withFolder(async (folder) => {
      if (!compiled('punter-client.c', folder, 'punter') || !existsSync(resources.spawner)) {
        console.error('  left out: a process a move needs a C compiler')
        return []
      }
      writeFileSync(join(folder, 'README'), 'A client that passes.\n')
      const open = await rowsOf(folder, null)
      return tier === 'bubblewrap' ? [...(await rowsOf(folder, tier)), ...open] : open
    })
  },
}

async function rowsOf(folder: string, isolation: 'bubblewrap' | null): Promise<readonly Row[]> {
  const spent = { spawner: 0, alone: 0 }
  for (let round = 0; round < ROUNDS; round++)
    for (const how of ['alone', 'spawner'] as const) spent[how] += RIVERS / (await rateOf(folder, isolation, how))
  const perSecond = (how: keyof typeof spent): number => (ROUNDS * RIVERS) / spent[how]
  const where = isolation === null ? 'with the rights of the caller' : 'in bubblewrap'
  const figure = { name: `punter, offline, a process a move ${where}`, value: perSecond('spawner'), unit: 'moves/s' }
  const server = { name: 'the official server, which isolates nothing', value: 146, unit: 'moves/s' }
  const alone = { name: 'the same without a spawner', value: perSecond('alone'), unit: 'moves/s' }
  return [
    rowOf(figure, server, { of: 'ratio', atLeast: isolation === null ? 1.2 : 0.8 }),
    rowOf(figure, alone, { of: 'ratio', atLeast: 3 }),
  ]
}

/** The moves of a second, in a fresh process. */
async function rateOf(folder: string, isolation: IsolationTier | null, how: string): Promise<number> {
  const file = new URL('punter-offline.ts', import.meta.url)
  const child = fork(file, [folder, String(RIVERS), isolation ?? '', how], { execArgv: [] })
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('the offline game has failed')))
  const [{ perSecond }] = (await Promise.race([once(child, 'message'), failed])) as [{ readonly perSecond: number }]
  failed.catch(() => undefined)
  return perSecond
}
