import type { Readable, Writable } from 'node:stream'
import { endBox, startLaunch } from '../box-process.ts'
import type { AgentGroup } from '../groups/group.ts'
import { descendants, isRunning } from '../../proc.ts'
import type { Launch } from '../launch.ts'
import type { StartedProgram } from '../started-program.ts'
import { exitOf, readReports, RelayedProgram, type ProgramPipes } from './relayed-program.ts'

/**
 * A process of ours that stays and starts a program anew for each move: in a box that stays with it, or without one. The
 * leftovers of a program are gone before the next one starts; if that is not certain, all ends and nothing more is started.
 */
export interface Spawner {
  /** The process around it; -1: it could not be started. */
  readonly pid: number
  /** Resolves to whether it works on this machine, once it has tried. */
  readonly works: Promise<boolean>
  /** Starts the program when the one before has ended; null: this spawner starts no more. */
  next(): Promise<StartedProgram | null>
  /** Ends it with everything that it has started, at once. Idempotent. */
  end(): void
  /** Ends it as soon as no program of it runs. */
  retire(): void
  /** Resolves when it has exited. */
  readonly exited: Promise<undefined>
}

/** How many processes a spawner starts: each needs three descriptors from the beginning, and an agent may have 256. */
export const TURNS = 24

/** A killed program is gone after a few milliseconds; a box in which one is not is ended. */
const endingMs = 500

/** One that has said nothing for so long is done without: on the busiest machine a box takes a few seconds. */
const readyMs = 30_000

/** The two that make up a box, the spawner, and the first process of a program. */
const processesAround = 4

/** How many processes a spawner adds to those of a program and of a box of its own. */
export const processesAdded = (boxed: boolean): number => (boxed ? 2 : 1)

/** The state of a spawner. */
interface SpawnerState {
  /** How many processes there are while no program runs. */
  readonly around: number
  readonly child: ReturnType<typeof startLaunch>
  readonly group: AgentGroup
  readonly sweep: () => void
  readonly turns: number
  readonly ready: PromiseWithResolvers<boolean>
  readonly silence: NodeJS.Timeout
  started: number
  running: Turn | null
  /** Nothing more is started. */
  retired: boolean
  /** Everything was killed. */
  ended: boolean
  /** Wait for the end of the program that runs. */
  waiting: (() => void)[]
}

interface SpawnerOptions {
  /** True if the spawner and its programs are in a box. */
  readonly boxed: boolean
  /** The group that all run in, which ends with the spawner. */
  readonly group: AgentGroup
  /** Ends processes that left its process group. */
  readonly sweep: () => void
}

/** Starts a spawner; the launch says for how many `turns`. */
export function startSpawner(launch: Launch, { boxed, group, sweep }: SpawnerOptions): Spawner {
  const child = startLaunch(launch)
  const exited = Promise.withResolvers<undefined>()
  const state: SpawnerState = {
    ...{
      child,
      group,
      sweep,
      around: boxed ? processesAround : 1,
      turns: launch.turns ?? 0,
      ready: Promise.withResolvers<boolean>(),
      silence: setTimeout(() => {
        state.ready.resolve(false)
        end(state)
      }, readyMs),
    },
    ...{ started: 0, running: null, retired: false, ended: false, waiting: [] },
  }
  // Its own words, if it does not work, help nobody: programs are then started as if there were none.
  child.stderr.resume()
  child.stdin.on('error', () => undefined)
  readReports(child.stdout, (words) => hear(state, words))
  child.on('error', (error) => {
    state.running?.fail(error)
    lost(state, null, null)
    if (child.pid === undefined) exited.resolve(undefined)
  })
  child.on('exit', (code, signal) => {
    lost(state, code, signal)
    exited.resolve(undefined)
  })
  return {
    pid: child.pid ?? -1,
    works: state.ready.promise,
    exited: exited.promise,
    next: () => next(state),
    end: () => end(state),
    retire() {
      state.retired = true
      if (state.running === null) end(state)
    },
  }
}

async function next(state: SpawnerState): Promise<StartedProgram | null> {
  await state.ready.promise
  while (state.running !== null) await new Promise<void>((resolve) => state.waiting.push(resolve))
  if (state.retired || state.ended) return null
  const { child, started } = state
  const [stdin, output, stderr] = child.stdio.slice(4 + 3 * started, 7 + 3 * started) as unknown as Streams
  state.started += 1
  if (state.started === state.turns) state.retired = true
  const turn = new Turn({ stdin, output, stderr }, state.around, child.pid, (gently) => {
    if (gently) child.stdin.write('k')
    else end(state)
  })
  state.running = turn
  child.stdin.write('s')
  return turn
}

function hear(state: SpawnerState, [word, code, signal, rest]: readonly string[]): void {
  if (word === 'ready') {
    clearTimeout(state.silence)
    state.ready.resolve(true)
  }
  if (word !== 'over' || state.running === null) return
  const turn = state.running
  state.running = null
  // A group whose memory ran out tells of it for ever.
  if (rest !== 'clean' || state.retired || state.group.ranOutOfMemory()) end(state)
  turn.over(...exitOf(Number(code), Number(signal)))
  wake(state)
}

/** The spawner has exited: so has the program that ran. */
function lost(state: SpawnerState, code: number | null, signal: NodeJS.Signals | null): void {
  const turn = state.running
  state.running = null
  // One that was ended before it was ready has shown nothing.
  state.ready.resolve(state.ended)
  end(state)
  turn?.over(code, signal)
  wake(state)
}

function end(state: SpawnerState): void {
  if (state.ended) return
  state.ended = true
  clearTimeout(state.silence)
  endBox(state.child, state.group)
  state.sweep()
  // Those of the programs that were not started.
  for (const stream of state.child.stdio.slice(4 + 3 * state.started)) stream?.destroy()
}

function wake(state: SpawnerState): void {
  const waiting = state.waiting
  state.waiting = []
  for (const resolve of waiting) resolve()
}

type Streams = readonly [stdin: Writable, output: Readable, stderr: Readable]

/** A program that a spawner has started. */
class Turn extends RelayedProgram {
  readonly #around: number
  readonly #kill: (gently: boolean) => void
  #late: NodeJS.Timeout | undefined

  /** `kill`: ends it; gently: only it, and its spawner remains. */
  constructor(pipes: ProgramPipes, around: number, pid: number | undefined, kill: (gently: boolean) => void) {
    super(pid, pipes)
    this.#around = around
    this.#kill = kill
  }

  hasEnded(): boolean {
    return this.pid !== undefined && !descendants(this.pid).slice(this.#around).some(isRunning)
  }

  end(fault: boolean): void {
    if (this.isOver || this.#late !== undefined) return
    this.#kill(!fault)
    this.#late = setTimeout(() => this.#kill(false), endingMs)
  }

  override over(code: number | null, signal: NodeJS.Signals | null): void {
    clearTimeout(this.#late)
    super.over(code, signal)
  }
}
