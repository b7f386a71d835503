import { chmod } from 'node:fs/promises'
import { soak, type Held, type Soaked } from '../hostile/contests/soak.ts'
import { withFolder } from './folder.ts'
import { median } from './measure.ts'
import { rowOf, type Bench, type Row } from './row.ts'

/** 46 agents, every pair of them twice: 2,070 matches. */
const CLASS = { honestScripts: 24, honestPrograms: 6, villainScripts: 12, villainPrograms: 4, repeats: 2 } as const
const MEGABYTE = 1_048_576

/**
 * A long contest with one hostile agent in three, in bubblewrap: what host and workers hold towards its end beside what they
 * held towards its beginning. Throws where a process is left behind.
 */
export const soakBench: Bench = {
  name: 'soak',
  onlyByName: true,
  measure: () =>
    withFolder(async (folder) => {
      await chmod(folder, 0o755)
      const soaked = await soak({ folder, ...CLASS })
      const { matches, seconds, hostile, compared, orphans, wrong, voided } = soaked
      if (orphans.length > 0) throw new Error(`processes were left behind: ${orphans.join(', ')}`)
      for (const each of wrong) console.error(`Otherwise than without harm: ${each}`)
      const all = { name: 'its matches', value: matches, unit: 'matches' }
      const percent = Math.round(hostile * 100)
      return [
        rowOf({ name: `soak, ${percent} % hostile agents: time`, value: seconds, unit: 's' }, all),
        rowOf(
          { name: 'soak: honest matches that end otherwise than without harm', value: wrong.length, unit: 'matches' },
          { name: 'honest matches', value: compared, unit: 'matches' },
          { of: 'value', below: 1 },
        ),
        rowOf({ name: 'soak: void for the fault of the host', value: voided, unit: 'matches' }, all),
        ...growth(soaked),
      ]
    }),
}

function growth({ held }: Soaked): readonly Row[] {
  const last = held.at(-1)!.matches
  const within = (from: number, to: number): readonly Held[] =>
    held.filter(({ matches }) => matches >= last * from && matches < last * to)
  // Processes that end with the contest are not counted: workers close one after the other.
  const [early, late] = [within(0.2, 0.4), within(0.75, 0.95)]
  const row = (name: string, unit: string, of: (held: Held) => number): Row =>
    rowOf(
      { name: `soak: ${name}, towards the end`, value: median(late.map(of)), unit },
      { name: 'towards the beginning', value: median(early.map(of)), unit },
      { of: 'ratio', below: 1.25 },
    )
  return [
    row('descriptors of the host', 'open', (each) => each.hostDescriptors),
    row('descriptors of its workers', 'open', (each) => each.workerDescriptors),
    row('memory of the host', 'MB', (each) => each.hostBytes / MEGABYTE),
    row('memory of its workers', 'MB', (each) => each.workerBytes / MEGABYTE),
  ]
}
