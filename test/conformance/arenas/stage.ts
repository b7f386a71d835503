import { openSessions } from '../../../main/services/games/haggle/arena.ts'
import { openArenas, type Arenas } from '../../../main/arenas/haggle/daily-arena.ts'
import type { ArenaLimits } from '../../../main/arenas/haggle/lobby.ts'
import { createScores, type PublishedScores, type Scores } from '../../../main/arenas/haggle/scores.ts'
import { native } from '../../../main/referees/haggle/native.ts'

/** One arena, named `test`, with sessions that follow from their number. */
export interface Stage {
  readonly arenas: Arenas
  readonly url: string
  readonly scores: Scores
  readonly unexpected: unknown[]
  /** Its statistics as they are published. */
  published(): Promise<PublishedScores>
  close(): Promise<void>
}

export interface StageOptions {
  readonly settings?: object
  readonly turnMs?: number | null
  readonly proofBits?: number
  readonly limits?: Partial<ArenaLimits>
  /** The client that moves first: the first (0) or second (1) to come. */
  readonly firstCame?: 0 | 1
}

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const unexpected: unknown[] = []
  const scores = createScores()
  let seed = 0
  const sessions = openSessions({
    name: 'test',
    settings: options.settings ?? {},
    turnMs: options.turnMs ?? null,
    data: null,
    seed: () => (++seed).toString(16).padStart(8, '0').padEnd(64, '0'),
    onUnexpected: (error) => unexpected.push(error),
  })
  const arenas = await openArenas({
    arenas: [
      {
        name: 'test',
        unlimited: (options.turnMs ?? null) === null,
        scores,
        firstCame: () => options.firstCame ?? 0,
        play: sessions.play,
      },
    ],
    dialogue: native,
    host: '127.0.0.1',
    port: 0,
    proofBits: options.proofBits ?? 0,
    today: () => '2018-07-17',
    onUnexpected: (error) => unexpected.push(error),
    limits: options.limits ?? {},
  })
  return {
    arenas,
    url: `ws://${arenas.address}/test`,
    scores,
    unexpected,
    published: async () => (await (await fetch(`http://${arenas.address}/scores/test`)).json()) as PublishedScores,
    async close() {
      await arenas.close()
      await sessions.close()
    },
  }
}
