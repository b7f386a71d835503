import { z } from 'zod'

/** What one player may use. Times are wall clock in ms unless they say otherwise; start-up never eats a move's clock. */
export const limits = z.strictObject({
  /** From a cold process to the agent's constructor having returned. */
  startMs: z.int().min(1).max(600_000).default(10_000),
  /** From the question written to the answer read, without what the agent waits for a processor. */
  moveMs: z.int().min(1).max(86_400_000).default(1_000),
  /** Time bank of a seat: so much more for all moves of a match together. Absent: none. */
  bankMs: z.int().min(0).max(86_400_000).exactOptional(),
  /**
   * When the bank is empty, a seat may run out of a move's time so often in a match: each is noted as a fault, and the
   * question gets the move's time once more. Absent: never.
   */
  strikes: z.int().min(0).max(100).exactOptional(),
  /** Resident memory of all of the agent's processes together. */
  memoryMb: z.int().min(32).max(65_536).default(512),
  /** One message from an agent. Twice the most of it fits into a history's longest line. */
  messageBytes: z.int().min(64).max(33_554_432).default(1_048_576),
  /** What a program that is started anew for each move may hand to its next process, as JSON. Absent: STATE_BYTES. */
  stateBytes: z.int().min(64).max(33_554_432).exactOptional(),
  /**
   * Console output that is kept for a match; what is beyond it is counted and dropped. Six times the most of it, which is
   * how JSON writes control characters, fits into a history's longest line.
   */
  consoleBytes: z.int().min(0).max(8_388_608).default(65_536),
})
export type Limits = z.infer<typeof limits>

const { startMs, moveMs, memoryMb, messageBytes, consoleBytes } = limits.shape
/** Limits as a contest file has them: what is left out is the game's to say. */
export const writtenLimits = limits.extend({
  startMs: startMs.unwrap().exactOptional(),
  moveMs: moveMs.unwrap().exactOptional(),
  memoryMb: memoryMb.unwrap().exactOptional(),
  messageBytes: messageBytes.unwrap().exactOptional(),
  consoleBytes: consoleBytes.unwrap().exactOptional(),
})

/** The state of a process a move, where the limits do not say. */
export const STATE_BYTES = 1_048_576

/** An agent that waits for a processor is waited for, up to so many times its limit. */
export const PATIENCE = 60

/** What a seat has beyond the limits of its moves. */
export type LimitAllowance = Pick<Limits, 'bankMs' | 'strikes'>

/** When a referee gives up who keeps silent even about his time-out, in ms: players report their own. */
export const givenUpAfter = (limitMs: number, { bankMs = 0, strikes = 0 }: LimitAllowance = {}): number =>
  (limitMs * (1 + strikes) + bankMs) * PATIENCE + 1_000

/**
 * How agents are held. `bubblewrap`: namespaces, no network, privileges dropped, and Node's permission model inside.
 * `shared`: the same, and one folder that all agents of a match may write to, where its policy lets them attack each other.
 * `permission`: Node's permission model alone; weaker, needs the educator's consent and carries a badge. `none`: nothing.
 */
export const isolationTier = z.enum(['bubblewrap', 'shared', 'permission', 'none'])
export type IsolationTier = z.infer<typeof isolationTier>

/** Tiers in which agents have nothing in common, strongest first: who consents to one consents to those before it. */
export const apartTier = isolationTier.exclude(['shared'])
export type ApartTier = z.infer<typeof apartTier>

/** `frozen`: an agent's Date stands still, so that equal seeds give equal matches. `real`: the machine's clock. */
export const clockMode = z.enum(['frozen', 'real'])
export type ClockMode = z.infer<typeof clockMode>
