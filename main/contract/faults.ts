import { z } from 'zod'

/**
 * The one vocabulary of faults. What a fault costs is the game's rule, except `host`: it voids the match, which is then
 * played again as its next attempt.
 * - crash: the agent threw or its process ended by itself
 * - timeout: no answer within the limit; the agent was at work
 * - stall: no answer within the limit and no CPU time used
 * - memory: more resident memory than allowed
 * - invalid: an answer that the game cannot read
 * - protocol: bytes that are no message at all, or more of them than allowed
 * - isolation: an attempt to leave the box
 * - host: our fault, never the player's
 */
export const faultKind = z.enum(['crash', 'timeout', 'stall', 'memory', 'invalid', 'protocol', 'isolation', 'host'])
export type FaultKind = z.infer<typeof faultKind>

/** `text` is one sentence that a student understands. `stderr` is the tail of what the process wrote there. */
export const fault = z.strictObject({
  kind: faultKind,
  text: z.string().max(4_000),
  tookMs: z.number().min(0).optional(),
  stderr: z.string().max(65_536).optional(),
})
export type Fault = z.infer<typeof fault>
