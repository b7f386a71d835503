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
import { createLauncher } from '../isolation/tiers.ts'
import { createWatchdog, type Watched } from '../watchdog.ts'
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
  /** A process is ended after so many matches... */
  readonly recycleAfter: number
  /** ... and not before it is so old: to start one takes as long as many short matches. 0 by default. */
  readonly recycleMs?: number
  /** When a match has ended, its process has so many ms to say that it is quiet. A second by default. */
  readonly resetMs?: number
  /** Its agents are ours: see LaunchOptions. */
  readonly trusted?: boolean
  /** The groups that agents run in. Absent: those of this process. */
  readonly groups?: Groups
  /** Told of each process group that agents make, and when it is gone: whoever outlives this process must end it. */
  readonly onGroup?: (group: number, alive: boolean) => void
}

/**
 * Script agents in processes of their own. A process serves one agent hash only, one seat at a time, so never two seats of
 * one match; it is kept for the next match unless it committed a fault.
 */
export interface ScriptPool {
  /**
   * Seats an agent. `fresh`: in a process that has never played and is ended after this match; so is every one that has a
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
  readonly agentKey: string
  readonly process: AgentProcess
  readonly watched: Watched
  readonly startedAt: number
  matches: number
  /** Whether it can serve again; a script may still be busy with a message that wanted no answer. */
  quiet: Promise<boolean>
}

export function createScriptPool(options: ScriptPoolOptions): ScriptPool {
  const { tier, nodeBinary, hostFile, warmMax, recycleAfter, recycleMs = 0, onGroup } = options
  const launcher = createLauncher(tier, nodeBinary, hostFile, options.trusted)
  // Our own agents need no limits, and are gone in a moment.
  const groups =
    options.trusted === true ? noGroups('its agents are trusted', undefined) : (options.groups ?? ownGroups())
  const watchdog = createWatchdog()
  const members = new Set<Member>()
  /** The longest idle first. */
  const idle = new Set<Member>()
  let closed = false

  const start = async (key: string, memoryMb: number, common?: CommonFolder): Promise<Member | Fault> => {
    const [launchOf, { take }] = await Promise.all([launcher, groups])
    const launch = launchOf(memoryMb, common)
    if (closed) return poolClosed()
    if ('missing' in launch) return makeFault('host', `Agents cannot be held in the tier "${tier}": ${launch.missing}.`)
    let process: AgentProcess
    let group: AgentGroup | undefined
    const lastFault = (): Fault | null => (group?.ranOutOfMemory() === true ? memoryFault(memoryMb) : null)
    try {
      group = take(boxLimits(memoryMb))
      process = startAgentProcess(group.enter(launch), { resetMs: options.resetMs, group, lastFault })
    } catch (error) {
      // The system may be short of descriptors or memory.
      group?.end()
      return makeFault('host', `The process of an agent could not be started: ${String(error)}`)
    }
    if (process.pid > 0) onGroup?.(process.pid, true)
    const watched: Watched = {
      pid: process.pid,
      group,
      memoryBytes: memoryMb * 1_048_576,
      busySince: () => process.owner?.busySince() ?? null,
      atRest: () => process.owner?.atRest() ?? false,
      overMemory: () => process.fail(memoryFault(memoryMb)),
    }
    const member: Member = {
      agentKey: key,
      process,
      watched,
      startedAt: performance.now(),
      matches: 0,
      quiet: Promise.resolve(true),
    }
    members.add(member)
    watchdog.watch(watched)
    void process.exited.then(() => {
      onGroup?.(process.pid, false)
      members.delete(member)
      idle.delete(member)
      watchdog.unwatch(watched)
    })
    return member
  }

  const takeIdle = (key: string): Member | undefined => {
    let found: Member | undefined
    for (const member of idle) if (member.agentKey === key && member.process.alive) found = member
    if (found !== undefined) idle.delete(found)
    return found
  }

  const rest = (member: Member): void => {
    idle.add(member)
    for (const oldest of idle) {
      if (idle.size <= warmMax) break
      idle.delete(oldest)
      oldest.process.kill()
    }
  }

  const hold = (member: Member, fresh: boolean): Lease => {
    member.matches += 1
    return {
      process: member.process,
      meter: () => watchdog.meter(member.watched),
      release(reusable) {
        const worn = member.matches >= recycleAfter && performance.now() - member.startedAt >= recycleMs
        if (!reusable || closed || worn || fresh) {
          member.process.kill()
          return
        }
        member.quiet = member.process.reset()
        rest(member)
      },
    }
  }

  const obtain = async (
    key: string,
    memoryMb: number,
    fresh: boolean,
    common?: CommonFolder,
  ): Promise<Lease | Fault> => {
    // Taken at once, so that no other seat can have it.
    const warm = fresh ? undefined : takeIdle(key)
    if (warm !== undefined) {
      const instead = warm.quiet.then((is) => (is ? null : obtain(key, memoryMb, fresh)))
      return { ...hold(warm, false), instead }
    }
    const made = await start(key, memoryMb, common)
    return 'kind' in made ? made : hold(made, fresh)
  }

  return {
    seat({ agent, common, fresh = false, ...seat }) {
      const { memoryMb } = seat.limits
      const key = keyOf(agent, memoryMb)
      return seatScript(obtain(key, memoryMb, fresh || common !== undefined, common), seat)
    },
    async warm(agent, { memoryMb }) {
      const member = await start(keyOf(agent, memoryMb), memoryMb)
      if ('kind' in member || (await member.process.started) !== null) return
      if (closed) member.process.kill()
      else rest(member)
    },
    async close() {
      closed = true
      await launcher
      for (const { process } of members) process.fail(poolClosed())
      await Promise.all([...members].map(({ process }) => process.exited))
      watchdog.close()
    },
  }
}

/** A heap limit is fixed when a process starts. */
const keyOf = (agent: Sha256, memoryMb: number): string => `${agent} ${memoryMb}`

const poolClosed = (): Fault => makeFault('host', 'The match was ended because its worker is closing.')

/** What it takes to seat a script agent in one match. */
export interface ScriptSeat extends ScriptOpening {
  readonly emit: (event: PlayerEvent) => void
}

/** Seats a script agent in a process that nobody else uses until `release`. A fault instead of one: it cannot be had. */
export function seatScript(lease: Promise<Lease | End>, { emit, ...opening }: ScriptSeat): Player {
  const console = consoleRoom(opening.limits.consoleBytes)
  return createPlayer({ emit, console }, (core) => new ScriptTransport(core, lease, opening)).player
}
