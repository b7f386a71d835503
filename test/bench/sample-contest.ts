import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { runContest } from '../../main/app/contests.ts'
import { withFolder } from './folder.ts'
import { alternately, median } from './measure.ts'
import { rowOf, type Bench } from './row.ts'

const ROUNDS = 5
/** Turns of a loop that needs no memory: about half a second. */
const LOOP = 'let x = 1; for (let n = 0; n < 3e8; n++) x = (x * 1664525 + n) | 0; process.exitCode = x === 7 ? 1 : 0'

/**
 * The sample contest from end to end with one worker and with two. What a second core can give at all is measured beside it:
 * two cores may be one with two faces, or busy with somebody else's work.
 */
export const sampleContest: Bench = {
  name: 'contest',
  measure: () =>
    withFolder(async (folder) => {
      const both = async (cores: number) => ({
        matches: await contest(folder, cores),
        loops: await loopsPerSecond(cores),
      })
      const { first, second } = await alternately(
        ROUNDS,
        () => both(1),
        () => both(2),
      )
      const one = median(first.map(({ matches }) => matches))
      const two = median(second.map(({ matches }) => matches))
      const loop = median(second.map(({ loops }) => loops)) / median(first.map(({ loops }) => loops))
      return [
        rowOf(
          { name: 'sample contest, two cores', value: two, unit: 'matches/s' },
          { name: 'sample contest, one core', value: one, unit: 'matches/s' },
          { of: 'ratio', atLeast: 1.8 },
        ),
        rowOf(
          { name: 'what a second core gives the contest', value: two / one, unit: 'times' },
          { name: 'what it gives a loop in a process each', value: loop, unit: 'times' },
        ),
      ]
    }),
}

/** Matches a second, from the reading of the description to the last sync. */
async function contest(folder: string, cores: number): Promise<number> {
  const data = await mkdtemp(join(folder, 'data-'))
  const start = performance.now()
  const { matches } = await runContest({
    contest: 'sample',
    data,
    cores,
    signal: new AbortController().signal,
    onNotice: (text) => console.error(text),
    onProgress: () => undefined,
  })
  if (matches.played !== matches.total) throw new Error('not all matches were played')
  return (matches.played * 1_000) / (performance.now() - start)
}

async function loopsPerSecond(processes: number): Promise<number> {
  const start = performance.now()
  await Promise.all(
    Array.from({ length: processes }, () => once(spawn(process.execPath, ['-e', LOOP], { stdio: 'ignore' }), 'exit')),
  )
  return (processes * 1_000) / (performance.now() - start)
}
