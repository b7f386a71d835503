import { z } from 'zod'
import { entrantId, gameId } from './ids.ts'

/**
 * `agent.json` of an agent package. A single .js file needs none: its name is the file's name, its kind `script`, its
 * game the one of the contest it is handed to.
 */
export const agentManifest = z.strictObject({
  name: entrantId,
  game: gameId,
  kind: z.enum(['script', 'program', 'network', 'human']),
  /** script: the file to load, relative to the package. */
  main: z.string().max(255).optional(),
  /** program: the command line, relative to the package. */
  command: z.array(z.string().max(4096)).min(1).max(64).optional(),
})
