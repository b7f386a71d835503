import type { Fault } from '../../contract/faults.ts'
import type { Sha256 } from '../../contract/ids.ts'
import type { IsolationTier, Limits } from '../../contract/limits.ts'
import type { Player, PlayerEvent } from '../../contract/players/player.ts'
import { startAgentProcess, type AgentProcess, type Lease } from './agent-process.ts'
import { boxLimits, type AgentGroup, type Groups } from '../isolation/groups/group.ts'
import { ownGroups } from '../isolation/groups/detect.ts'
import { noGroups } from '../isolation/groups/none.ts'
import { makeFault, memoryFault } from '../make-fault.ts'
import type { CommonFolder } from '../isolation/launch.ts'
import { createLauncher, type Launcher } from '../isolation/tiers.ts'
import { createWatchdog, type Watchdog, type Watched } from '../watchdog.ts'
import { consoleRoom } from '../printed-output.ts'
import { createPlayer } from '../player-core.ts'
import { ScriptTransport, type ScriptOpening } from './script-transport.ts'
import type { End } from '../transports/transport.ts'

export interface ScriptPoolOptions {
  readonly tier: IsolationTier
  /** A Node 26 binary. */
  readonly nodeBinary: string
  /** dist/host.cjs, built from inside/host.ts. */
  readonly hostFile: string
  /** How many idle processes are kept; the longest idle goes first. */
  readonly warmMax: number
  /** A process is stopped after this many matches... */
  readonly recycleAfter: number
  /** ... and not before it is this many ms old: starting one takes as long as many short matches. 0 by default. */
  readonly recycleMs?: number
  /** ms that a process has to say that it is quiet when its match has ended. A second by default. */
  readonly resetMs?: number
  /** Its agents are ours: see LaunchOptions. */
  readonly trusted?: boolean
  /** The groups that agents run in. Absent: those of this process. */
  readonly groups?: Groups
  /** Called for each process group that agents make, and when it is gone: a process that outlives this one must kill it. */
  readonly onGroup?: (group: number, alive: boolean) => void
}

/**
 * Script agents in processes of their own. A process serves one agent hash only, one seat at a time, so never two seats of
 * one match; it is kept for the next match unless it committed a fault.
 */
export interface ScriptPool {
  /**
   * Seats an agent. `fresh`: in a process that has never played and is stopped after this match; so is every one that has a
   * folder in `common` with the other agents of its match, which the tier `shared` wants. Everything that goes wrong, now or
   * later, is a fault event.
   */
  seat(
    seat: ScriptSeat & { readonly agent: Sha256; readonly fresh?: boolean; readonly common?: CommonFolder | undefined },
  ): Player
  /** Starts one more process ahead of its match. Resolves when it can be used, or has failed: `seat` will say why. */
  warm(agent: Sha256, limits: Limits): Promise<void>
  /** Ends all processes; resolves when the last has exited. Seats taken afterwards get a `host` fault. */
  close(): Promise<void>
}

interface Member {
  /** The agent that it serves, and with how much memory. */
  readonly agentKey: string
  readonly process: AgentProcess
  readonly watched: Watched
  /** In ms of `performance.now()`. */
  readonly startedAt: number
  /** How many matches it has had. */
  matches: number
  /** Resolves to true when it can serve again; a script may still be busy with a message that wanted no answer. */
  quiet: Promise<boolean>
}

interface PoolState {
  readonly options: ScriptPoolOptions
  readonly launcher: Promise<Launcher>
  readonly groups: Groups | Promise<Groups>
  readonly watchdog: Watchdog
  /** All processes that have not exited. */
  readonly members: Set<Member>
  /** Those that wait for their next match, the longest idle first. */
  readonly idle: Set<Member>
  closed: boolean
}

export function createScriptPool(options: ScriptPoolOptions): ScriptPool {
  const { tier, nodeBinary, hostFile, trusted = false } = options
  const pool: PoolState = {
    options,
    launcher: createLauncher(tier, nodeBinary, hostFile, trusted),
    // Our own agents need no limits, and are gone in a moment.
    groups: trusted ? noGroups('its agents are trusted', undefined) : (options.groups ?? ownGroups()),
    watchdog: createWatchdog(),
    members: new Set(),
    idle: new Set(),
    closed: false,
  }
  return {
    seat({ agent, common, fresh = false, ...seat }) {
      const { memoryMb } = seat.limits
      const lease = obtain(pool, { key: keyOf(agent, memoryMb), memoryMb, common }, fresh || common !== undefined)
      return seatScript(lease, seat)
    },
    async warm(agent, { memoryMb }) {
      const member = await start(pool, { key: keyOf(agent, memoryMb), memoryMb })
      if ('kind' in member || (await member.process.started) !== null) return
      if (pool.closed) member.process.kill()
      else rest(pool, member)
    },
    async close() {
      pool.closed = true
      await pool.launcher
      for (const { process } of pool.members) process.fail(poolClosed())
      await Promise.all([...pool.members].map(({ process }) => process.exited))
      pool.watchdog.close()
    },
  }
}

/** The process that a seat needs. */
interface Wanted {
  readonly key: string
  readonly memoryMb: number
  readonly common?: CommonFolder | undefined
}

/** A process for one match: an idle one, unless it must be `fresh`, or a new one. */
async function obtain(pool: PoolState, wanted: Wanted, fresh: boolean): Promise<Lease | Fault> {
  // Taken at once, so that no other seat can have it.
  const warm = fresh ? undefined : takeIdle(pool, wanted.key)
  if (warm !== undefined) {
    const instead = warm.quiet.then((isQuiet) => (isQuiet ? null : obtain(pool, wanted, fresh)))
    return { ...hold(pool, warm, false), instead }
  }
  const made = await start(pool, wanted)
  return 'kind' in made ? made : hold(pool, made, fresh)
}

async function start(pool: PoolState, { key, memoryMb, common }: Wanted): Promise<Member | Fault> {
  const [launchOf, { take }] = await Promise.all([pool.launcher, pool.groups])
  const launch = launchOf(memoryMb, common)
  const { tier, resetMs } = pool.options
  if (pool.closed) return poolClosed()
  if ('missing' in launch) return makeFault('host', `Agents cannot be held in the tier "${tier}": ${launch.missing}.`)
  let process: AgentProcess
  let group: AgentGroup | undefined
  const lastFault = (): Fault | null => (group?.ranOutOfMemory() === true ? memoryFault(memoryMb) : null)
  try {
    group = take(boxLimits(memoryMb))
    process = startAgentProcess(group.enter(launch), { resetMs, group, lastFault })
  } catch (error) {
    // The system may be short of descriptors or memory.
    group?.end()
    return makeFault('host', `The process of an agent could not be started: ${String(error)}`)
  }
  return enlist(pool, key, process, watchedAs(process, group, memoryMb))
}

function watchedAs(process: AgentProcess, group: AgentGroup, memoryMb: number): Watched {
  return {
    pid: process.pid,
    group,
    memoryBytes: memoryMb * 1_048_576,
    busySince: () => process.owner?.busySince() ?? null,
    atRest: () => process.owner?.atRest() ?? false,
    overMemory: () => process.fail(memoryFault(memoryMb)),
  }
}

/** Makes a process a member of the pool until it exits. */
function enlist(pool: PoolState, agentKey: string, process: AgentProcess, watched: Watched): Member {
  const { options, members, idle, watchdog } = pool
  const { pid } = process
  if (pid > 0) options.onGroup?.(pid, true)
  const quiet = Promise.resolve(true)
  const member: Member = { agentKey, process, watched, startedAt: performance.now(), matches: 0, quiet }
  members.add(member)
  watchdog.watch(watched)
  void process.exited.then(() => {
    options.onGroup?.(pid, false)
    members.delete(member)
    idle.delete(member)
    watchdog.unwatch(watched)
  })
  return member
}

/** The agent's process that has been idle for the shortest time. */
function takeIdle({ idle }: PoolState, key: string): Member | undefined {
  let found: Member | undefined
  for (const member of idle) if (member.agentKey === key && member.process.alive) found = member
  if (found !== undefined) idle.delete(found)
  return found
}

/** Keeps a process for its next match, and stops those that have been idle for longest where there are too many. */
function rest({ idle, options }: PoolState, member: Member): void {
  idle.add(member)
  for (const oldest of idle) {
    if (idle.size <= options.warmMax) break
    idle.delete(oldest)
    oldest.process.kill()
  }
}

function hold(pool: PoolState, member: Member, fresh: boolean): Lease {
  const { recycleAfter, recycleMs = 0 } = pool.options
  member.matches += 1
  return {
    process: member.process,
    meter: () => pool.watchdog.meter(member.watched),
    release(reusable) {
      const isWorn = member.matches >= recycleAfter && performance.now() - member.startedAt >= recycleMs
      if (!reusable || pool.closed || isWorn || fresh) {
        member.process.kill()
        return
      }
      member.quiet = member.process.reset()
      rest(pool, member)
    },
  }
}

/** A heap limit is fixed when a process starts. */
const keyOf = (agent: Sha256, memoryMb: number): string => `${agent} ${memoryMb}`

const poolClosed = (): Fault => makeFault('host', 'The match was stopped because its worker is closing.')

/** A script agent and its seat in one match. */
export interface ScriptSeat extends ScriptOpening {
  readonly emit: (event: PlayerEvent) => void
}

/** Seats a script agent in a process that nobody else uses until `release`. A fault instead of one: it cannot be had. */
export function seatScript(lease: Promise<Lease | End>, { emit, ...opening }: ScriptSeat): Player {
  const console = consoleRoom(opening.limits.consoleBytes)
  return createPlayer({ emit, console }, (core) => new ScriptTransport(core, lease, opening)).player
}
