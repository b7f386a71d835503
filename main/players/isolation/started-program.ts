import type { EventEmitter } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { descendants, isRunning } from '../proc.ts'
import { endBox, outputOf, startLaunch } from './box-process.ts'
import type { AgentGroup } from './groups/group.ts'
import type { Launch } from './launch.ts'

/** A program's process, with all that it starts. */
export interface StartedProgram {
  /** The process that was started for it, which may be one around it; undefined: it could not be started. */
  readonly pid: number | undefined
  readonly stdin: Writable
  readonly output: Readable
  readonly stderr: Readable
  /** Emits `error`, `exit` and `close` as a ChildProcess does. */
  readonly events: Pick<EventEmitter<ProcessEvents>, 'on'>
  /**
   * True if it is known that nothing of it runs besides the processes around it, which may end a moment later than its output.
   */
  hasEnded(): boolean
  /** Kills it and all that it has started. `fault`: because of a fault; nothing is started in the same place again. Idempotent. */
  end(fault: boolean): void
}

export interface ProcessEvents {
  error: [error: NodeJS.ErrnoException]
  exit: [code: number | null, signal: NodeJS.Signals | null]
  close: [code: number | null, signal: NodeJS.Signals | null]
}

/** The processes that make up a box. */
const boxProcesses = 2

/** Starts a program in a box of its own, or without one. `sweep` ends processes that left its process group. */
export function startProgram(launch: Launch, group?: AgentGroup, sweep?: () => void): StartedProgram {
  const child = startLaunch(launch)
  const { pid } = child
  return {
    pid,
    stdin: child.stdin,
    output: outputOf(child),
    stderr: child.stderr,
    events: child,
    hasEnded: () => hasEndedIn(launch, pid),
    end() {
      endBox(child, group)
      sweep?.()
    },
  }
}

/** As `StartedProgram.hasEnded`, of a program that was started by this launch as process `pid`. */
export function hasEndedIn({ ownOutput }: Launch, pid: number | undefined): boolean {
  return ownOutput === true && pid !== undefined && !descendants(pid).slice(boxProcesses).some(isRunning)
}
