import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../../..')
export const cli = join(root, 'dist', 'cli.js')

/** A command line as a process of its own. */
export interface Running {
  readonly child: ChildProcess
  /** Resolves with what stderr holds when the text, or something of the form, is in it; rejects when the process ends without it. */
  said(text: string | RegExp): Promise<string>
  readonly ended: Promise<Ended>
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export function start(
  command: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'> = {},
): Running {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const collected = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (collected.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (collected.stderr += text))
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...collected }))
  })
  const said = (text: string | RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const isSaid = typeof text === 'string' ? collected.stderr.includes(text) : text.test(collected.stderr)
        if (isSaid) resolve(collected.stderr)
      }
      child.stderr.on('data', look)
      child.on('close', () => reject(new Error(`it ended without saying "${String(text)}": ${collected.stderr}`)))
      look()
    })
  return { child, said, ended }
}

export function tartaglia(...args: readonly string[]): Running {
  return start(process.execPath, [cli, ...args])
}

/** Runs a script in a folder, with variables besides those of this process. */
export function startIn(cwd: string, env: Readonly<Record<string, string>>, ...args: readonly string[]): Running {
  return start(process.execPath, args, { cwd, env: { ...process.env, ...env } })
}

/**
 * Plays a contest and sends the signal when it has said `text`; gives how that ended. If others use the cores, the contest
 * may be over before the signal comes: then `begin` gives another one.
 */
export async function interrupted(begin: () => Running, text: string, signal: NodeJS.Signals): Promise<Ended> {
  for (;;) {
    const running = begin()
    await running.said(text)
    running.child.kill(signal)
    const ended = await running.ended
    if (ended.code !== 0) return ended
  }
}

/** A contest of shipped agents, two a match, in a folder of its own; gives the file's path. */
export function writeContest(folder: string, more: object = {}): string {
  const agents = ['baby', 'greedy', 'sampler', 'gambler']
  const file = join(folder, 'contest.json')
  mkdirSync(dirname(file), { recursive: true })
  const contest = {
    title: 'Four at a table of two',
    game: 'specker',
    config: { challenge: 'max-csp', challengeConfig: { maxVars: 6, maxConstraints: 20 }, maxTurns: 2 },
    format: { type: 'round-robin', seats: 2 },
    seed: 'conformance',
    isolation: 'none',
    entrants: agents.map((name) => ({ name, agent: join(root, 'dist/agents/specker', `${name}.js`) })),
    ...more,
  }
  writeFileSync(file, JSON.stringify(contest, null, 2))
  return file
}
