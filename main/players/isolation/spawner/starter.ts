import type { Buffer as Bytes } from 'node:buffer'
import { existsSync } from 'node:fs'
import { endianness, getPriority } from 'node:os'
import { platform } from 'node:process'
import type { Readable, Writable } from 'node:stream'
import { endTree, startLaunch } from '../box-process.ts'
import type { AgentGroup } from '../groups/group.ts'
import type { Launch } from '../launch.ts'
import { hasEndedIn, type StartedProgram } from '../started-program.ts'
import { exitOf, readReports, RelayedProgram, type ProgramPipes } from './relayed-program.ts'

/**
 * Starts programs by small processes of ours (starter.c). Node copies the tables of its pages for each process that it starts, and
 * stands still for that: 1 ms with 50 MB in use, 14 ms with 160 MB.
 */
export interface Starters {
  /**
   * Starts a program as `startProgram` does; null: it is to be started by that, because this machine or this launch has no
   * starter, or because the program cannot be executed. Whoever gets it listens to its events in the same turn. Never rejects.
   */
  start(launch: Launch, group?: AgentGroup, sweep?: () => void): Promise<StartedProgram | null>
  /** Starts nothing more; each starter exits with its last program. */
  close(): void
}

/** How many programs one starter starts: each needs three descriptors from the beginning. At most 64, as starter.c says. */
const STARTS = 16

/** The largest order that starter.c takes. */
const orderBytesMax = 131_072
const textsMax = 2_048

/** `file`: the program of spawner.c; undefined or absent: nothing is started by this. */
export function createStarters(file: string | undefined): Starters {
  let works = platform === 'linux' && file !== undefined && existsSync(file)
  let current: StarterProcess | null = null
  return {
    async start(launch, group, sweep) {
      const order = works && file !== undefined ? orderOf(launch) : null
      if (order === null) return null
      try {
        if (current?.isUsedUp !== false) current = new StarterProcess(file!)
        return await current.start(order, { launch, group, sweep })
      } catch {
        // It needs many descriptors at once, of which there may be too few.
        works = false
        return null
      }
    },
    close() {
      works = false
      current?.retire()
      current = null
    },
  }
}

/** What starter.c has to know; null: a starter cannot do that. */
function orderOf({ file, args, filter, ownOutput, namespaces, turns, cwd = '/', env = {} }: Launch): Bytes | null {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const texts = [cwd, file, ...args, ...variables]
  if (namespaces !== undefined || turns !== undefined || texts.some((text) => text.includes('\0'))) return null
  if (args.length >= textsMax || variables.length > textsMax) return null
  const fields = [ownOutput === true ? 1 : 0, getPriority(), cwd, 1 + args.length, file, ...args]
  const text = ['s', ...[...fields, variables.length, ...variables].map((field) => `${field}\0`)].join('')
  const order = Buffer.concat([Buffer.from(text), filter ?? new Uint8Array()])
  return order.length > orderBytesMax ? null : order
}

/** A program that a starter has started. */
class SingleProgram extends RelayedProgram {
  readonly #launch: Launch
  readonly #group: AgentGroup | undefined
  readonly #sweep: (() => void) | undefined

  constructor(pid: number, pipes: ProgramPipes, { launch, group, sweep }: Omit<Start, 'promise'>) {
    super(pid, pipes)
    this.#launch = launch
    this.#group = group
    this.#sweep = sweep
  }

  hasEnded(): boolean {
    return hasEndedIn(this.#launch, this.pid)
  }

  end(): void {
    endTree(this.pid, !this.isOver, this.#group)
    this.#sweep?.()
  }
}

interface Start {
  readonly launch: Launch
  readonly group: AgentGroup | undefined
  readonly sweep: (() => void) | undefined
  readonly promise: PromiseWithResolvers<StartedProgram | null>
}

/** A pipe: our process does not end by itself while it is open and held. */
interface Held {
  ref(): unknown
  unref(): unknown
}

type HeldPipes = readonly [stdin: Writable & Held, output: Readable & Held, stderr: Readable & Held]

/** A starter, and its programs by the numbers of their starts. */
class StarterProcess {
  readonly #child: ReturnType<typeof startLaunch>
  readonly #starts: Start[] = []
  readonly #programs = new Map<number, SingleProgram>()
  /** How many are started, or will be, and are not over. */
  #unfinished = 0
  #isRetired = false
  #isLost = false

  /** Throws if there are too few descriptors. */
  constructor(file: string) {
    this.#child = startLaunch({ file, args: ['starter', String(STARTS)], turns: STARTS })
    const { stdin, stdout, stderr } = this.#child
    stderr.resume()
    stdin.on('error', () => undefined)
    readReports(stdout, (words) => this.#hear(words))
    this.#child.on('error', () => this.#lost()).on('exit', () => this.#lost())
    // Our process may end while a starter has no programs.
    this.#child.unref()
    for (const stream of this.#child.stdio) (stream as Held | null)?.unref()
  }

  /** True if it starts no more. */
  get isUsedUp(): boolean {
    return this.#isRetired || this.#starts.length === STARTS
  }

  start(order: Bytes, start: Omit<Start, 'promise'>): Promise<StartedProgram | null> {
    const promise = Promise.withResolvers<StartedProgram | null>()
    for (const stream of this.#pipesOf(this.#starts.length)) stream.ref()
    this.#starts.push({ ...start, promise })
    this.#count(1)
    this.#say(order)
    return promise.promise
  }

  retire(): void {
    this.#isRetired = true
    if (this.#unfinished === 0) this.#child.stdin.end()
  }

  #pipesOf(at: number): HeldPipes {
    return this.#child.stdio.slice(4 + 3 * at, 7 + 3 * at) as unknown as HeldPipes
  }

  #say(order: Uint8Array): void {
    const length = Buffer.alloc(4)
    if (endianness() === 'LE') length.writeUInt32LE(order.length)
    else length.writeUInt32BE(order.length)
    this.#child.stdin.write(Buffer.concat([length, order]))
  }

  #hear([word, number, ...figures]: readonly string[]): void {
    const at = Number(number)
    const start = this.#starts[at]
    const [first = 0, second = 0] = figures.map(Number)
    if (start === undefined) return
    if (word === 'started') {
      const [stdin, output, stderr] = this.#pipesOf(at)
      const program = new SingleProgram(first, { stdin, output, stderr }, start)
      if (!this.#isLost) this.#programs.set(at, program)
      start.promise.resolve(program)
      // Nobody has it.
      if (this.#isLost) program.end()
    } else if (word === 'failed') this.#fail(at)
    // Whoever has waited for the start listens by then.
    else if (word === 'over') setImmediate(() => this.#over(at, ...exitOf(first, second)))
  }

  /** It was not started. */
  #fail(at: number): void {
    for (const stream of this.#pipesOf(at)) stream.destroy()
    this.#starts[at]!.promise.resolve(null)
    this.#count(-1)
  }

  #over(at: number, code: number | null, signal: NodeJS.Signals | null): void {
    const program = this.#programs.get(at)
    // The starter was lost before.
    if (program === undefined) return
    this.#programs.delete(at)
    program.over(code, signal)
    // From now on its number may be somebody else's.
    this.#say(Buffer.from(`r${at}\0`))
    this.#count(-1)
  }

  #count(by: number): void {
    this.#unfinished += by
    const reports = this.#child.stdout as Readable & Held
    if (this.#unfinished > 0) reports.ref()
    else {
      reports.unref()
      if (this.#isRetired) this.#child.stdin.end()
    }
  }

  /** The starter has exited: those that it has not told of were killed with it, or are to be. */
  #lost(): void {
    this.#isRetired = true
    this.#isLost = true
    const programs = [...this.#programs]
    for (const [at, start] of this.#starts.entries()) {
      if (!this.#programs.has(at)) start.promise.resolve(null)
    }
    this.#programs.clear()
    this.#unfinished = 0
    for (const [, program] of programs) {
      program.end()
      setImmediate(() => program.over(null, 'SIGKILL'))
    }
    for (let at = this.#starts.length; at < STARTS; at++) for (const stream of this.#pipesOf(at)) stream.destroy()
  }
}
