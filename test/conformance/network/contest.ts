import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { completeContest } from '../../../main/services/contests/descriptions/contest-file.ts'
import { playContestFile } from '../../../main/services/contests/command/contest-command.ts'
import type { ContestReport } from '../../../main/services/contests/command/contest-report.ts'
import type { ArenaOptions } from '../../../main/services/contests/command/play-contest.ts'
import { writeZip } from '../../../main/services/packages/zip.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import type { OpenArena } from '../../../main/contract/players/arena.ts'
import { contestFile } from '../../../main/contract/contests/contests.ts'
import type { HeaderBody } from '../../../main/contract/histories/history.ts'
import type { Json } from '../../../main/contract/json.ts'
import { verifyMatch } from '../../../main/histories/verify.ts'
import { games } from '../../../main/referees/games.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

export type Game = 'specker' | 'haggle' | 'cows'

/** A program that says the same whenever it is told the same. */
export const agentFile = join(import.meta.dirname, 'agent.mjs')
export const shipped = (game: Game, name: string): string => join(resources.agents, game, `${name}.js`)

const settings: Record<Game, object> = {
  specker: { challenge: 'max-csp', challengeConfig: { maxVars: 6, maxConstraints: 20 }, maxTurns: 3, offersMin: 0 },
  haggle: {},
  cows: { map: 'small', steps: 20 },
}

/** A folder for contests of a test. */
export interface Place {
  readonly folder: string
  /** The program as it is handed in. */
  program(game: Game): string
  /** `entrants`: an agent's file by name; null: it connects. */
  run(game: Game, entrants: Readonly<Record<string, string | null>>, more?: More): Promise<Ran>
  remove(): void
}

interface More {
  readonly contest?: object
  readonly arena?: Partial<ArenaOptions>
  /** Called when the arena is open: agents are to come now. */
  readonly come?: (open: OpenArena) => void
  readonly signal?: AbortSignal
  /** Name of a data folder that several runs have in common. */
  readonly data?: string
}

export interface Ran {
  readonly report: ContestReport
  readonly notices: readonly string[]
  /** By match: what its history says. All of it verifies. */
  readonly matches: readonly {
    readonly header: HeaderBody
    readonly outcome: Json
    readonly inputs: readonly Json[]
    readonly faults: readonly { readonly kind: string; readonly text: string }[]
  }[]
  /** All that was written of the matches. */
  readonly text: string
}

export function openPlace(): Place {
  const folder = temporaryFolder('network')
  let runs = 0
  return {
    folder,
    program(game) {
      const file = join(folder, `${game}.zip`)
      const manifest = { name: 'program', game, kind: 'program', command: ['node', 'agent.mjs', game] }
      const files = { 'agent.json': Buffer.from(JSON.stringify(manifest)), 'agent.mjs': readFileSync(agentFile) }
      writeFileSync(file, writeZip(new Map(Object.entries(files))))
      return file
    },
    async run(game, entrants, { contest = {}, arena, come = () => undefined, signal, data } = {}) {
      const own = join(folder, String(++runs))
      const dataFolder = join(folder, data ?? String(runs), 'data')
      const written = contestFile.parse({
        title: 'Over the network',
        game,
        config: settings[game],
        format: { type: 'round-robin', seats: 2 },
        seed: 'network',
        isolation: 'none',
        limits: { startMs: 60_000, moveMs: 60_000 },
        entrants: Object.entries(entrants).map(([name, agent]) =>
          agent === null ? { name, network: true } : { name, agent },
        ),
        ...contest,
      })
      const notices: string[] = []
      const connects = Object.values(entrants).includes(null)
      const report = await playContestFile({
        contest: await completeContest(written, own, 'it', dataFolder),
        data: dataFolder,
        exportTo: join(own, 'export'),
        signal: signal ?? new AbortController().signal,
        onNotice: (text) => notices.push(text),
        onProgress: () => undefined,
        ...(connects
          ? {
              arena: {
                webSocket: { host: '127.0.0.1', port: 0 },
                waitMs: 60_000,
                onOpen: come,
                onUnexpected(error) {
                  throw error
                },
                ...arena,
              },
            }
          : {}),
      })
      const files = report.histories.map((each) => readFileSync('file' in each ? each.file : ''))
      for (const bytes of files)
        expect(verifyMatch(bytes, { games: (id) => games.get(id) })).toMatchObject({ ok: true })
      return { report, notices, matches: files.map(readMatch), text: files.join('') }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function readMatch(bytes: Buffer): Ran['matches'][number] {
  const bodies = bytes
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { b: { k: string } & Record<string, Json> }).b)
  const of = (kind: string): typeof bodies => bodies.filter(({ k }) => k === kind)
  return {
    header: of('header')[0] as unknown as HeaderBody,
    outcome: of('outcome')[0]!['outcome']!,
    inputs: of('input').map(({ input }) => input!),
    faults: of('fault').map(({ fault }) => fault as unknown as { kind: string; text: string }),
  }
}
