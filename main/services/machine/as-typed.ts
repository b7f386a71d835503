import { existsSync } from 'node:fs'
import { platform } from 'node:process'
import type { Launch } from '../../players/isolation/launch.ts'
import type { ProgramLaunch, ProgramLauncher } from '../../players/isolation/program.ts'
import { resources } from './resources.ts'

/** Runs programs with the permissions and the environment of the person who started this command. */
export const asTyped: ProgramLauncher = (program) => asTypedWith(resources.spawner, program)

/** The same with this spawner, if there is one. */
export const asTypedWith = (
  spawner: string | undefined,
  { folder, command: [file = '', ...args], env, turns }: ProgramLaunch,
): Launch => {
  const own = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  const place = { cwd: folder, env: { ...Object.fromEntries(own), ...env } }
  const spawns = turns !== undefined && spawner !== undefined && platform === 'linux' && existsSync(spawner)
  if (!spawns) return { file, args, ...place }
  const words = ['plain', String(turns), String(wrapper.length), ...wrapper, file, ...args]
  return { file: spawner, args: words, ...place, turns }
}

/** A command that cannot be executed is left to the shell, which says why. */
const wrapper = ['/bin/sh', '-c', 'exec "$@"', 'sh']
