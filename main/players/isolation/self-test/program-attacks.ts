import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { IsolationTier } from '../../../contract/limits.ts'
import { runJob, type JobResult } from '../boxed-job.ts'
import { commonFor } from '../common-folder.ts'
import { createProgramLauncher, packageFolder } from '../program.ts'

/** An attack by a program in a box. `source`: CommonJS for Node. `caught`: whether its end shows that it failed. */
interface ProgramAttack {
  readonly name: string
  readonly source: string
  caught(result: JobResult, mark: string): boolean | Promise<boolean>
}

const nothing = 'nothing'
const said = (result: JobResult): string => (result.ok ? Buffer.from(result.output).toString('utf8') : result.problem)

const attacks: readonly ProgramAttack[] = [
  {
    name: 'programs: change process 1 of the box',
    source: `
      const fs = require('node:fs')
      const got = ['/proc/1/mem', '/proc/1/task/1/mem', '/proc/self/root/proc/1/mem'].filter((path) => {
        try { fs.openSync(path, 'r+'); return true } catch { return false }
      })
      process.stdout.write(got[0] ?? '${nothing}')`,
    caught: (result) => said(result) === nothing,
  },
  {
    name: 'programs: all pseudo-terminals of the machine',
    source: `
      const fs = require('node:fs')
      const got = ['/dev/ptmx', '/dev/pts/ptmx'].filter((path) => {
        try { fs.openSync(path, 'r+'); return true } catch { return false }
      })
      process.stdout.write(got[0] ?? '${nothing}')`,
    caught: (result) => said(result) === nothing,
  },
  {
    name: 'programs: outlive the box',
    source: `
      const { spawn } = require('node:child_process')
      const args = ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)', process.argv[2]]
      spawn(process.execPath, args, { detached: true, stdio: 'ignore', env: {} }).unref()
      process.stdout.write('${nothing}')`,
    caught: async (result, mark) => result.ok && (await areGone(mark)),
  },
  {
    name: 'programs: make 300,000 files in memory',
    source: `
      const fs = require('node:fs')
      for (let n = 0; n < 300_000; n++) fs.closeSync(fs.openSync('/tmp/' + n, 'w'))
      process.stdout.write('all of them')`,
    caught: (result) => !result.ok && result.problem.includes('memory'),
  },
  {
    // Written bytes stay in the kernel while the other end is open, which children inherit: 400 MB in small processes.
    name: 'programs: fill local sockets',
    source: `
      const { spawn } = require('node:child_process')
      const text = Buffer.alloc(1 << 18)
      const stdio = ['ignore', 'ignore', 'ignore', ...Array(100).fill('pipe')]
      let left = 20
      function fill() {
        if (left-- === 0) return setTimeout(() => { process.stdout.write('all of them'); process.exit() }, 1000)
        for (const socket of spawn('sleep', ['50'], { stdio }).stdio.slice(3)) {
          socket.on('error', () => {})
          socket.write(text)
          socket.destroy()
        }
        setTimeout(fill, 10)
      }
      fill()`,
    caught: (result) => !result.ok && result.problem.includes('memory'),
  },
]

const memoryMb = 96
const seconds = 60
const endsWithinMs = 10_000

/** Tiers that hold programs and protect from them. */
const boxes: readonly IsolationTier[] = ['bubblewrap', 'shared']

/** Runs the attacks on a tier by programs, one after the other; none where it holds no programs, or protects from none. */
export async function attackByPrograms(tier: IsolationTier, nodeBinary: string): Promise<readonly SelfTestCheck[]> {
  if (!boxes.includes(tier)) return []
  const checks: SelfTestCheck[] = []
  const launcher = await createProgramLauncher(tier, nodeBinary)
  for (const { name, source, caught } of attacks) {
    const folder = await mkdtemp(join(tmpdir(), 'tartaglia-attack-'))
    const common = await commonFor(tier)
    try {
      await chmod(folder, 0o755)
      await writeFile(join(folder, 'attack.cjs'), source)
      const mark = randomUUID()
      const launch = launcher({ folder, command: ['node', `${packageFolder}/attack.cjs`, mark], common })
      if ('missing' in launch) {
        checks.push({ name, holds: false, detail: launch.missing })
        continue
      }
      const result = await runJob({ launch, boxed: true, seconds, memoryMb, outputBytes: 1_000 })
      checks.push({ name, holds: await caught(result, mark), detail: `The program's result: ${said(result)}.` })
    } finally {
      common?.close()
      await rm(folder, { recursive: true, force: true })
    }
  }
  return checks
}

/** Waits until no process with this word in its arguments is left; false: one still is after `endsWithinMs`. */
async function areGone(word: string): Promise<boolean> {
  const end = performance.now() + endsWithinMs
  while (performance.now() < end) {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
    const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')))
    if (!lines.some((line) => line.includes(word))) return true
    await pause(20)
  }
  return false
}

/** One attempt to break out of a box. */
export interface SelfTestCheck {
  /** The attempt, as a phrase. */
  readonly name: string
  /** True if the attempt failed, as it should. */
  readonly holds: boolean
  /** The outcome, as a sentence. */
  readonly detail: string
}
