import { randomUUID } from 'node:crypto'
import type { Fault } from '../contract/faults.ts'
import type { MoveWireHost, Wire } from '../contract/game/wire.ts'
import type { Json } from '../contract/json.ts'
import { STATE_BYTES, type IsolationTier, type Limits } from '../contract/limits.ts'
import type { Player, PlayerEvent } from '../contract/players/player.ts'
import { channelOf, type ProcessChannel, processSource } from './channels/process-channel.ts'
import { boxLimits, startIn, type AgentGroup, type Groups } from './isolation/groups/group.ts'
import { ownGroups } from './isolation/groups/detect.ts'
import type { ToolchainFolders } from './isolation/declared-toolchains.ts'
import { makeFault, memoryFault } from './make-fault.ts'
import type { CommonFolder, Launch } from './isolation/launch.ts'
import { createProgramLauncher, type ProgramLauncher } from './isolation/program.ts'
import { createStarters } from './isolation/spawner/starter.ts'
import { processesAdded, startSpawner, TURNS, type Spawner } from './isolation/spawner/spawner.ts'
import { startProgram } from './isolation/started-program.ts'
import { marker, sweepSoon, sweepWaiting } from './isolation/unboxed.ts'
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
  /** The file of the spawner, if there is one; without it each move of a program makes its own box, and Node starts every program itself. */
  readonly spawner?: string
  /** The declared toolchains. Absent: those that are declared now. */
  readonly declared?: Promise<ToolchainFolders>
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

export function createProgramHost({
  tier,
  nodeBinary,
  onGroup,
  spawner,
  declared,
  ...options
}: ProgramHostOptions): ProgramHost {
  const launcher = Promise.resolve(options.launcher ?? createProgramLauncher(tier, nodeBinary, { spawner, declared }))
  const watchdog = createWatchdog()
  const boxed = tier === 'bubblewrap' || tier === 'shared'
  const live = new Set<ProcessChannel>()
  const starters = createStarters(spawner)
  /** Starts of programs by starters that have not been answered. */
  const beginning = new Set<Promise<unknown>>()
  const spawners = new Set<Spawner>()
  /** False once one has been tried here in vain. */
  let spawnersWork = true
  let closed = false
  const isClosed = (): boolean => closed

  /** Reports the process group of a process until it has exited. */
  const noteGroup = ({ pid, exited }: Pick<ProcessChannel, 'pid' | 'exited'>): void => {
    if (pid > 0) onGroup?.(pid, true)
    void exited.then(() => onGroup?.(pid, false))
  }

  const watch = (channel: ProcessChannel, group: AgentGroup, task: Task, added = 0): Started => {
    const watched = watchedAs(channel, group, task, added)
    live.add(channel)
    watchdog.watch(watched)
    void channel.exited.then(() => {
      watchdog.unwatch(watched)
      live.delete(channel)
    })
    return { channel, watched }
  }

  const optionsIn = (group: AgentGroup, { limits: { memoryMb } }: Task) => ({
    boxed,
    lastFault: (): Fault | null => (group.ranOutOfMemory() ? memoryFault(memoryMb) : null),
  })

  // Looking at every process of the machine takes 2 ms and more.
  const sweepOf =
    ({ ownPids }: Launch, { tag }: Task) =>
    (): void =>
      boxed || ownPids === true ? undefined : sweepSoon(tag)

  const start = async (launch: Launch | { missing: string }, { take }: Groups, task: Task): Promise<Started> => {
    if ('missing' in launch) throw new Error(`programs cannot be held in the tier "${tier}": ${launch.missing}`)
    if (closed) throw closing()
    // A program of this seat that has ended has the same mark.
    sweepWaiting()
    const group = take(boxLimits(task.limits.memoryMb))
    const sweep = sweepOf(launch, task)
    const entering = group.enter(launch)
    const starting = starters.start(entering, group, sweep)
    beginning.add(starting)
    const relayed = await starting
    beginning.delete(starting)
    if (isClosed()) {
      relayed?.end(true)
      group.end()
      throw closing()
    }
    const program = relayed ?? startIn(group, () => startProgram(entering, group, sweep))
    const channel = channelOf(program, optionsIn(group, task))
    noteGroup(channel)
    return watch(channel, group, task)
  }

  /** Starts a spawner in a group of its own; null: this program or this machine has none. */
  const openSpawner = (launch: Launch | { missing: string }, groups: Groups, task: Task): SeatSpawner | null => {
    if (closed || 'missing' in launch || launch.turns === undefined) return null
    sweepWaiting()
    const group = groups.take(boxLimits(task.limits.memoryMb))
    try {
      const sweep = sweepOf(launch, task)
      const spawner = startIn(group, () => startSpawner(group.enter(launch), { boxed, group, sweep }))
      spawners.add(spawner)
      noteGroup(spawner)
      void spawner.exited.then(() => spawners.delete(spawner))
      return { spawner, group }
    } catch {
      // It needs many descriptors at once, of which there may be too few.
      spawnersWork = false
      return null
    }
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
      let own: SeatSpawner | null = null
      /** Nothing more is asked: a spawner that was opened now would stay. */
      let isOver = false
      const inSpawner = async (launched: ProgramLauncher, groups: Groups): Promise<Started | null> => {
        // Without groups, nothing counts what is in the memory of a box that stays.
        if (process !== 'move' || !spawnersWork || (boxed && groups.version === null)) return null
        let program = (await own?.spawner.next()) ?? null
        if (program === null) {
          if (isOver) return null
          own = openSpawner(launched({ folder, command, env, endsWithOutput: true, turns: TURNS }), groups, task)
          if (own === null) return null
          spawnersWork &&= await own.spawner.works
          program = await own.spawner.next()
        }
        if (program === null || own === null) return null
        return watch(channelOf(program, optionsIn(own.group, task)), own.group, task, processesAdded(boxed))
      }
      const startNext = async (): Promise<ProcessChannel> => {
        const [launched, groups] = await Promise.all([launcher, options.groups ?? ownGroups()])
        const started =
          (await inSpawner(launched, groups)) ??
          // Each time anew: what the agents have in common may be closed by then.
          (await start(launched({ folder, command, env, common, endsWithOutput: true }), groups, task))
        watched = started.watched
        return started.channel
      }
      const player: WatchedPlayer = wirePlayer({
        ...(process === 'move' ? statefulWire({ wire, moveWire, limits }) : { wire: given(wire) }),
        unreadableHint: stdoutRule,
        timeoutCause: { stall: waitsForInput },
        channels: processSource(startNext, process === 'move' ? 'on-send' : 'never', () => {
          isOver = true
          own?.spawner.retire()
        }),
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
      const opened = [...spawners]
      for (const spawner of opened) spawner.retire()
      starters.close()
      await Promise.all([...beginning, ...[...ending, ...opened].map(({ exited }) => exited)])
      // The process that closes this host may exit next.
      sweepWaiting()
      watchdog.close()
    },
  }
}

const closing = (): Error => new Error('the worker is closing')

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

/** A spawner of a seat, and the group that it and all that it starts run in. */
interface SeatSpawner {
  readonly spawner: Spawner
  readonly group: AgentGroup
}

interface Started {
  readonly channel: ProcessChannel
  readonly watched: Watched
}

/** `added`: the number of its processes that a spawner has added, which are not the agent's. */
function watchedAs(
  channel: ProcessChannel,
  group: AgentGroup,
  { limits, budget, busySince, atRest }: Task,
  added: number,
): Watched {
  return {
    pid: channel.pid,
    group,
    memoryBytes: limits.memoryMb * 1_048_576,
    busySince,
    atRest,
    budget,
    overMemory: () => channel.fail(memoryFault(limits.memoryMb)),
    processes: {
      most: processesMax + added,
      over: () =>
        channel.fail(makeFault('isolation', `The agent ran more than the ${processesMax} processes that are allowed.`)),
    },
  }
}
