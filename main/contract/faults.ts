import * as z from 'zod'

/**
 * The kinds of faults, the same for all games. The game's rules decide what a fault costs, except `host`: it voids the
 * match, which is then played again as its next attempt.
 * - crash: the agent threw an error or its process exited
 * - timeout: no answer within the limit while the agent used CPU time
 * - stall: no answer within the limit and no CPU time used
 * - memory: more resident memory than allowed
 * - invalid: an answer that the game cannot read
 * - protocol: bytes that are not a message, or a message larger than allowed
 * - isolation: an attempt to escape the isolation
 * - host: a failure of the host, never of the player
 */
export const faultKind = z.enum(['crash', 'timeout', 'stall', 'memory', 'invalid', 'protocol', 'isolation', 'host'])
export type FaultKind = z.infer<typeof faultKind>

/** `text` is one sentence for the student. `stderr` is the end of what the process wrote to standard error. */
export const fault = z.strictObject({
  kind: faultKind,
  text: z.string().max(4_000),
  tookMs: z.number().min(0).optional(),
  stderr: z.string().max(65_536).optional(),
})
export type Fault = z.infer<typeof fault>
