import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { Sha256 } from '../../../contract/ids.ts'
import { newNonce } from '../../../histories/nonce.ts'
import { openArenas, type Arenas } from '../../../arenas/haggle/daily-arena.ts'
import type { PlaySession } from '../../../arenas/haggle/session.ts'
import { createScores, publishedScores, type Scores } from '../../../arenas/haggle/scores.ts'
import { writeFileDurably } from '../../../histories/durable.ts'
import { lockData } from '../../../histories/lock.ts'
import { machineErrorFrom } from '../../../histories/machine-error.ts'
import { haggle } from '../../../referees/haggle/haggle.ts'
import { native } from '../../../referees/haggle/native.ts'
import { matchConditions } from '../../contests/descriptions/match-conditions.ts'
import { openRecordings, type Recordings, type RecordingsOptions } from '../../contests/engine/open-ended-recordings.ts'
import { recordingsFolder } from '../../machine/data-folder.ts'
import { readJsonFile } from '../../files/read-file.ts'

/** The arenas of 2018 with their settings and the limit of a turn in ms. */
const arenas = [
  { name: 'standard', settings: {}, turnMs: null },
  { name: 'standard_1s', settings: {}, turnMs: 1_000 },
  { name: 'large', settings: { types: 5, maxObjects: 10, totalValue: 20, maxRounds: 8 }, turnMs: null },
  { name: 'large_1s', settings: { types: 5, maxObjects: 10, totalValue: 20, maxRounds: 8 }, turnMs: 1_000 },
] as const

export interface HaggleArenaOptions {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly proofBits: number
  /** The data folder for statistics and histories; null: they are not stored. */
  readonly data: string | null
  onUnexpected(error: unknown, doing: string): void
}

/** The open arenas. */
export interface HaggleArenas extends Pick<Arenas, 'address' | 'close'> {
  readonly names: readonly string[]
}

const firstCame = (): 0 | 1 => (randomInt(2) === 0 ? 0 : 1)

/** The interval at which changed statistics are written, in ms. */
const KEEP_MS = 5_000

/** Opens the four arenas of 2018. Throws ExpectedError or MachineError if the port or the folder is not available. */
export async function openHaggleArenas(options: HaggleArenaOptions): Promise<HaggleArenas> {
  const { host, port, proofBits, data, onUnexpected } = options
  const statistics = data === null ? null : await openStatistics(recordingsFolder(data))
  try {
    const all = arenas.map((arena) => {
      const { name, turnMs } = arena
      const { play, close } = openSessions({ ...arena, data, onUnexpected })
      const scores = createScores(statistics?.kept[name])
      return { name, unlimited: turnMs === null, scores, firstCame, play, close }
    })
    const today = (): string => new Date().toISOString().slice(0, 10)
    const opened = await openArenas({ arenas: all, dialogue: native, host, port, proofBits, today, onUnexpected })
    const keep = (): void => statistics?.keep(all)
    const keeping = setInterval(() => {
      try {
        keep()
      } catch (error) {
        // A full disk must not stop the games.
        onUnexpected(error, 'Keeping the statistics')
      }
    }, KEEP_MS)
    return {
      address: opened.address,
      names: arenas.map(({ name }) => name),
      async close() {
        clearInterval(keeping)
        await opened.close()
        await Promise.all(all.map(({ close }) => close()))
        try {
          keep()
        } finally {
          statistics?.close()
        }
      },
    }
  } catch (error) {
    statistics?.close()
    throw error
  }
}

/** The options of an arena's sessions. `seed`: the seed of the next match; set by tests. */
export interface ArenaSessionsOptions extends Pick<RecordingsOptions, 'data' | 'bounds' | 'onUnexpected'> {
  readonly name: string
  /** The game's own settings; missing ones get their defaults. */
  readonly settings: object
  /** The limit of a turn in ms; null: none. */
  readonly turnMs: number | null
  seed?(): Sha256
}

/**
 * The sessions of an arena: matches between clients that have met there, conducted by the game's referee and recorded.
 */
export function openSessions(
  options: ArenaSessionsOptions,
): Pick<Recordings, 'close'> & { readonly play: PlaySession } {
  // Not from a seeded stream, so that nobody can guess a partner's values.
  const { name, settings, turnMs, seed = newNonce } = options
  const config = { ...haggle.config.parse(settings) }
  const recordings = openRecordings({
    ...options,
    title: `Arena ${name}`,
    name: `haggle-${name.replaceAll('_', '-')}`,
    game: haggle.id,
    config,
    limits: matchConditions(haggle.id, { config, limits: { moveMs: turnMs ?? LONGEST_MS } }).limits,
    lanes: SESSIONS_MAX,
  })
  return {
    async play(entrants, byteTransport) {
      const finished = await recordings.play({ entrants, seed: seed(), byteTransport })
      return finished?.outcome ?? null
    },
    close: () => recordings.close(),
  }
}

/** The maximum number of sessions at a time, two clients each; further ones wait. */
const SESSIONS_MAX = 2_000
/** The lobby removes inactive clients long before. */
const LONGEST_MS = 86_400_000

interface StatisticsStore {
  readonly kept: Readonly<Record<string, z.infer<typeof publishedScores>>>
  /** Writes the statistics if they have changed. Throws MachineError. */
  keep(arenas: readonly { readonly name: string; readonly scores: Scores }[]): void
  close(): void
}

/** Statistics in a folder, which this process locks. */
async function openStatistics(folder: string): Promise<StatisticsStore> {
  const lock = lockData(folder)
  const file = join(folder, 'haggle-scores.json')
  try {
    const kept = existsSync(file) ? await readJsonFile(file, z.record(z.string(), publishedScores)) : {}
    let written = 0
    return {
      kept,
      keep(all) {
        const version = all.reduce((sum, { scores }) => sum + scores.version(), 0)
        if (version === written) return
        // Arenas that this version does not have are preserved.
        const now = Object.fromEntries(all.map(({ name, scores }) => [name, scores.published()]))
        try {
          writeFileDurably(file, `${JSON.stringify({ ...kept, ...now }, null, 2)}\n`, 0o644)
        } catch (error) {
          throw machineErrorFrom(error, 'write', file)
        }
        written = version
      },
      close: () => lock.release(),
    }
  } catch (error) {
    lock.release()
    throw error
  }
}
