import type { Readable } from 'node:stream'
import type { Fault } from '../../contract/faults.ts'
import { makeFault } from '../make-fault.ts'
import { endBox, startLaunch } from '../isolation/box-process.ts'
import type { AgentGroup } from '../isolation/groups/group.ts'
import type { Launch } from '../isolation/launch.ts'
import type { End, Interruption } from '../transports/transport.ts'
import type { Meter } from '../time-limit.ts'

/** A frame of the dialogue in inside/host.ts. */
export interface HostFrame {
  readonly letter: string
  readonly number: number
  readonly json: string
}

/** Who a process works for at the moment. */
export interface Owner {
  frame(frame: HostFrame): void
  /** The process has ended or was ended for what it sent. Nothing follows. */
  ended(end: End): void
  /** The longest frame that may come, in bytes. */
  readonly frameBytes: number
  /** Since when the process has had something to do for it, in ms of `performance.now()`; null while it has not. */
  busySince(): number | null
  /** Whether it is ready and has been asked nothing. */
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
   * Drops the realm. Resolves to whether the process has said that it is quiet; it has `resetMs` for that, and what it says
   * or how it ends before that is told to nobody. What is sent meanwhile goes with it: whoever opens the next realm at once
   * wakes the process once and not twice.
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
  /** What it runs in, which ends with it. */
  readonly group?: AgentGroup
  /** Called when it has exited: the fault for which the system ended it; null: none. */
  readonly lastFault?: () => Fault | null
}

/** Starts a process. Never throws: a program that cannot be started ends with a `host` fault. */
export function startAgentProcess(
  launch: Launch,
  { resetMs = 1_000, group, lastFault = () => null }: AgentProcessOptions = {},
): AgentProcess {
  // It dies with this process through the kernel.
  const child = startLaunch(launch)
  const started = Promise.withResolvers<End | null>()
  const exited = Promise.withResolvers<undefined>()
  let hello = false
  let ended = false
  /** Settles the reset that is under way. */
  let quiet: ((is: boolean) => void) | null = null
  /** A frame that goes with the next one, or by itself when there is none in this turn of the event loop. */
  let waiting = ''
  let stderr = ''

  const process: AgentProcess = {
    pid: child.pid ?? -1,
    started: started.promise,
    exited: exited.promise,
    get alive() {
      return !ended
    },
    owner: null,
    loaded: null,
    send(letter, number, json, written) {
      if (ended) return
      const frame = `${waiting}${letter}${number} ${json}\n`
      waiting = ''
      if (written === undefined) return void child.stdin.write(frame)
      let told = false
      const tell = (): void => {
        if (!told) written()
        told = true
      }
      child.stdin.write(frame, tell)
      // The stream calls back a turn later even if the system took everything at once.
      if (child.stdin.writableLength === 0) tell()
    },
    async reset() {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      quiet = resolve
      waiting = 'Z0 null\n'
      setImmediate(() => {
        if (waiting !== '' && !ended) child.stdin.write(waiting)
        waiting = ''
      })
      const timer = setTimeout(process.kill, resetMs)
      const is = !ended && (await promise)
      clearTimeout(timer)
      return is
    },
    kill() {
      end(null)
    },
    fail(fault) {
      end(fault)
    },
  }

  const end = (how: End | null): void => {
    if (ended) return
    ended = true
    endBox(child, group)
    const { owner } = process
    process.owner = null
    const leaving = quiet !== null
    quiet?.(false)
    if (!hello) started.resolve(how ?? makeFault('host', 'The agent was ended before it had started.'))
    if (how !== null && !leaving) owner?.ended(how)
  }

  const receive = (line: string): void => {
    const space = line.indexOf(' ')
    const number = Number(line.slice(1, space))
    const letter = line[0]
    if (letter === undefined || space < 2 || !Number.isSafeInteger(number))
      return end(strange('bytes that are no message'))
    if (letter === 'H' && !hello) {
      hello = true
      started.resolve(null)
    } else if (quiet !== null) {
      // What the last match still had to say is of no interest to anybody.
      if (letter !== 'I') return
      quiet(true)
      quiet = null
    } else if (process.owner === null) {
      end(strange('a message when nothing was asked'))
    } else {
      process.owner.frame({ letter, number, json: line.slice(space + 1) })
    }
  }

  readLines(child.stdout, () => process.owner?.frameBytes ?? idleFrameBytes, {
    line: (line) => {
      if (!ended) receive(line)
    },
    tooLong: (bytes) =>
      end(makeFault('protocol', `The agent wrote more than ${bytes} bytes in one message.`, { stderr })),
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-stderrBytes)
  })
  child.stdin.on('error', () => {
    // The process has ended; its exit says why.
  })
  // However it ended: what it left behind half made must not hold its pipes open.
  child.on('exit', () => endBox(child, group))
  child.on('error', (error) => {
    end(makeFault('host', `The agent's process could not be started: ${error.message}.`))
    if (child.pid === undefined) exited.resolve(undefined)
  })
  // `close` comes when the pipes are empty as well: its last words have been read.
  child.on('close', (code, signal) => {
    end(lastFault() ?? killed(code, signal) ?? (hello ? endOf : stillborn)(code, signal, stderr))
    exited.resolve(undefined)
  })
  return process
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
    return { interrupted: `An agent's process was ended from outside (${name}).` }
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
   * Where it may still be leaving its last match: what to use instead when it does not; null when it has. It can be spoken to
   * at once, and nothing counts before that.
   */
  readonly instead?: Promise<Lease | End | null>
}
