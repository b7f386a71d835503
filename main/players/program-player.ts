import { randomUUID } from 'node:crypto'
import type { Fault } from '../contract/faults.ts'
import type { MoveWireHost, Wire } from '../contract/game/wire.ts'
import type { Json } from '../contract/json.ts'
import { STATE_BYTES, type IsolationTier, type Limits } from '../contract/limits.ts'
import type { Player, PlayerEvent } from '../contract/players/player.ts'
import { processChannel, type ProcessChannel, processSource } from './channels/process-channel.ts'
import { boxLimits, startIn, type AgentGroup, type Groups } from './isolation/groups/group.ts'
import { ownGroups } from './isolation/groups/detect.ts'
import { makeFault, memoryFault } from './make-fault.ts'
import type { CommonFolder, Launch } from './isolation/launch.ts'
import { createProgramLauncher, type ProgramLauncher } from './isolation/program.ts'
import { marker, sweepMarked } from './isolation/unboxed.ts'
import { oneMoveWire } from './wires/one-move-wire.ts'
import type { WatchedPlayer } from './player-core.ts'
import { seatBudget, type SeatBudget } from './printed-output.ts'
import { createWatchdog, type Watched } from './watchdog.ts'
import { carriedState, wireHost } from './wires/wire-host.ts'
import { wirePlayer } from './wire-player.ts'

/** A program agent, unpacked and ready to be started. */
export interface ProgramAgent {
  /** Absolute; nobody writes into it. */
  readonly folder: string
  readonly command: readonly string[]
  /** One process a match, or one a move. */
  readonly process: 'match' | 'move'
}

/** A program and its seat in one match. */
export interface ProgramSeat {
  readonly program: ProgramAgent
  /** Any text; the program finds it in its environment, so that equal seeds can give equal matches. */
  readonly seed: string
  /** The game's dialogue, for this post or for all bodies of its seat. A process a move needs it only where there is no `moveWire`. */
  readonly wire?: Wire<Json, Json> | undefined
  /** The game's own for a process a move. Absent: `wire`, as JSON lines with a state. */
  readonly moveWire?: ((host: MoveWireHost) => Wire<Json, Json>) | undefined
  readonly limits: Limits
  /** The shared folder of the match, for the tier `shared`. */
  readonly common?: CommonFolder | undefined
  /** The budget that it shares with the other bodies of its seat. Absent: it has its own. */
  readonly budget?: SeatBudget
  readonly emit: (event: PlayerEvent) => void
}

export interface ProgramHostOptions {
  readonly tier: IsolationTier
  /** A Node 26 binary, which programs find as `node`. */
  readonly nodeBinary: string
  /** How programs are started. Absent: as the tier says. */
  readonly launcher?: ProgramLauncher
  /** The groups that agents run in. Absent: those of this process. */
  readonly groups?: Groups
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

/** Most lines that are not messages were printed for people. */
const stdoutRule =
  'Standard output belongs to the protocol: print to standard error instead (in Python: print(..., file=sys.stderr)).'

/** A program that neither computes nor answers. */
const waitsForInput =
  'It was waiting: a program reads one message after the other, answers each at once and flushes its output (in Python: print(..., flush=True)).'

/** Live processes of one agent: a program that wants more wants to harm. */
const processesMax = 128

export function createProgramHost({ tier, nodeBinary, onGroup, ...options }: ProgramHostOptions): ProgramHost {
  const launcher = Promise.resolve(options.launcher ?? createProgramLauncher(tier, nodeBinary))
  const watchdog = createWatchdog()
  const live = new Set<ProcessChannel>()
  let closed = false

  const start = (launch: Launch | { missing: string }, { take }: Groups, task: Task): Started => {
    if ('missing' in launch) throw new Error(`programs cannot be held in the tier "${tier}": ${launch.missing}`)
    if (closed) throw new Error('the worker is closing')
    const boxed = tier === 'bubblewrap' || tier === 'shared'
    const { memoryMb } = task.limits
    const group = take(boxLimits(memoryMb))
    const lastFault = (): Fault | null => (group.ranOutOfMemory() ? memoryFault(memoryMb) : null)
    // Looking at every process of the machine takes 2 ms and more.
    const sweep = (): void => (boxed || launch.ownPids === true ? undefined : sweepMarked(task.tag))
    const channel = startIn(group, () => processChannel(group.enter(launch), { boxed, sweep, group, lastFault }))
    const watched = watchedAs(channel, group, task)
    live.add(channel)
    watchdog.watch(watched)
    if (channel.pid > 0) onGroup?.(channel.pid, true)
    void channel.exited.then(() => {
      onGroup?.(channel.pid, false)
      watchdog.unwatch(watched)
      live.delete(channel)
    })
    return { channel, watched }
  }

  return {
    seat({ program, seed, wire, moveWire, limits, budget = seatBudget(limits), common, emit }) {
      const { folder, command, process } = program
      const task: Task = {
        tag: randomUUID(),
        limits,
        budget,
        busySince: () => player.busySince(),
        atRest: () => player.atRest(),
      }
      const env = { [marker]: task.tag, TARTAGLIA_SEED: seed }
      /** Its newest process. */
      let watched: Watched | null = null
      const startNext = async (): Promise<ProcessChannel> => {
        const [launched, groups] = await Promise.all([launcher, options.groups ?? ownGroups()])
        // Each time anew: what the agents have in common may be closed by then.
        const started = start(launched({ folder, command, env, common, endsWithOutput: true }), groups, task)
        watched = started.watched
        return started.channel
      }
      const player: WatchedPlayer = wirePlayer({
        ...(process === 'move' ? statefulWire({ wire, moveWire, limits }) : { wire: given(wire) }),
        unreadableHint: stdoutRule,
        timeoutCause: { stall: waitsForInput },
        channels: processSource(startNext, process === 'move' ? 'on-send' : 'never'),
        limits,
        budget,
        meter: () => (watched === null ? () => null : watchdog.meter(watched)),
        emit,
      })
      return player
    },
    async close() {
      closed = true
      const ending = [...live]
      for (const channel of ending) {
        if (!channel.isParting) channel.fail(makeFault('host', 'The match was stopped because its worker is closing.'))
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

/** The task of a seat's processes. */
interface Task {
  /** By which those are found that have left their process group. */
  readonly tag: string
  readonly limits: Limits
  readonly budget: SeatBudget
  readonly busySince: () => number | null
  readonly atRest: () => boolean
}

interface Started {
  readonly channel: ProcessChannel
  readonly watched: Watched
}

function watchedAs(channel: ProcessChannel, group: AgentGroup, { limits, budget, busySince, atRest }: Task): Watched {
  return {
    pid: channel.pid,
    group,
    memoryBytes: limits.memoryMb * 1_048_576,
    busySince,
    atRest,
    budget,
    overMemory: () => channel.fail(memoryFault(limits.memoryMb)),
    processes: {
      most: processesMax,
      over: () =>
        channel.fail(makeFault('isolation', `The agent ran more than the ${processesMax} processes that are allowed.`)),
    },
  }
}
