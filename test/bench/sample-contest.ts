import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { withFolder } from './folder.ts'
import { alternately, median } from './measure.ts'
import { playSampleContest } from './play-sample-contest.ts'
import { rowOf, type Bench } from './row.ts'

const ROUNDS = 3
/** Holds a program and all that it starts to one core. */
const TASKSET = '/usr/bin/taskset'
/** Turns of a loop that needs no memory: about half a second. */
const LOOP = 'let x = 1; for (let n = 0; n < 3e8; n++) x = (x * 1664525 + n) | 0; process.exitCode = x === 7 ? 1 : 0'

/**
 * The sample contest from the first line of the command to its end, on one core and on two. The most that a second core can give at
 * all is measured beside it: two cores share memory and caches, may be one with two faces, or busy with somebody else's
 * work. For a loop that needs no memory, and for the same contest twice, side by side, each on a core of its own. One
 * worker would still use both cores, one for the match and one for whoever writes it down, so where the system can, one
 * core is really one.
 */
export const sampleContest: Bench = {
  name: 'contest',
  measure: () =>
    withFolder(async (folder) => {
      const held = existsSync(TASKSET)
      const alone = (core: number) => contest(folder, 1, held ? core : null)
      const both = async (cores: 1 | 2) => ({
        matches: cores === 1 ? await alone(0) : await contest(folder, 2, null),
        apart: cores === 1 ? 0 : (await Promise.all([alone(0), alone(1)])).reduce((sum, each) => sum + each),
        loops: await loopsPerSecond(cores),
      })
      const { first, second } = await alternately(
        ROUNDS,
        () => both(1),
        () => both(2),
      )
      const one = median(first.map(({ matches }) => matches))
      const two = median(second.map(({ matches }) => matches))
      const apart = median(second.map((each) => each.apart))
      const loop = median(second.map(({ loops }) => loops)) / median(first.map(({ loops }) => loops))
      return [
        rowOf(
          { name: 'sample contest, two cores', value: two, unit: 'matches/s' },
          {
            name: held ? 'sample contest, held to one core' : 'sample contest, one worker',
            value: one,
            unit: 'matches/s',
          },
          { of: 'ratio', atLeast: 1.75 },
        ),
        rowOf(
          { name: 'what a second core gives the contest', value: two / one, unit: 'times' },
          { name: 'what it gives two contests side by side', value: apart / one, unit: 'times' },
        ),
        rowOf(
          { name: 'what a second core gives the contest', value: two / one, unit: 'times' },
          { name: 'what it gives a loop in a process each', value: loop, unit: 'times' },
        ),
      ]
    }),
}

/** Matches a second; `heldTo`: the one core that all of it may use. */
const contest = async (folder: string, cores: number, heldTo: number | null): Promise<number> =>
  (await playSampleContest(folder, cores, heldTo === null ? [] : [TASKSET, '-c', `${heldTo}`])).rate

async function loopsPerSecond(processes: number): Promise<number> {
  const start = performance.now()
  await Promise.all(
    Array.from({ length: processes }, () => once(spawn(process.execPath, ['-e', LOOP], { stdio: 'ignore' }), 'exit')),
  )
  return (processes * 1_000) / (performance.now() - start)
}
