import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect } from 'vitest'
import { safeLine } from '../../../main/cli/text.ts'
import { linkFolder } from '../../link-folder.ts'
import { checkPublished } from '../../published-output.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { cli as built, start, type Ended, type Running } from '../cli/process.ts'

/** A folder with the built program in it, linked: its processes are known by that path, and nobody builds under it. */
export interface Stage {
  readonly folder: string
  readonly cli: string
  readonly agents: string
  /** Starts the program. */
  begin(...args: readonly string[]): Running
  /** Runs the program to its end. */
  run(...args: readonly string[]): Promise<Ended>
  /** Writes a file below the folder; gives its path. */
  write(name: string, content: string | Uint8Array | object): string
  /** Writes a contest of four shipped agents, two a match; gives its path. */
  contest(name: string, more?: object): string
  remove(): void
}

/** The output of `contest run --json`. */
export interface Report {
  readonly contest: string
  readonly state: string
  readonly resumed: boolean
  readonly matches: { readonly total: number; readonly played: number; readonly void: number }
  readonly standings: readonly {
    readonly agent: string
    readonly rank: number
    readonly points: number
    readonly matches: number
    readonly faults: number
    readonly removals: number
  }[]
  readonly histories: readonly { readonly match: number; readonly file?: string; readonly run?: number }[]
}

/** The size of the agents of a contest file on disk, in KB: a disk with little more is full in mid-contest. */
export function kilobytesOfAgents(contest: string): number {
  const { entrants } = JSON.parse(readFileSync(contest, 'utf8')) as { entrants: readonly { readonly agent: string }[] }
  const bytes = entrants.reduce((sum, { agent }) => sum + statSync(resolve(dirname(contest), agent)).size, 0)
  return Math.ceil(bytes / 1024)
}

export function openStage(name: string): Stage {
  const folder = temporaryFolder(name)
  // Agents run as nobody where this runs as root.
  chmodSync(folder, 0o755)
  const dist = join(folder, 'dist')
  linkFolder(dirname(built), dist, (name) => !name.endsWith('.map'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const cli = join(dist, 'cli.js')
  const agents = join(dist, 'agents', 'specker')
  const write = (file: string, content: string | Uint8Array | object): string => {
    const path = join(folder, file)
    mkdirSync(join(path, '..'), { recursive: true })
    const plain = typeof content === 'string' || content instanceof Uint8Array
    writeFileSync(path, plain ? content : JSON.stringify(content, null, 2))
    return path
  }
  return {
    folder,
    cli,
    agents,
    begin: (...args) => start(process.execPath, [cli, ...args]),
    async run(...args) {
      const ended = await start(process.execPath, [cli, ...args]).ended
      checkPublished(args, ended.stdout)
      return ended
    },
    write,
    contest: (file, more = {}) => write(file, contestOf(agents, more)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A contest of short matches; time limits that no loaded machine reaches. */
function contestOf(agents: string, more: object): object {
  return {
    title: 'Hostile contest',
    game: 'specker',
    config: { challenge: 'max-csp', challengeConfig: { maxVars: 6, maxConstraints: 20 }, maxTurns: 2 },
    format: { type: 'round-robin', seats: 2 },
    seed: 'Brescia, 1512: a seed that nobody guesses',
    limits: { startMs: 120_000, moveMs: 120_000 },
    isolation: 'permission',
    entrants: ['baby', 'greedy', 'sampler', 'gambler'].map((agent) => ({
      name: agent,
      agent: join(agents, `${agent}.js`),
    })),
    ...more,
  }
}

export function reportOf({ stdout }: Ended): Report {
  return JSON.parse(stdout) as Report
}

/** The text on stderr, without progress lines. */
export function toldIn({ stderr }: Ended): readonly string[] {
  return stderr.split('\n').filter((line) => line !== '' && !/^\d+ of \d+ matches(,|$)/.test(line))
}

/**
 * Expects a refusal: the exit code, one sentence that says all of `says`, and nothing on stdout but that sentence. An object among
 * `says` is what --json prints: see `refusedCommand`.
 */
export function expectRefusal(ended: Ended, code: number, ...says: readonly (string | RegExp | object)[]): void {
  const told = toldIn(ended)
  expect(told, ended.stderr).toHaveLength(1)
  const [sentence = ''] = told
  for (const each of says)
    if (typeof each === 'object' && !(each instanceof RegExp)) expect(JSON.parse(ended.stdout)).toEqual(each)
    else expect(sentence).toEqual(each instanceof RegExp ? expect.stringMatching(each) : expect.stringContaining(each))
  expect(sentence).toMatch(/[.!?)"]$|: [^:]+$/)
  expect(sentence.length).toBeLessThan(1_000)
  expect(ended.stderr).not.toMatch(/^\s+at /m)
  expect(ended.stderr).not.toMatch(/Unexpected error/)
  expect(ended.code).toBe(code)
  if (ended.stdout !== '') expect(safeLine((JSON.parse(ended.stdout) as { error: string }).error)).toBe(sentence)
}
