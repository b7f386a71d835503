import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { playContestFile } from '../../../main/services/contests/command/contest-command.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { descendantsOf } from './processes.ts'

const folder = temporaryFolder('killed')

/** An agent's process that has computed for a while: utime in ticks. */
function busy(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[11]) > 20
  } catch {
    return false
  }
}

/** As the kernel does with what takes the most memory: whenever an agent computes for long, its process is killed. */
function killBusyAgents(): () => void {
  const timer = setInterval(() => {
    for (const { pid, command } of descendantsOf(process.pid))
      if (command.includes('host.cjs') && !command.includes('bwrap') && busy(pid)) process.kill(pid, 'SIGKILL')
  }, 50)
  return () => clearInterval(timer)
}

test.skipIf(process.platform !== 'linux')(
  'an agent that gets its process killed in every run loses by a crash; the match is neither void nor played for ever (needs Linux)',
  async () => {
    writeFileSync(join(folder, 'hog.js'), 'module.exports = class { offer() { for (;;); } }')
    writeFileSync(join(folder, 'calm.js'), 'module.exports = class { offer() { return undefined } }')
    const file = join(folder, 'contest.json')
    const written = {
      ...{ title: 'Killed', game: 'haggle', format: { type: 'single' }, seed: 'killed', sample: 0 },
      ...{ isolation: 'permission', limits: { moveMs: 120_000 } },
      entrants: ['hog', 'calm'].map((name) => ({ name, agent: `${name}.js` })),
    }
    writeFileSync(file, JSON.stringify(written))
    const stop = killBusyAgents()
    try {
      const report = await playContestFile({
        contest: file,
        data: join(folder, 'data'),
        exportTo: join(folder, 'matches'),
        cores: 1,
        signal: new AbortController().signal,
        onNotice: () => undefined,
        onProgress: () => undefined,
      })
      expect(report).toMatchObject({ state: 'finished', matches: { total: 1, played: 1, void: 0 } })
      const [match] = report.histories
      const history = readFileSync(match !== undefined && 'file' in match ? match.file : '', 'utf8')
      expect(history).toMatch(/"kind":"crash"[^}]*\bseveral runs\b/)
      // Attempt 1 still: the kills were not faults of the host.
      expect(history).toContain('"attempt":1')
    } finally {
      stop()
    }
  },
)
