import { readdirSync, statSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { runContest } from '../../main/services/contests/engine/contest-run.ts'
import { launchWorker } from '../../main/services/machine/worker-process.ts'
import { contestDescription } from '../../main/contract/contests/contests.ts'
import { sha256 } from '../../main/histories/canonical.ts'
import { generateKey, signingKey } from '../../main/histories/keys.ts'
import { resources } from '../../main/services/machine/resources.ts'
import { toy } from '../unit/contests/format-toy.ts'
import { withFolder } from './folder.ts'
import { alternately, median } from './measure.ts'
import { onOneCore } from './own-core.ts'
import { rowOf, type Bench } from './row.ts'

const ROUNDS = 3
const MATCHES = 20_000
const MILLION = 1_000_000
/** Entrants of the contests: 45 pairs. */
const ENTRANTS = 10
/** Matches that a worker plays at a time, as for other very short ones. */
const LANES = 8

const WORKER = fileURLToPath(new URL('./null-worker.ts', import.meta.url))
const numbers = Array.from({ length: ENTRANTS }, (_, at) => String(at))

interface NullContest {
  readonly seconds: number
  /** ms of the main process' own processor time for each match. */
  readonly mainMs: number
  /** MB in use in the main process when a tenth of the matches was over, and at the end. */
  readonly memory: readonly [number, number]
  /** Bytes on disk. */
  readonly bytes: number
}

/** Plays so many matches of players that answer at once, with histories written and synced as ever. */
async function playNull(folder: string, matches: number, workers: number): Promise<NullContest> {
  const dir = await mkdtemp(join(folder, 'contest-'))
  const pairs = (ENTRANTS * (ENTRANTS - 1)) / 2
  const description = contestDescription.parse({
    ...{ title: 'Null', game: toy.id, seed: 'null', sample: 0 },
    format: { type: 'round-robin', repeats: Math.ceil(matches / pairs) },
    entrants: numbers.map((number) => ({ name: `says ${number}`, agent: sha256(number) })),
  })
  const began = performance.now()
  const cpu = process.cpuUsage()
  const memory: number[] = []
  const { record } = await runContest({
    ...{ folder: dir, contest: 'null-1', description, nonce: 'a'.repeat(64), seeds: 'hmac', contests: {}, config: {} },
    ...{ isolation: 'none', key: signingKey(generateKey())!, workers, lanes: LANES, repeatable: true },
    agents: new Map(numbers.map((number) => [sha256(number), number])),
    launch: () => launchWorker(resources.node, WORKER),
    signal: new AbortController().signal,
    onNotice: () => undefined,
    onProgress({ done, total }) {
      if (memory.length === 0 && done * 10 >= total) memory.push(memoryInUse())
    },
  })
  memory.push(memoryInUse())
  const { user, system } = process.cpuUsage(cpu)
  return {
    seconds: (performance.now() - began) / 1_000,
    mainMs: (user + system) / 1_000 / record.done,
    memory: [memory[0]!, memory[1]!],
    bytes: readdirSync(dir).reduce((sum, file) => sum + statSync(join(dir, file)).size, 0),
  }
}

function memoryInUse(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1e6
}

/** Matches of players that answer at once: the engine, its workers and the histories, on one core and on two. */
export const nullContest: Bench = {
  name: 'null-contest',
  measure: () =>
    withFolder(async (folder) => {
      const { first, second } = await alternately(
        ROUNDS,
        () => onOneCore(() => playNull(folder, MATCHES, 1)),
        () => playNull(folder, MATCHES, 2),
      )
      const perSecond = (played: readonly NullContest[]): number =>
        median(played.map(({ seconds }) => MATCHES / seconds))
      const [one, two] = [perSecond(first), perSecond(second)]
      const baseline = { name: 'held to one core', value: one, unit: 'matches/s' }
      return [
        rowOf({ name: 'null matches, two cores', value: two, unit: 'matches/s' }, baseline, {
          of: 'ratio',
          atLeast: 1.8,
        }),
        rowOf(
          { name: 'engine and histories, a match', value: median(second.map(({ mainMs }) => mainMs)), unit: 'ms' },
          { name: 'all of a match, held to one core', value: 1_000 / one, unit: 'ms' },
          { of: 'value', below: 1 },
        ),
      ]
    }),
}

/** A contest of a million matches of players that answer at once. */
export const millionMatches: Bench = {
  name: 'million-matches',
  onlyByName: true,
  measure: () =>
    withFolder(async (folder) => {
      const { seconds, mainMs, memory, bytes } = await playNull(folder, MILLION, 2)
      const size = { name: 'its histories', value: bytes / 1e6, unit: 'MB' }
      return [
        rowOf({ name: '1,000,000 null matches, two cores', value: seconds, unit: 's' }, size),
        rowOf(
          { name: 'main process, at the end', value: memory[1], unit: 'MB' },
          { name: 'when a tenth was over', value: memory[0], unit: 'MB' },
          // 36 bytes a match are kept: 36 MB.
          { of: 'value', below: 150 },
        ),
        rowOf(
          { name: 'engine and histories, a match of 1,000,000', value: mainMs, unit: 'ms' },
          { name: 'bytes of history, a match', value: bytes / MILLION, unit: 'bytes' },
          { of: 'value', below: 1 },
        ),
      ]
    }),
}
