import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, vi } from 'vitest'
import { verbOutputs } from '../../../main/contract/outputs/verb-outputs.ts'
import type { KitName } from '../../../main/contract/players/kits.ts'
import { freePort, listenersOn } from '../../ports.ts'
import { environment } from './compilers.ts'
import { wordsOf } from './kit.ts'

/** A debugger of a language: what it needs, how it attaches to a port, and what it is told. */
interface Debugger {
  readonly tools: readonly string[]
  attach(port: number): readonly string[]
  /** Its words when it can be told something; absent: at once. */
  readonly ready?: RegExp
  /** Sets a breakpoint at the start of the program and lets it go on. */
  readonly begin: string
  /** Its words when the program stops there. */
  readonly stopped: RegExp
  /** Lets the program go on to its end. */
  readonly goOn: string
}

const gdb: Debugger = {
  tools: ['gdb', 'gdbserver'],
  attach: (port) => ['gdb', '-nx', '-q', './agent', '-ex', `target remote 127.0.0.1:${port}`],
  begin: 'set pagination off\nbreak main\ncontinue\n',
  stopped: /Breakpoint 1, .*main/,
  goOn: 'delete\ncontinue\n',
}

export const debuggers: Partial<Record<KitName, Debugger>> = {
  go: {
    tools: ['dlv'],
    attach: (port) => ['dlv', 'connect', `127.0.0.1:${port}`],
    begin: 'break main.main\ncontinue\n',
    stopped: /> .*main\.main\(\)/,
    goOn: 'clearall\ncontinue\n',
  },
  java: {
    tools: ['jdb'],
    attach: (port) => ['jdb', '-attach', `127.0.0.1:${port}`],
    ready: /VM Started/,
    begin: 'stop in Game.main\ncont\n',
    stopped: /Breakpoint hit: .*Game\.main/,
    goOn: 'cont\n',
  },
  cpp: gdb,
  rust: gdb,
}

/**
 * Types a command that debugs a move of a kept match in the folder of a kit, whose agent is built: the debugger of its language stops
 * the agent at the start of its program. Expects that it then answers. `prefix`: the command that starts that command.
 */
export async function debugMove(
  home: string,
  command: string,
  { attach, ready = /^/, begin, stopped, goOn }: Debugger,
  prefix: readonly string[] = [],
): Promise<void> {
  const port = await freePort()
  const started: Gathered[] = []
  const start = (words: readonly string[]): Gathered => {
    const each = gathered(words, home)
    started.unshift(each)
    return each
  }
  try {
    const asked = start([...prefix, ...wordsOf(`${command} --inspect-port ${port} --json`)])
    await vi.waitUntil(() => listenersOn(port) !== null || asked.child.exitCode !== null, { timeout: 60_000 })
    expect(listenersOn(port), asked.said()).not.toBeNull()
    const attached = start(attach(port))
    await vi.waitUntil(() => ready.test(attached.said()) || attached.child.exitCode !== null, { timeout: 60_000 })
    attached.child.stdin.write(begin)
    await vi.waitUntil(() => stopped.test(attached.said()) || attached.child.exitCode !== null, { timeout: 60_000 })
    expect(attached.said()).toMatch(stopped)
    // The program waits for its debugger.
    expect(asked.child.exitCode).toBeNull()
    attached.child.stdin.write(goOn)
    await vi.waitUntil(() => asked.child.exitCode !== null, { timeout: 60_000 })
    expect([await asked.ended, asked.said()]).toEqual([0, expect.any(String)])
    expect(verbOutputs.debug.parse(JSON.parse(asked.printed()))).toMatchObject({
      seat: 0,
      until: Number(/--until (\d+)/.exec(command)?.[1]),
      differs: null,
    })
  } finally {
    for (const each of started) await ending(each)
  }
}

/** Ends a program with all that it has started: `debug` ends its agent, which has a process group of its own, when it is asked to end. */
async function ending({ child }: Gathered): Promise<void> {
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null
  child.kill('SIGTERM')
  await vi.waitUntil(isOver, { timeout: 10_000 }).catch(() => undefined)
  try {
    process.kill(-child.pid!, 'SIGKILL')
  } catch {
    // Nothing of its group is left.
  }
  // A program of another group may hold its pipes for as long as it likes.
  for (const pipe of [child.stdout, child.stderr]) pipe.destroy()
  await vi.waitUntil(isOver, { timeout: 10_000 })
}

interface Gathered {
  readonly child: ChildProcessWithoutNullStreams
  /** Its standard output so far, and everything with its errors. */
  printed(): string
  said(): string
  readonly ended: Promise<number | null>
}

/** Starts a program as the first of a process group. */
function gathered([program, ...words]: readonly string[], cwd: string): Gathered {
  const child = spawn(program!, words, { cwd, env: environment, detached: true })
  let [printed, said] = ['', '']
  child.stdout.on('data', (text) => {
    printed += String(text)
    said += String(text)
  })
  child.stderr.on('data', (text) => (said += String(text)))
  child.stdin.on('error', () => undefined)
  const ended = new Promise<number | null>((done) => child.once('close', done))
  return { child, printed: () => printed, said: () => said, ended }
}

/** The parts of an editor's settings that name files, or a class of Java. */
interface Launch {
  readonly program?: string
  readonly cwd?: string
  readonly mode?: string
  readonly mainClass?: string
  readonly args?: readonly string[]
  readonly targetCreateCommands?: readonly string[]
}

/** The files that the editor settings of a kit name and that its folder lacks. */
export function missingForEditors(home: string): readonly string[] {
  const { configurations } = JSON.parse(readFileSync(join(home, '.vscode', 'launch.json'), 'utf8')) as {
    readonly configurations: readonly Launch[]
  }
  const named = configurations.flatMap(({ program, cwd, mainClass, mode, args = [], targetCreateCommands = [] }) => [
    ...[program, cwd].filter((path) => path !== undefined),
    ...targetCreateCommands.map((each) => each.replace('target create ', '')),
    ...args.filter((each) => !each.startsWith('-')),
    ...(mainClass === undefined ? [] : [`${mainClass}.java`]),
    ...(mode === 'test' ? [readdirSync(home).find((name) => name.endsWith('_test.go')) ?? 'a test of Go'] : []),
  ])
  expect(configurations.length).toBeGreaterThan(1)
  expect(named.length).toBeGreaterThan(0)
  return named.filter((path) => !existsSync(join(home, path.replace('${workspaceFolder}', '.'))))
}
