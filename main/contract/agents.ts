import { z } from 'zod'
import { entrantId, entrantName, gameId, type Sha256 } from './ids.ts'
import { policyPattern } from './policy.ts'

/** What a contest and a history name in place of a package where a person plays: the hash of none. */
export const HUMAN: Sha256 = '0'.repeat(64)

/** The same, where an agent connects from another machine: what it is, nobody here has seen. */
export const NETWORK: Sha256 = `${'0'.repeat(63)}1`

/** Of a web application, such as `http://10.0.0.7:8080/anna`; what listens there is asked for the moves. */
export const webAddress = z
  .string()
  .max(2_000)
  .regex(/^https?:\/\/[^\s?#@%\\]+$/, 'expected an address such as http://10.0.0.7:8080/anna')

/** An argument of a command; the empty one is allowed, a zero byte is not. */
const argument = z
  .string()
  .max(4096)
  .refine((text) => !text.includes('\0'), 'no argument holds a zero byte')
const command = z.array(argument).min(1).max(64)

/** What an agent belongs to. Its agent.json says so; what that leaves open, whoever hands the agent in may say. */
export const belonging = z.strictObject({
  /** Whose it is: a name, as the agent has one. Of a team's agents one is active under each policy. Absent: its own. */
  team: entrantName.optional(),
  /** Security policies that it is meant for, such as `["01*"]`; a contest under another one refuses it. Absent: any. */
  policies: z.array(policyPattern).min(1).max(8).optional(),
})
export type Belonging = z.infer<typeof belonging>

/**
 * `agent.json` of an agent package. A single .js or .ts file needs none: its name is the file's name, its kind `script`, its
 * game the one of the contest it is handed to.
 */
export const agentManifest = z
  .strictObject({
    name: entrantId,
    game: gameId,
    kind: z.enum(['script', 'program', 'network', 'human', 'web']),
    /** script: the file to load, relative to the package. */
    main: z.string().max(255).optional(),
    /** program: the command line, in the package's folder, such as `["python3", "agent.py"]`. */
    command: command.optional(),
    /** program, in place of `command`: one for each role, in a game whose seats have several. */
    commands: z.record(z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'expected the name of a role'), command).optional(),
    /** program: a command that is run once, when the package is handed in; what it leaves in the folder is the agent. */
    build: command.optional(),
    /** program: one process a match (which is what is done where this is absent), or one a move. */
    process: z.enum(['match', 'move']).optional(),
    /** web: where the application is. */
    address: webAddress.optional(),
    ...belonging.shape,
    /** As the name: what is stored since earlier days may have more blanks. */
    team: entrantId.optional(),
  })
  .refine(({ kind, command, commands }) => (kind === 'program') === (command !== undefined || commands !== undefined), {
    path: ['command'],
    message: 'a program has a command, and nothing else has one',
  })
  .refine(({ command, commands }) => command === undefined || commands === undefined, {
    path: ['commands'],
    message: 'a program has either "command", for every role, or "commands"',
  })
  .refine(({ kind, build, process }) => kind === 'program' || (build === undefined && process === undefined), {
    path: ['build'],
    message: 'only a program has "build" and "process"',
  })
  .refine(({ kind, address }) => (kind === 'web') === (address !== undefined), {
    path: ['address'],
    message: 'a web application has an address, and nothing else has one',
  })
export type AgentManifest = z.infer<typeof agentManifest>
