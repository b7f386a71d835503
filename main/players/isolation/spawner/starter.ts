import type { Buffer as Bytes } from 'node:buffer'
import { existsSync } from 'node:fs'
import { endianness, getPriority } from 'node:os'
import { platform } from 'node:process'
import type { Readable, Writable } from 'node:stream'
import { endTree, startLaunch } from '../box-process.ts'
import type { AgentGroup } from '../groups/group.ts'
import type { Launch } from '../launch.ts'
import { isRunning } from '../../proc.ts'
import { hasEndedIn, type StartedProgram } from '../started-program.ts'
import { exitOf, readReports, RelayedProgram, type ProgramPipes } from './relayed-program.ts'

/**
 * Starts programs by small processes of ours (starter.c). Node copies the tables of its pages for each process that it starts, and
 * stands still for that: 1 ms with 50 MB in use, 14 ms with 160 MB.
 */
export interface Starters {
  /**
   * Starts a program as `startProgram` does; null: it is to be started by that, because this machine or this launch has no
   * starter, or because the program cannot be executed. The caller listens to its events in the same turn. Never rejects.
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

/** A starter that has not answered for so long stands still, and is ended: on the busiest machine a start takes a few seconds. */
const answerMsMax = 20_000

/** `file`: the program of spawner.c; undefined or absent: nothing is started by this. */
export function createStarters(file: string | undefined, answerMs = answerMsMax): Starters {
  let works = platform === 'linux' && file !== undefined && existsSync(file)
  let current: StarterProcess | null = null
  const giveUp = (): void => {
    works = false
  }
  return {
    async start(launch, group, sweep) {
      const order = works && file !== undefined ? orderOf(launch) : null
      if (order === null) return null
      try {
        if (current?.isUsedUp !== false) current = new StarterProcess(file!, answerMs, giveUp)
        return await current.start(order, { launch, group, sweep })
      } catch {
        // It needs many descriptors at once, of which there may be too few.
        giveUp()
        return null
      }
    },
    close() {
      giveUp()
      current?.retire()
      current = null
    },
  }
}

/** The order for starter.c; null: a starter cannot carry it out. */
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
  readonly #start: Omit<Start, 'answer'>
  readonly #waitForEnd: () => void

  constructor(pid: number, pipes: ProgramPipes, start: Omit<Start, 'answer'>, waitForEnd: () => void) {
    super(pid, pipes)
    this.#start = start
    this.#waitForEnd = waitForEnd
  }

  hasEnded(): boolean {
    // Its number is kept, so that one that does not run has ended.
    return hasEndedIn(this.#start.launch, this.pid) || !isRunning(this.pid!)
  }

  end(): void {
    const { group, sweep } = this.#start
    endTree(this.pid, !this.isOver, group)
    sweep?.()
    if (!this.isOver) this.#waitForEnd()
  }
}

interface Start {
  readonly launch: Launch
  readonly group: AgentGroup | undefined
  readonly sweep: (() => void) | undefined
  readonly answer: PromiseWithResolvers<StartedProgram | null>
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
  /** Starts and ends that are to be told of, by the numbers of the starts. */
  readonly #waits = new Map<number, NodeJS.Timeout>()
  readonly #answerMs: number
  readonly #giveUp: () => void
  /** How many are started, or will be, and are not over. */
  #unfinished = 0
  #hasStarted = false
  #isRetired = false
  #isLost = false

  /** Throws if there are too few descriptors. `giveUp`: called if this machine cannot run it. */
  constructor(file: string, answerMs: number, giveUp: () => void) {
    this.#answerMs = answerMs
    this.#giveUp = giveUp
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

  start(order: Bytes, start: Omit<Start, 'answer'>): Promise<StartedProgram | null> {
    const answer = Promise.withResolvers<StartedProgram | null>()
    const at = this.#starts.length
    for (const stream of this.#pipesOf(at)) stream.ref()
    this.#starts.push({ ...start, answer })
    this.#count(1)
    this.#wait(at)
    this.#say(order)
    return answer.promise
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

  /** Ends the starter if it does not tell of this start, or of its end, in time. */
  #wait(at: number): void {
    if (!this.#isLost && !this.#waits.has(at))
      this.#waits.set(
        at,
        setTimeout(() => this.#child.kill('SIGKILL'), this.#answerMs),
      )
  }

  #hear([word, number, ...figures]: readonly string[]): void {
    const at = Number(number)
    const [first = 0, second = 0] = figures.map(Number)
    clearTimeout(this.#waits.get(at))
    this.#waits.delete(at)
    if (word === 'started') this.#begin(at, first)
    else if (word === 'failed') this.#fail(at)
    else if (word === 'over') {
      const program = this.#programs.get(at)
      this.#programs.delete(at)
      // The caller that has waited for the start listens by then.
      if (program !== undefined) setImmediate(() => this.#over(at, program, ...exitOf(first, second)))
    }
  }

  #begin(at: number, pid: number): void {
    const [stdin, output, stderr] = this.#pipesOf(at)
    const start = this.#starts[at]!
    const program = new SingleProgram(pid, { stdin, output, stderr }, start, () => this.#wait(at))
    this.#hasStarted = true
    if (this.#isLost) {
      // The answer was null.
      program.end()
      return
    }
    this.#programs.set(at, program)
    start.answer.resolve(program)
  }

  /** It was not started. */
  #fail(at: number): void {
    this.#hasStarted = true
    for (const stream of this.#pipesOf(at)) stream.destroy()
    this.#starts[at]!.answer.resolve(null)
    this.#count(-1)
  }

  #over(at: number, program: SingleProgram, ...end: ReturnType<typeof exitOf>): void {
    program.over(...end)
    // From now on its number may be somebody else's.
    this.#say(Buffer.from(`r${at}\0`))
    this.#count(-1)
  }

  #count(by: number): void {
    this.#unfinished += by
    const reports = this.#child.stdout as Readable & Held
    if (this.#unfinished > 0) {
      reports.ref()
      this.#child.ref()
    } else {
      reports.unref()
      this.#child.unref()
      if (this.#isRetired) this.#child.stdin.end()
    }
  }

  /** The starter has exited: programs that it has not told of were killed with it, or are killed now. */
  #lost(): void {
    if (this.#isLost) return
    this.#isLost = true
    this.#isRetired = true
    if (!this.#hasStarted) this.#giveUp()
    for (const timer of this.#waits.values()) clearTimeout(timer)
    for (const { answer } of this.#starts) answer.resolve(null)
    for (const program of this.#programs.values()) {
      program.end()
      setImmediate(() => {
        // Nobody is at fault.
        program.fail(new Error('the process that had started it has ended'))
        program.over(null, 'SIGKILL')
      })
    }
    this.#programs.clear()
    for (let at = this.#starts.length; at < STARTS; at++) for (const stream of this.#pipesOf(at)) stream.destroy()
  }
}
