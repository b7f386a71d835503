import type { ToolchainName } from '../contract/players/toolchains.ts'
import type { ProgramAgent } from '../players/program-player.ts'

/** An unpacked program, with a command for each role or one for all roles. */
export interface ProgramCode extends Omit<ProgramAgent, 'command'> {
  readonly command: readonly string[] | { readonly ofRole: Readonly<Record<string, readonly string[]>> }
  /** Those that its agent.json names beside its commands. Absent: none. */
  readonly toolchains?: readonly ToolchainName[]
}

/** The program with the command for a role. Throws if it has none; contests with such a program are refused before. */
export function programOfRole({ folder, command, process }: ProgramCode, role: string): ProgramAgent {
  if (!('ofRole' in command)) return { folder, command, process }
  const own = command.ofRole[role]
  if (own === undefined) throw new Error(`the program has no command for the role ${role}`)
  return { folder, command: own, process }
}
