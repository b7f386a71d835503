import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { openArenas, type Arenas } from '../../../arenas/haggle/daily-arena.ts'
import type { ArenaSettings } from '../../../arenas/haggle/lobby.ts'
import type { Negotiation } from '../../../arenas/haggle/negotiation.ts'
import { createScores, publishedScores, type Scores } from '../../../arenas/haggle/scores.ts'
import { writeFileDurably } from '../../../histories/durable.ts'
import { lockData } from '../../../histories/lock.ts'
import { machineErrorFrom } from '../../../histories/machine-error.ts'
import type { Side } from '../../../referees/haggle/frames.ts'
import { SEED_MAX } from '../../../referees/haggle/config.ts'
import { haggle } from '../../../referees/haggle/haggle.ts'
import type { Input } from '../../../referees/haggle/input.ts'
import { moverOf, rules, scoresOf } from '../../../referees/haggle/rules.ts'
import { readJsonFile } from '../../files/json-file.ts'

/** The arenas of 2018: with their settings, and ms for a turn. */
const arenas = [
  { name: 'standard', settings: {}, turnMs: null },
  { name: 'standard_1s', settings: {}, turnMs: 1_000 },
  { name: 'large', settings: { types: 5, maxObjects: 10, totalValue: 20, maxRounds: 8 }, turnMs: null },
  { name: 'large_1s', settings: { types: 5, maxObjects: 10, totalValue: 20, maxRounds: 8 }, turnMs: 1_000 },
] as const

export interface HaggleArenaOptions {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  readonly proofBits: number
  /** Folder in which statistics are kept; null: they end with the arenas. */
  readonly data: string | null
  onUnexpected(error: unknown, doing: string): void
}

/** Arenas that are open. */
export interface HaggleArenas extends Pick<Arenas, 'address' | 'close'> {
  readonly names: readonly string[]
}

/** How often statistics are written, in ms, when they have changed. */
const KEEP_MS = 5_000

/** Opens the four arenas of 2018. Throws ExpectedError or MachineError where port or folder cannot be had. */
export async function openHaggleArenas(options: HaggleArenaOptions): Promise<HaggleArenas> {
  const { host, port, proofBits, data, onUnexpected } = options
  const shelf = data === null ? null : await openShelf(join(data, 'arenas'))
  try {
    const all = arenas.map(({ name, settings, turnMs }): ArenaSettings => {
      const scores = createScores(shelf?.kept[name])
      return { name, turnMs, scores, deal: dealer(settings) }
    })
    const today = (): string => new Date().toISOString().slice(0, 10)
    const opened = await openArenas({ arenas: all, host, port, proofBits, today, onUnexpected })
    const keep = (): void => shelf?.keep(all)
    const keeping = setInterval(() => {
      try {
        keep()
      } catch (error) {
        // A full disk stops nobody from playing.
        onUnexpected(error, 'Keeping the statistics')
      }
    }, KEEP_MS)
    return {
      address: opened.address,
      names: arenas.map(({ name }) => name),
      async close() {
        clearInterval(keeping)
        await opened.close()
        try {
          keep()
        } finally {
          shelf?.close()
        }
      },
    }
  } catch (error) {
    shelf?.close()
    throw error
  }
}

function dealer(settings: object): ArenaSettings['deal'] {
  const config = haggle.config.parse(settings)
  return () => {
    // Nobody must be able to guess a partner's values: not from a seeded stream.
    const negotiation = negotiate({ ...config, seed: randomInt(1, SEED_MAX + 1) })
    return { negotiation, firstCame: randomInt(2) === 0 ? 0 : 1 }
  }
}

/** A session by the rules of the game, as arenas conduct one. `config.seed` names the scenario. */
export function negotiate(config: z.infer<typeof haggle.config>): Negotiation {
  const state = rules.initial(config, [], '0'.repeat(64))
  const apply = (refusal: string | null): void => {
    if (refusal !== null) throw new Error(`the rules refused what an arena had asked for: ${refusal}`)
  }
  const mover = (): Side => (moverOf(state) === 0 ? 0 : 1)
  return {
    counts: state.counts,
    values: state.values,
    maxRounds: state.maxRounds,
    turn: () => (state.ending === null ? mover() : null),
    // Both are any JSON; zod's may be written to.
    answer: (seat, value) => apply(rules.apply(state, { type: 'answer', seat, value } as Input)),
    walk: (seat, reason) => apply(rules.apply(state, { type: 'abort', seat, reason })),
    shares() {
      const demand = state.offers.at(-1) ?? null
      if (demand === null) return null
      const rest = state.counts.map((count, type) => count - demand[type]!)
      return mover() === 1 ? [demand, rest] : [rest, demand]
    },
    ending() {
      const { ending } = state
      if (ending === null) return null
      if (ending.type === 'abort') return { type: 'abort', side: ending.seat === 0 ? 0 : 1, reason: ending.reason }
      const scores = scoresOf(state)
      // Who accepted has moved last.
      return ending.type === 'agreed'
        ? { type: 'agreed', by: mover() === 0 ? 1 : 0, scores }
        : { type: ending.type, scores }
    },
  }
}

interface Shelf {
  readonly kept: Readonly<Record<string, z.infer<typeof publishedScores>>>
  /** Writes the statistics if they have changed. Throws MachineError. */
  keep(arenas: readonly { readonly name: string; readonly scores: Scores }[]): void
  close(): void
}

/** Statistics in a folder, which is this process's alone meanwhile. */
async function openShelf(folder: string): Promise<Shelf> {
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
        // Arenas that this version does not have are kept as they are.
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
