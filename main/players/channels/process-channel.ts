import type { Fault } from '../../contract/faults.ts'
import { makeFault } from '../make-fault.ts'
import type { AgentGroup } from '../isolation/groups/group.ts'
import type { Launch } from '../isolation/launch.ts'
import { startProgram, type StartedProgram } from '../isolation/started-program.ts'
import type { ByteChannel, ChannelEnd, ChannelListener, ChannelSource } from './channel.ts'
import { performance } from 'node:perf_hooks'
import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sentence } from '../../contract/sentence.ts'

/** A program's process: its stdin and stdout are the channel. */
export interface ProcessChannel extends ByteChannel {
  /** -1 if it could not be started. */
  readonly pid: number
  /** True while it is closed and its process still has a moment to exit by itself. */
  readonly isParting: boolean
  /** Ends the process because of a fault, which is reported to its listener. */
  fail(fault: Fault): void
  /** Resolves when the process has exited and its pipes are closed. */
  readonly exited: Promise<undefined>
}

export interface ChannelOptions {
  /** No process in the box can signal the process that we start, so a signal that ends it came from outside. */
  readonly boxed: boolean
  /** Called when it has ended: the fault for which the system ended it; null: none. */
  readonly lastFault?: () => Fault | null
}

export interface ProcessChannelOptions extends ChannelOptions {
  /** Called after the process has ended and its group was killed; ends processes that left the group. */
  readonly sweep?: () => void
  /** The group that it runs in, which ends with it. */
  readonly group?: AgentGroup
}

/** The maximum number of bytes that a program may write to stderr; reading them costs time. */
export const stderrBytesMax = 67_108_864
/**
 * How long the process and its output may outlive each other. Then the rest of the box is killed; everything that was
 * written before counts, however late it is read.
 */
const graceMs = 100
/** How long a process may take to read its last messages and to exit, once it is closed. */
const partingMs = 500

/** The state of a program's process. */
interface ProgramState {
  readonly options: ChannelOptions
  readonly program: StartedProgram
  /** True while it is heard and written to. */
  open: boolean
  /** True if it may exit by itself when it is closed. */
  mayPart: boolean
  /** Ends the moment that it has to exit by itself. */
  parting: NodeJS.Timeout | undefined
  listener: ChannelListener | null
  reading: Reading | null
  /** How it exited; null: it has not. */
  how: ChannelEnd | null
  /** Ends the time that the process and its output may outlive each other. */
  grace: NodeJS.Timeout | undefined
  /** Characters that it wrote to stderr. */
  printed: number
}

/** Starts a program. It is killed with its whole process group, in a box with everything inside. */
export function processChannel(launch: Launch, { group, sweep, ...options }: ProcessChannelOptions): ProcessChannel {
  return channelOf(startProgram(launch, group, sweep), options)
}

/** The channel of a program that was started a moment ago. */
export function channelOf(program: StartedProgram, options: ChannelOptions): ProcessChannel {
  const { stdin, output } = program
  const state: ProgramState = {
    ...{ options, program },
    ...{ open: true, mayPart: false, parting: undefined },
    ...{ listener: null, reading: null, how: null, grace: undefined, printed: 0 },
  }
  const exited = watchChild(state)
  return {
    pid: program.pid ?? -1,
    get isParting() {
      return state.parting !== undefined
    },
    exited,
    start(to) {
      state.listener = to
      state.reading = readInTurns(output, (bytes) => {
        if (state.open) to.data(bytes)
      })
      output.on('end', () => endSoon(state))
    },
    write(bytes) {
      if (state.open && stdin.writable) stdin.write(bytes)
    },
    endInput(last) {
      state.mayPart = last
      if (state.open) stdin.end()
    },
    unread: () => stdin.writableLength,
    fail: (fault) => fail(state, fault),
    close() {
      if (!state.open) return
      if (state.mayPart && state.how === null) {
        state.open = false
        state.parting = setTimeout(() => finish(state), partingMs)
      } else finish(state)
    },
  }
}

/** Hears stderr and the end of the process. Resolves when it has exited. */
function watchChild(state: ProgramState): Promise<undefined> {
  const { program, options } = state
  const { pid, stdin, stderr, events } = program
  const exited = Promise.withResolvers<undefined>()
  // Writing to a process that has exited fails here; `end` reports the exit.
  stdin.on('error', () => undefined)
  stderr.setEncoding('utf8').on('data', (text: string) => {
    state.printed += text.length
    if (!state.open) return
    if (state.printed > stderrBytesMax)
      fail(state, makeFault('protocol', `The agent wrote more than ${stderrBytesMax} bytes to stderr.`))
    else state.listener?.printed(text)
  })
  events.on('error', (error) => {
    end(state, failedStart(error))
    if (pid === undefined) exited.resolve(undefined)
  })
  events.on('exit', (code, signal) => {
    state.how = endOf(code, signal, options.boxed)
    endSoon(state)
    exited.resolve(undefined)
  })
  events.on('close', (code, signal) => end(state, endOf(code, signal, options.boxed)))
  return exited.promise
}

function finish(state: ProgramState, isFault = false): void {
  state.open = false
  clearTimeout(state.grace)
  clearTimeout(state.parting)
  state.parting = undefined
  state.program.end(isFault)
}

/** Reports its end, after everything that it has written. */
function end(state: ProgramState, how: ChannelEnd): void {
  if (state.parting !== undefined) finish(state)
  if (!state.open) return
  state.reading?.finish()
  const fault = how.fault ?? state.options.lastFault?.() ?? null
  finish(state, fault !== null)
  state.listener?.end(fault === null ? how : { text: how.text, fault })
}

function fail(state: ProgramState, fault: Fault): void {
  end(state, { text: 'was stopped.', fault })
}

/** The process or its output has ended: waits for the other. The end of one that is closed concerns nobody any more. */
function endSoon(state: ProgramState): void {
  if (state.open) state.grace ??= setTimeout(() => graceIsOver(state), graceMs)
}

function graceIsOver(state: ProgramState): void {
  const { program, how } = state
  state.grace = undefined
  if (how === null) {
    // An agent that exits closes its output before its box is removed: its exit is reported a little later.
    if (program.hasEnded()) endSoon(state)
    else end(state, { text: 'closed its output, so that it can answer no more.' })
    return
  }
  program.end(false)
  // The host may have stood still for the whole grace, with all of the output still in the pipes.
  void readUntilEmpty([program.output, program.stderr]).then(() => end(state, how))
}

/** A missing command is the agent's fault; a system that cannot create processes is not. */
function failedStart({ code, message }: NodeJS.ErrnoException): ChannelEnd {
  const text = sentence(`cannot be run: ${message}`)
  const own = code === 'ENOENT' || code === 'EACCES'
  return own ? { text } : { text, fault: makeFault('host', `The agent ${text}`) }
}

const fromOutside: readonly (NodeJS.Signals | null)[] = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']

function endOf(code: number | null, signal: NodeJS.Signals | null, boxed: boolean): ChannelEnd {
  if (signal === null)
    return { text: `ended by itself with exit code ${String(code)}.`, ...(code === null ? {} : { code }) }
  const text = `was killed by ${signal}.`
  return boxed && fromOutside.includes(signal) ? { text, interrupted: `An agent's process ${text}` } : { text }
}

/**
 * `never`: one process for the match. `on-send`: one process per move. `start` may throw if no agent can be started.
 * `over`: called once, when no more is started.
 */
export function processSource(
  start: () => ByteChannel | Promise<ByteChannel>,
  reopens: 'never' | 'on-send',
  over: () => void = () => undefined,
): ChannelSource {
  let open = true
  const begin = async (up: (channel: ByteChannel) => void): Promise<void> => {
    const channel = await start()
    if (open) up(channel)
    else channel.close()
  }
  return {
    reopens,
    open(up, failed) {
      begin(up).catch((error: unknown) => {
        const text = `could not be started: ${String(error)}`
        failed({ text, fault: makeFault('host', `The agent ${text}`) })
      })
    },
    close() {
      if (open) over()
      open = false
    },
  }
}

/** How long the bytes of one agent may keep others waiting, in ms; and how many are passed on before the next look. */
const turnMs = 1
const sliceBytes = 1_024

/** The reading of a stream. */
interface Reading {
  /** Passes on at once what has been read and waits for its turn. */
  finish(): void
}

/**
 * Passes on the bytes of a stream. Those whose handling takes long, such as a flood of short messages, wait between
 * turns, in which the answers of other agents are read.
 */
export function readInTurns(stream: Readable, take: (bytes: Uint8Array) => void): Reading {
  let rest: Uint8Array = new Uint8Array()
  const pass = (until: number): void => {
    while (rest.length > 0 && performance.now() < until) {
      const slice = rest.subarray(0, sliceBytes)
      rest = rest.subarray(sliceBytes)
      take(slice)
    }
  }
  const turn = (): void => {
    pass(performance.now() + turnMs)
    if (rest.length > 0) setImmediate(turn)
    else stream.resume()
  }
  stream.on('data', (chunk: Uint8Array) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    pass(performance.now() + turnMs)
    if (rest.length === 0 || stream.isPaused()) return
    stream.pause()
    setImmediate(turn)
  })
  return { finish: () => pass(Infinity) }
}

/** Turns of the event loop without a byte after which a pipe counts as empty: each turn reads what has arrived. */
const emptyTurns = 3
/** More than a pipe or a local socket holds: further bytes were written since. */
const leftoverBytesMax = 8_388_608

/**
 * Resolves when everything that was written to these streams before the call has been passed on to their listeners,
 * although a writer that nobody can stop may keep them open. It counts turns of the event loop, not time, so a host that
 * stood still loses nothing.
 */
async function readUntilEmpty(streams: readonly Readable[]): Promise<void> {
  let empty = 0
  let bytes = 0
  const count = (chunk: Uint8Array | string): void => {
    empty = 0
    bytes += chunk.length
  }
  for (const stream of streams) stream.on('data', count)
  const isOpen = ({ readableEnded, destroyed }: Readable): boolean => !readableEnded && !destroyed
  while (empty < emptyTurns && bytes < leftoverBytesMax && streams.some(isOpen)) {
    await nextTurn()
    empty = streams.some((stream) => stream.isPaused()) ? 0 : empty + 1
  }
  for (const stream of streams) stream.off('data', count)
}
