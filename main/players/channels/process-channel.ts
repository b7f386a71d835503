import type { ChildProcess } from 'node:child_process'
import type { Fault } from '../../contract/faults.ts'
import { endGroup } from '../agent-process.ts'
import { makeFault } from '../make-fault.ts'
import type { Launch } from '../isolation/launch.ts'
import { outputOf, startLaunch } from '../isolation/start.ts'
import { isRunning, descendants } from '../watchdog.ts'
import type { Channel, ChannelEnd, ChannelListener } from './channel.ts'

/** A program's process: its stdin and stdout are the channel. */
export interface ProcessChannel extends Channel {
  /** -1 where it could not be started. */
  readonly pid: number
  /** Ends it for what it did; its listener is told. */
  fail(fault: Fault): void
  /** Resolves when the process has exited and its pipes are closed. */
  readonly exited: Promise<undefined>
}

export interface ProcessChannelOptions {
  /** Nothing inside can signal the process that we start: a signal that ends it came from outside. */
  readonly boxed: boolean
  /** Called when it has ended, after its group was killed: ends what has left the group. */
  readonly sweep?: () => void
}

/** What a program may write to stderr in all: reading it takes time that others need. */
const stderrBytesMax = 67_108_864
/** How long a process may outlive its output, or its output the process, before both are taken for ended. */
const graceMs = 100

/** Starts a program. It is killed with its whole process group, and in a box with everything in it. */
export function processChannel(launch: Launch, { boxed, sweep }: ProcessChannelOptions): ProcessChannel {
  const child = startLaunch(launch)
  const output = outputOf(child)
  const exited = Promise.withResolvers<undefined>()
  let open = true
  let listener: ChannelListener | null = null
  let how: ChannelEnd | null = null
  let grace: NodeJS.Timeout | undefined
  let printed = 0

  const finish = (): void => {
    open = false
    clearTimeout(grace)
    killGroup(child)
    sweep?.()
  }
  const ended = (end: ChannelEnd): void => {
    if (!open) return
    finish()
    listener?.end(end)
  }
  const soon = (): void => {
    grace ??= setTimeout(graceIsOver, graceMs)
  }
  const graceIsOver = (): void => {
    grace = undefined
    // An agent that has ended closed its output before the box around it is taken down: how it ended is still to come.
    if (how === null && launch.ownOutput === true && !hasTenants(child.pid)) soon()
    else ended(how ?? { text: 'closed its output, so that it can answer no more.' })
  }
  const fail = (fault: Fault): void => ended({ text: 'was ended.', fault })

  // A write to a process that has gone fails here; its end is reported by `end`.
  child.stdin.on('error', () => undefined)
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text.length
    if (!open) return
    if (printed > stderrBytesMax)
      fail(makeFault('protocol', `The agent wrote more than ${stderrBytesMax} bytes to stderr.`))
    else listener?.printed(text)
  })
  child.on('error', (error: NodeJS.ErrnoException) => {
    const text = `cannot be run: ${error.message}.`
    // A command that is not there is the agent's own; a system that has no process left is not.
    const own = error.code === 'ENOENT' || error.code === 'EACCES'
    ended(own ? { text } : { text, fault: makeFault('host', `The agent ${text}`) })
    if (child.pid === undefined) exited.resolve(undefined)
  })
  child.on('exit', (code, signal) => {
    how = endOf(code, signal, boxed)
    soon()
    exited.resolve(undefined)
  })
  child.on('close', (code, signal) => ended(endOf(code, signal, boxed)))

  return {
    pid: child.pid ?? -1,
    exited: exited.promise,
    start(to) {
      listener = to
      output.on('data', (chunk: Uint8Array) => {
        if (open) to.data(chunk)
      })
      output.on('end', soon)
    },
    write(bytes) {
      if (open && child.stdin.writable) child.stdin.write(bytes)
    },
    unread: () => child.stdin.writableLength,
    fail,
    close() {
      if (open) finish()
    },
  }
}

const fromOutside: readonly (NodeJS.Signals | null)[] = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']

function endOf(code: number | null, signal: NodeJS.Signals | null, boxed: boolean): ChannelEnd {
  if (signal === null)
    return { text: `ended by itself with exit code ${String(code)}.`, ...(code === null ? {} : { code }) }
  const text = `was ended by ${signal}.`
  return boxed && fromOutside.includes(signal) ? { text, interrupted: `An agent's process ${text}` } : { text }
}

/** Whether anything runs in a box beside the two processes that it is made of. */
function hasTenants(box: number | undefined): boolean {
  return box !== undefined && descendants(box).slice(2).some(isRunning)
}

function killGroup(child: ChildProcess): void {
  child.kill('SIGKILL')
  if (child.pid !== undefined) endGroup(child.pid)
}
