import type { ProgramLauncher } from '../../players/isolation/program.ts'

/** Runs programs with the permissions and the environment of the person who started this command. */
export const asTyped: ProgramLauncher = ({ folder, command: [file = '', ...args], env }) => {
  const own = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return { file, args, cwd: folder, env: { ...Object.fromEntries(own), ...env } }
}
