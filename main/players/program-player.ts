import { randomUUID } from 'node:crypto'
import type { MoveWireHost, Wire } from '../contract/wire.ts'
import type { Json } from '../contract/json.ts'
import { STATE_BYTES, type IsolationTier, type Limits } from '../contract/limits.ts'
import type { Player, PlayerEvent } from '../contract/player.ts'
import { processChannel, type ProcessChannel } from './channels/process-channel.ts'
import { processSource } from './channels/process-source.ts'
import { makeFault } from './make-fault.ts'
import type { CommonFolder, Launch } from './isolation/launch.ts'
import { createProgramLauncher, type ProgramLauncher } from './isolation/program.ts'
import { marker, sweepMarked } from './process-marker.ts'
import { oneMoveWire } from './one-move-wire.ts'
import { createWatchdog, type Watched } from './watchdog.ts'
import { carriedState, wireHost } from './wire-host.ts'
import { wirePlayer } from './wire-player.ts'

/** A program agent, unpacked and ready to be started. */
export interface ProgramAgent {
  /** Absolute; nobody writes into it. */
  readonly folder: string
  readonly command: readonly string[]
  /** One process a match, or one a move. */
  readonly process: 'match' | 'move'
}

/** What it takes to seat a program in one match. */
export interface ProgramSeat {
  readonly program: ProgramAgent
  /** Any text; the program finds it in its environment, so that equal seeds can give equal matches. */
  readonly seed: string
  /** The game's dialogue, for this post or for all bodies of its seat. A process a move needs it only where there is no `moveWire`. */
  readonly wire?: Wire<Json, Json> | undefined
  /** The game's own for a process a move. Absent: `wire`, as JSON lines with a state. */
  readonly moveWire?: ((host: MoveWireHost) => Wire<Json, Json>) | undefined
  readonly limits: Limits
  /** What the agents of the match have in common, which the tier `shared` wants. */
  readonly common?: CommonFolder | undefined
  readonly emit: (event: PlayerEvent) => void
}

export interface ProgramHostOptions {
  readonly tier: IsolationTier
  /** A Node 26 binary, which programs find as `node`. */
  readonly nodeBinary: string
  /** How programs are started. Absent: as the tier says. */
  readonly launcher?: ProgramLauncher
  /** As ScriptPoolOptions.onGroup. */
  readonly onGroup?: (group: number, alive: boolean) => void
}

/** Program agents, each in processes that nobody else uses. */
export interface ProgramHost {
  /** Seats an agent. Everything that goes wrong, now or later, is a fault event. */
  seat(seat: ProgramSeat): Player
  /** Ends all processes; resolves when the last has exited. */
  close(): Promise<void>
}

/** Live processes of one agent: a program that wants more wants to harm. */
const processesMax = 128

export function createProgramHost({ tier, nodeBinary, onGroup, ...options }: ProgramHostOptions): ProgramHost {
  const launcher = Promise.resolve(options.launcher ?? createProgramLauncher(tier, nodeBinary))
  const watchdog = createWatchdog()
  const live = new Set<ProcessChannel>()
  let closed = false

  const start = (
    launch: Launch | { missing: string },
    tag: string,
    { memoryMb }: Limits,
    task: Task,
  ): ProcessChannel => {
    if ('missing' in launch) throw new Error(`programs cannot be held in the tier "${tier}": ${launch.missing}`)
    if (closed) throw new Error('the worker is closing')
    const boxed = tier === 'bubblewrap' || tier === 'shared'
    const channel = processChannel(launch, boxed ? { boxed } : { boxed, sweep: () => sweepMarked(tag) })
    const watched: Watched = {
      pid: channel.pid,
      memoryBytes: memoryMb * 1_048_576,
      busySince: () => task.since,
      // Without the amount: it varies, and the reason of a removal is a part of the outcome.
      overMemory: () =>
        channel.fail(makeFault('memory', `The agent used more than the ${memoryMb} MB of memory that are allowed.`)),
      processes: {
        most: processesMax,
        over: () =>
          channel.fail(
            makeFault('isolation', `The agent ran more than the ${processesMax} processes that are allowed.`),
          ),
      },
    }
    task.watched = watched
    live.add(channel)
    watchdog.watch(watched)
    if (channel.pid > 0) onGroup?.(channel.pid, true)
    void channel.exited.then(() => {
      onGroup?.(channel.pid, false)
      watchdog.unwatch(watched)
      live.delete(channel)
    })
    return channel
  }

  return {
    seat({ program: { folder, command, process }, seed, wire, moveWire, limits, common, emit }) {
      const task: Task = { since: null, watched: null }
      /** Questions that wait, of all bodies. */
      const open = new Set<number>()
      const tag = randomUUID()
      let launch = (): Launch | { missing: string } => ({ missing: 'it was not waited for' })
      const player = wirePlayer({
        ...(process === 'move' ? statefulWire({ wire, moveWire, limits }) : { wire: given(wire) }),
        channels: processSource(() => start(launch(), tag, limits, task), process === 'move' ? 'on-send' : 'never'),
        limits,
        effort: () => (task.watched === null ? null : watchdog.effortSinceTask(task.watched)),
        emit(event) {
          if ((event.type === 'answer' || event.type === 'fault') && event.to !== undefined) {
            open.delete(event.to)
            if (open.size === 0) task.since = null
          }
          emit(event)
        },
      })
      return {
        ...player,
        async ready() {
          const env = { [marker]: tag, TARTAGLIA_SEED: seed }
          const launched = await launcher
          // Each time anew: what the agents have in common may be closed by then.
          launch = () => launched({ folder, command, env, common, endsWithOutput: true })
          await player.ready()
        },
        ask(question, message, limitMs, bank, body) {
          if (open.size === 0) task.since = performance.now()
          open.add(question)
          player.ask(question, message, limitMs, bank, body)
        },
        withdraw(question) {
          open.delete(question)
          player.withdraw(question)
        },
      }
    },
    async close() {
      closed = true
      const ending = [...live]
      for (const channel of ending) {
        channel.fail(makeFault('host', 'The match was ended because its worker is closing.'))
      }
      await Promise.all(ending.map(({ exited }) => exited))
      watchdog.close()
    },
  }
}

/** The dialogue of a process a move, and how much state goes through it. */
function statefulWire({ wire, moveWire, limits }: Pick<ProgramSeat, 'wire' | 'moveWire' | 'limits'>) {
  const { stateBytes = STATE_BYTES } = limits
  const host: MoveWireHost = { ...wireHost(), state: carriedState(stateBytes) }
  return { wire: moveWire?.(host) ?? oneMoveWire(given(wire), host.state), stateBytes }
}

function given(wire: ProgramSeat['wire']): Wire<Json, Json> {
  if (wire === undefined) throw new Error('this game has no dialogue for such programs')
  return wire
}

/** What the watchdog needs to know of a seat. */
interface Task {
  /** When the oldest question that waits was asked. */
  since: number | null
  /** Its newest process. */
  watched: Watched | null
}
