import type { ProgramAgent } from '../players/program-player.ts'

/** A program that is unpacked, with the command of each role or one for all. */
export interface ProgramCode extends Omit<ProgramAgent, 'command'> {
  readonly command: readonly string[] | { readonly ofRole: Readonly<Record<string, readonly string[]>> }
}

/** The program as a seat of this role runs it. Throws where it has no command for it: such a contest is refused. */
export function programOfRole({ command, ...rest }: ProgramCode, role: string): ProgramAgent {
  if (!('ofRole' in command)) return { ...rest, command }
  const own = command.ofRole[role]
  if (own === undefined) throw new Error(`the program has no command for the role ${role}`)
  return { ...rest, command: own }
}
