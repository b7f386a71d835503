import type { Readable } from 'node:stream'
import type { Fault } from '../../contract/faults.ts'
import { makeFault } from '../make-fault.ts'
import { endBox, startLaunch } from '../isolation/box-process.ts'
import type { AgentGroup } from '../isolation/groups/group.ts'
import type { Launch } from '../isolation/launch.ts'
import type { End, Interruption } from '../transports/transport.ts'
import type { Meter } from '../time-limit.ts'
import { sentence } from '../../contract/sentence.ts'

/** A frame of the dialogue in inside/host.ts. */
export interface HostFrame {
  readonly letter: string
  readonly number: number
  readonly json: string
}

/** The match that a process plays at the moment. */
export interface Owner {
  frame(frame: HostFrame): void
  /** The process has ended or was stopped for what it sent. Nothing follows. */
  ended(end: End): void
  /** The longest frame that may come, in bytes. */
  readonly frameBytes: number
  /** Since when the process has had something to do for it, in ms of `performance.now()`; null while it has not. */
  busySince(): number | null
  /** True while it is ready and has no question to answer. */
  atRest(): boolean
}

/** One process that hosts script agents: bytes in, frames out, and its end put into words. */
export interface AgentProcess {
  readonly pid: number
  /** Resolves to null when it can open a realm, or to its end when it ends before. */
  readonly started: Promise<End | null>
  readonly alive: boolean
  owner: Owner | null
  /** The agent's text, and the adapter, that were sent last. */
  loaded: { readonly source: string; readonly adapter: string } | null
  /** Writes one frame; `number` may be followed by a colon and a body. `written` is called when the system has all of it, mostly at once. */
  send(letter: string, number: number | string, json: string, written?: () => void): void
  /**
   * Drops the realm. Resolves to whether the process has said that it is quiet; it has `resetMs` for that, and nobody is told
   * what it says or how it ends before that. A frame that is sent meanwhile goes with it, so that opening the next realm at
   * once wakes the process once and not twice.
   */
  reset(): Promise<boolean>
  /** Ends it and all below it, and tells nobody. Idempotent. */
  kill(): void
  /** Ends it for what it did; the owner is told. */
  fail(fault: Fault): void
  /** Resolves when the process has exited and its pipes are closed. */
  readonly exited: Promise<undefined>
}

const stderrBytes = 65_536
const idleFrameBytes = 64

export interface AgentProcessOptions {
  /** How long it has to say that it is quiet, in ms. A second by default. */
  readonly resetMs?: number | undefined
  /** The group that it runs in, which ends with it. */
  readonly group?: AgentGroup
  /** Called when it has exited: the fault for which the system ended it; null: none. */
  readonly lastFault?: () => Fault | null
}

/** The state of a running process. */
interface ProcessState {
  readonly child: ReturnType<typeof startLaunch>
  readonly group: AgentGroup | undefined
  readonly resetMs: number
  readonly started: PromiseWithResolvers<End | null>
  readonly exited: PromiseWithResolvers<undefined>
  /** The match that it plays; null between matches. */
  owner: Owner | null
  /** True from its first frame on. */
  hasGreeted: boolean
  hasEnded: boolean
  /** Settles the reset that is under way, with true if the process is quiet; null: there is none. */
  settleReset: ((isQuiet: boolean) => void) | null
  /** A frame that goes with the next one, or by itself if none follows in this turn of the event loop. */
  held: string
  /** The last `stderrBytes` characters that it wrote to stderr. */
  stderr: string
}

/** Starts a process. Never throws: a program that cannot be started ends with a `host` fault. */
export function startAgentProcess(
  launch: Launch,
  { resetMs = 1_000, group, lastFault = () => null }: AgentProcessOptions = {},
): AgentProcess {
  const state: ProcessState = {
    // It dies with this process through the kernel.
    child: startLaunch(launch),
    group,
    resetMs,
    started: Promise.withResolvers(),
    exited: Promise.withResolvers(),
    owner: null,
    hasGreeted: false,
    hasEnded: false,
    settleReset: null,
    held: '',
    stderr: '',
  }
  watch(state, lastFault)
  return {
    pid: state.child.pid ?? -1,
    started: state.started.promise,
    exited: state.exited.promise,
    get alive() {
      return !state.hasEnded
    },
    get owner() {
      return state.owner
    },
    set owner(owner) {
      state.owner = owner
    },
    loaded: null,
    send: (letter, number, json, written) => write(state, `${letter}${number} ${json}\n`, written),
    reset: () => reset(state),
    kill: () => end(state, null),
    fail: (fault) => end(state, fault),
  }
}

/** Hears what the process writes, and its end. */
function watch(state: ProcessState, lastFault: () => Fault | null): void {
  const { child, group } = state
  readLines(child.stdout, () => state.owner?.frameBytes ?? idleFrameBytes, {
    line: (line) => {
      if (!state.hasEnded) receive(state, line)
    },
    tooLong(bytes) {
      const text = `The agent wrote more than ${bytes} bytes in one message.`
      end(state, makeFault('protocol', text, { stderr: state.stderr }))
    },
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    state.stderr = (state.stderr + text).slice(-stderrBytes)
  })
  child.stdin.on('error', () => {
    // The process has ended; its exit says why.
  })
  // However it ended: what it left behind half made must not hold its pipes open.
  child.on('exit', () => endBox(child, group))
  child.on('error', (error) => {
    end(state, makeFault('host', sentence(`The agent's process could not be started: ${error.message}`)))
    if (child.pid === undefined) state.exited.resolve(undefined)
  })
  // `close` comes when the pipes are empty as well: its last words have been read.
  child.on('close', (code, signal) => {
    const { hasGreeted, stderr } = state
    end(state, lastFault() ?? killed(code, signal) ?? (hasGreeted ? endOf : stillborn)(code, signal, stderr))
    state.exited.resolve(undefined)
  })
}

/** Writes a frame, and before it the one that is held back. `written`: called once the system has all of it. */
function write(state: ProcessState, frame: string, written?: () => void): void {
  if (state.hasEnded) return
  const { stdin } = state.child
  const bytes = state.held + frame
  state.held = ''
  if (written === undefined) return void stdin.write(bytes)
  let isReported = false
  const report = (): void => {
    if (!isReported) written()
    isReported = true
  }
  stdin.write(bytes, report)
  // The stream calls back a turn later even if the system took everything at once.
  if (stdin.writableLength === 0) report()
}

/** See AgentProcess.reset. */
async function reset(state: ProcessState): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  state.settleReset = resolve
  state.held = 'Z0 null\n'
  setImmediate(() => {
    if (state.held !== '' && !state.hasEnded) state.child.stdin.write(state.held)
    state.held = ''
  })
  const timer = setTimeout(() => end(state, null), state.resetMs)
  const isQuiet = !state.hasEnded && (await promise)
  clearTimeout(timer)
  return isQuiet
}

/** Kills it with its box. `how`: what its owner is told; null: nothing. */
function end(state: ProcessState, how: End | null): void {
  if (state.hasEnded) return
  state.hasEnded = true
  endBox(state.child, state.group)
  const { owner } = state
  state.owner = null
  const isLeaving = state.settleReset !== null
  state.settleReset?.(false)
  if (!state.hasGreeted) state.started.resolve(how ?? makeFault('host', 'The agent was stopped before it had started.'))
  if (how !== null && !isLeaving) owner?.ended(how)
}

/** Takes one line from the process: it may be anything. */
function receive(state: ProcessState, line: string): void {
  const space = line.indexOf(' ')
  const number = Number(line.slice(1, space))
  const letter = line[0]
  if (letter === undefined || space < 2 || !Number.isSafeInteger(number))
    return end(state, strange('bytes that are not a message'))
  if (letter === 'H' && !state.hasGreeted) {
    state.hasGreeted = true
    state.started.resolve(null)
  } else if (state.settleReset !== null) {
    // Late messages of the last match are of no interest to anybody.
    if (letter !== 'I') return
    state.settleReset(true)
    state.settleReset = null
  } else if (state.owner === null) {
    end(state, strange('a message when nothing was asked'))
  } else {
    state.owner.frame({ letter, number, json: line.slice(space + 1) })
  }
}

const strange = (what: string): Fault => makeFault('protocol', `The agent's process sent ${what}.`)

function stillborn(code: number | null, signal: string | null, stderr: string): Fault {
  const why = stderr.trim().split('\n')[0] || (signal ?? `exit code ${code}`)
  return makeFault('host', `The agent's process could not be started: ${why}`, { stderr })
}

/** Signals that come from outside: an agent's own errors end in others. bubblewrap reports them as 128 + n. */
const fromOutside = new Map([
  ['SIGKILL', 137],
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
])

function killed(code: number | null, signal: string | null): Interruption | null {
  for (const [name, exitCode] of fromOutside) {
    if (signal !== name && code !== exitCode) continue
    return { interrupted: `An agent's process was killed from outside (${name}).` }
  }
  return null
}

function endOf(code: number | null, signal: string | null, stderr: string): Fault {
  if (/heap out of memory|Fatal.*out of memory/i.test(stderr)) {
    return makeFault('memory', "The agent's heap grew beyond its memory limit.", { stderr })
  }
  return makeFault('crash', `The agent's process ended by itself (${signal ?? `exit code ${code}`}).`, { stderr })
}

/** Cuts a stream into lines; looks at each byte once. */
function readLines(
  stream: Readable,
  longest: () => number,
  to: { line: (text: string) => void; tooLong: (bytes: number) => void },
): void {
  let parts: Buffer[] = []
  let size = 0
  stream.on('data', (chunk: Buffer) => {
    let from = 0
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      const last = chunk.subarray(from, at)
      from = at + 1
      const text = size === 0 ? last.toString('utf8') : Buffer.concat([...parts, last]).toString('utf8')
      parts = []
      size = 0
      to.line(text)
    }
    if (from === chunk.length) return
    parts.push(chunk.subarray(from))
    size += chunk.length - from
    if (size <= longest()) return
    parts = []
    size = 0
    stream.destroy()
    to.tooLong(longest())
  })
}

/** A process of the pool, which nobody else uses until it is released. */
export interface Lease {
  readonly process: AgentProcess
  /** Starts to count what the process does. */
  readonly meter: () => Meter
  /** The match is over. `reusable`: the process is quiet and has committed no fault. */
  readonly release: (reusable: boolean) => void
  /**
   * For a process that may still be leaving its last match: resolves to null when it has left, or to its replacement when it does
   * not. Frames can be sent at once, and no time counts before it resolves.
   */
  readonly instead?: Promise<Lease | End | null>
}
