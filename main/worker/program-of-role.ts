import type { ProgramAgent } from '../players/program-player.ts'

/** An unpacked program, with a command for each role or one for all roles. */
export interface ProgramCode extends Omit<ProgramAgent, 'command'> {
  readonly command: readonly string[] | { readonly ofRole: Readonly<Record<string, readonly string[]>> }
}

/** The program with the command for a role. Throws if it has none; contests with such a program are refused before. */
export function programOfRole({ command, ...rest }: ProgramCode, role: string): ProgramAgent {
  if (!('ofRole' in command)) return { ...rest, command }
  const own = command.ofRole[role]
  if (own === undefined) throw new Error(`the program has no command for the role ${role}`)
  return { ...rest, command: own }
}
