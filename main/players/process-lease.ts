import type { AgentProcess } from './agent-process.ts'
import type { Meter } from './time-limit.ts'
import type { End } from './transports/transport.ts'

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
