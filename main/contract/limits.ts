import * as z from 'zod'

/**
 * The limits of one player. Times are wall-clock ms unless stated otherwise; start-up time never counts against a move.
 */
export const limits = z.strictObject({
  /** From the start of the process until the agent's constructor has returned. */
  startMs: z.int().min(1).max(600_000).default(10_000),
  /** From writing the question to reading the answer, excluding the time for which the agent waits for a processor. */
  moveMs: z.int().min(1).max(86_400_000).default(1_000),
  /** Time bank of a seat: additional time for all moves of a match together. Absent: none. */
  bankMs: z.int().min(0).max(86_400_000).exactOptional(),
  /**
   * How often in a match a seat may exceed a move's time when its bank is empty: each time is recorded as a fault, and
   * the question gets the move's time once more. Absent: never.
   */
  strikes: z.int().min(0).max(100).exactOptional(),
  /**
   * Steps of each answer of a script: it learns from `remaining()` how many are left, and every call uses one. Absent:
   * STEPS_PER_MS for each ms of moveMs.
   */
  steps: z.int().min(1).max(1_000_000_000).exactOptional(),
  /** Resident memory of all of the agent's processes together. */
  memoryMb: z.int().min(32).max(65_536).default(512),
  /** Maximum size of a message from an agent. Twice the upper bound fits into a history's longest line. */
  messageBytes: z.int().min(64).max(33_554_432).default(1_048_576),
  /** Maximum size of the JSON state that a program started anew for each move passes on. Absent: STATE_BYTES. */
  stateBytes: z.int().min(64).max(33_554_432).exactOptional(),
  /**
   * Console output kept for a match; further output is counted and dropped. Six times the upper bound (the size of
   * control characters in JSON) fits into a history's longest line.
   */
  consoleBytes: z.int().min(0).max(8_388_608).default(65_536),
})
export type Limits = z.infer<typeof limits>

const { startMs, moveMs, memoryMb, messageBytes, consoleBytes } = limits.shape
/** Limits as written in a contest file: the game sets those that are left out. */
export const writtenLimits = limits.extend({
  startMs: startMs.unwrap().exactOptional(),
  moveMs: moveMs.unwrap().exactOptional(),
  memoryMb: memoryMb.unwrap().exactOptional(),
  messageBytes: messageBytes.unwrap().exactOptional(),
  consoleBytes: consoleBytes.unwrap().exactOptional(),
})

/** Steps for each ms of a move; recorded matches without `steps` depend on it. */
const STEPS_PER_MS = 10

/** The steps of each answer of a script. They follow from the recorded limits alone, so that no machine changes them. */
export const stepsOf = ({ steps, moveMs }: Pick<Limits, 'steps' | 'moveMs'>): number => steps ?? moveMs * STEPS_PER_MS

/** The default of `Limits.stateBytes`. */
export const STATE_BYTES = 1_048_576

/** Time that an agent spends waiting for a processor is forgiven, up to this many times its limit. */
export const PATIENCE = 60

/** A seat's allowance beyond the limits of its moves. */
export type LimitAllowance = Pick<Limits, 'bankMs' | 'strikes'>

/** Time in ms after which a referee gives up a player that has not even reported its own time-out. */
export const giveUpAfterMs = (limitMs: number, { bankMs = 0, strikes = 0 }: LimitAllowance = {}): number =>
  (limitMs * (1 + strikes) + bankMs) * PATIENCE + 1_000

/**
 * How agents are isolated. `bubblewrap`: namespaces, no network, privileges dropped, and Node's permission model
 * inside. `shared`: the same with one folder that all agents of a match may write to; only if the policy lets them
 * attack each other. `permission`: Node's permission model alone; weaker, needs the educator's consent and carries a
 * badge. `none`: no isolation.
 */
export const isolationTier = z.enum(['bubblewrap', 'shared', 'permission', 'none'])
export type IsolationTier = z.infer<typeof isolationTier>

/**
 * The version of control groups that agents ran in. With them, everything that an agent makes the kernel hold counts as its
 * memory, and everything that it has ever started as its computing. `none`: kernel memory is estimated or not
 * counted, and processes that end at once are not counted.
 */
export const groupsVersion = z.enum(['v1', 'v2', 'none'])
export type GroupsVersion = z.infer<typeof groupsVersion>

/** Tiers in which agents share nothing, strongest first: consent to one includes consent to the stronger ones. */
export const unsharedTier = isolationTier.exclude(['shared'])
export type ApartTier = z.infer<typeof unsharedTier>

/** `frozen`: an agent's Date stands still, so that equal seeds give equal matches. `real`: the machine's clock. */
export const clockMode = z.enum(['frozen', 'real'])
export type ClockMode = z.infer<typeof clockMode>
