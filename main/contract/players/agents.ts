import * as z from 'zod'
import { entrantId, entrantName, gameId, type Sha256 } from '../ids.ts'
import { policyPattern } from '../contests/policy.ts'
import { toolchainName } from './toolchains.ts'

/** Placeholder for a package's hash in contests and histories where a person plays. No package has this hash. */
export const HUMAN: Sha256 = '0'.repeat(64)

/** The same placeholder for an agent that connects from another machine; its package is unknown. */
export const NETWORK: Sha256 = `${'0'.repeat(63)}1`

/** The address of a web application, such as `http://10.0.0.7:8080/anna`, which receives questions and answers them. */
export const webAddress = z
  .string()
  .max(2_000)
  .regex(/^https?:\/\/[^\s?#@%\\]+$/, 'expected an address such as http://10.0.0.7:8080/anna')

/** An argument of a command; it may be empty but cannot contain a zero byte. */
const argument = z
  .string()
  .max(4096)
  .refine((text) => !text.includes('\0'), 'an argument cannot contain a zero byte')
const command = z.array(argument).min(1).max(64)

/** The team and policies of an agent. Fields that its agent.json leaves out can be set when the agent is handed in. */
export const belonging = z.strictObject({
  /** The team's name. One of a team's agents is active under each policy. Absent: the agent is a team of its own. */
  team: entrantName.optional(),
  /** The security policies that it is meant for, such as `["01*"]`; contests under others refuse it. Absent: all. */
  policies: z.array(policyPattern).min(1).max(8).optional(),
})
export type Belonging = z.infer<typeof belonging>

/**
 * The `agent.json` of an agent package. A single .js or .ts file needs none: its name is the file's name, its kind is
 * `script`, and its game is that of the contest for which it is handed in.
 */
export const agentManifest = z
  .strictObject({
    name: entrantId,
    game: gameId,
    kind: z.enum(['script', 'program', 'network', 'human', 'web']),
    /** script: the file to load, relative to the package. */
    main: z.string().max(255).optional(),
    /** program: the command line, run in the package's folder, such as `["python3", "agent.py"]`. */
    command: command.optional(),
    /** program, instead of `command`: a command for each role, for games with several roles. */
    commands: z.record(z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'expected the name of a role'), command).optional(),
    /** program: a command that is run once when the package is handed in; the resulting folder is the agent. */
    build: command.optional(),
    /** program: one process for each match (the default) or one for each move. */
    process: z.enum(['match', 'move']).optional(),
    /** program: packages that it needs on the machine, for the educator; nothing installs them. */
    packages: z.array(z.string().min(1).max(200)).max(200).optional(),
    /** program: toolchains that its commands do not name, such as `["gcc"]` of an agent that `make` builds. */
    toolchains: z.array(toolchainName).max(toolchainName.options.length).optional(),
    /** web: the address of the application. */
    address: webAddress.optional(),
    ...belonging.shape,
    /** An `entrantId` like `name`, because names stored by older versions may have more spaces. */
    team: entrantId.optional(),
  })
  .refine(({ kind, command, commands }) => (kind === 'program') === (command !== undefined || commands !== undefined), {
    path: ['command'],
    message: 'an agent of kind "program" needs a command, and other kinds cannot have one',
  })
  .refine(({ command, commands }) => command === undefined || commands === undefined, {
    path: ['commands'],
    message: 'a program needs either "command" for all roles or "commands", not both',
  })
  .refine(
    ({ kind, build, process, packages, toolchains }) =>
      kind === 'program' || (build ?? process ?? packages ?? toolchains) === undefined,
    {
      path: ['build'],
      message: 'only an agent of kind "program" can have "build", "process", "packages" and "toolchains"',
    },
  )
  .refine(({ kind, address }) => (kind === 'web') === (address !== undefined), {
    path: ['address'],
    message: 'an agent of kind "web" needs an address, and other kinds cannot have one',
  })
export type AgentManifest = z.infer<typeof agentManifest>
