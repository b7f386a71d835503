import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { launchWorker, type WorkerProcess } from '../../main/services/machine/worker-process.ts'
import { resources } from '../../main/services/machine/resources.ts'
import { createFinishedTable } from '../../main/histories/segments/finished-table.ts'
import type { PublicKey } from '../../main/histories/keys.ts'
import type { FinishedRun } from '../../main/histories/segments/run-index.ts'
import { scanContest } from '../../main/histories/segments/contest-scan.ts'
import type { RecordedMatch } from './replay-worker.ts'

export interface RecordedOptions {
  /** The data folder. */
  readonly data: string
  /** One that has been played there. */
  readonly contest: string
  readonly key: PublicKey
  /** For files of the moment. */
  readonly folder: string
  /** Events a second that each worker tells. */
  readonly perSecond: number
}

/** Starts workers that tell matches of a contest again as they were played; see replay-worker.ts. */
export async function recordedContest(options: RecordedOptions): Promise<() => WorkerProcess> {
  const { data, contest, key, folder, perSecond } = options
  const dir = join(data, 'contests', contest)
  const runs: FinishedRun[] = []
  const finished = createFinishedTable()
  const finish = (run: FinishedRun): void => {
    finished.add(run)
    runs.push(run)
  }
  const scan = await scanContest({ dir, contest, key, keeper: { finished, finish, voidAttempt: () => undefined } })
  if (!scan.ok) throw new Error(scan.damage.message)
  const lines = new Map<number, string[]>()
  for (const name of readdirSync(dir)) {
    for (const line of readFileSync(join(dir, name), 'utf8').split('\n')) {
      const run = Number(/"r":(\d+)/.exec(line)?.[1] ?? 0)
      if (run > 0) lines.set(run, [...(lines.get(run) ?? []), line])
    }
  }
  const matches = runs.map((run): RecordedMatch => ({ run, lines: lines.get(run.run) ?? [] }))
  const recorded = join(folder, 'recorded.json')
  writeFileSync(recorded, JSON.stringify(matches))
  const script = join(folder, 'replay.mjs')
  const module = JSON.stringify(new URL('./replay-worker.ts', import.meta.url).href)
  writeFileSync(script, `import { replay } from ${module}\nreplay(${JSON.stringify(recorded)}, ${perSecond})\n`)
  return () => launchWorker(resources.node, script)
}
