import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Config } from '../../main/referees/punter/config.ts'
import { playOnline } from '../../main/services/games/punter/online.ts'
import { compiled, hasPython } from './compiled.ts'
import { withFolder } from './folder.ts'
import { alternately, median } from './measure.ts'
import { rowOf, type Row } from './row.ts'

const ROUNDS = 3
const CLIENT = 'punter-online-client'

/** Two clients in C that pass and acknowledge at once, with our server and with a simple referee in Python in turn, on each map. */
export async function onlineRows(maps: readonly Config[]): Promise<readonly Row[]> {
  return withFolder(async (folder) => {
    if (!hasPython() || !compiled(`${CLIENT}.c`, folder, CLIENT)) {
      console.error('  left out: online games of programs need a C compiler and python3')
      return []
    }
    const rows: Row[] = []
    for (const config of maps) rows.push(await rowOn(config, folder))
    return rows
  })
}

async function rowOn(config: Config, folder: string): Promise<Row> {
  const file = join(folder, 'map.json')
  writeFileSync(file, config.map)
  const client = join(folder, CLIENT)
  const { first, second } = await alternately(
    ROUNDS,
    () => served(config, client),
    () => servedSimply(file, client),
  )
  const { rivers } = JSON.parse(config.map) as { readonly rivers: readonly unknown[] }
  return rowOf(
    { name: `punter, online, two programs, ${rivers.length} rivers`, value: median(first), unit: 'moves/s' },
    { name: 'a simple referee in Python', value: median(second), unit: 'moves/s' },
    { of: 'ratio', atLeast: 1.5 },
  )
}

/** Moves a second on our server. */
async function served(config: Config, client: string): Promise<number> {
  let rate = Promise.resolve(0)
  await playOnline({
    config,
    punters: 2,
    host: '127.0.0.1',
    port: 0,
    limits: {},
    signal: new AbortController().signal,
    onOpen: (address) => void (rate = rateOf(client, new URL(address).port)),
    onNotice: () => undefined,
    onUnexpected: (error) => console.error(error),
  })
  return rate
}

async function servedSimply(map: string, client: string): Promise<number> {
  const referee = spawn('python3', [join(import.meta.dirname, 'punter-referee.py'), map], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = (await once(referee.stdout.setEncoding('utf8'), 'data')) as [string]
  return rateOf(client, port.trim())
}

/** Starts both clients. Resolves to the rate that the first punter prints. Rejects if neither prints one. */
async function rateOf(client: string, port: string): Promise<number> {
  const printed = await Promise.all(
    [1, 2].map(() => outputOf(spawn(client, [port], { stdio: ['ignore', 'pipe', 'inherit'] }))),
  )
  const rate = Number(printed.join(''))
  if (!(rate > 0)) throw new Error('the clients have not played to the end')
  return rate
}

const outputOf = ({ stdout }: ChildProcess): Promise<string> => text(stdout!)
