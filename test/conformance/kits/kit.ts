import { spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { isCompiledKit, kitNames, type KitName } from '../../../main/contract/players/kits.ts'
import { run } from '../../unit/cli/environment.ts'
import { gamesWithKits } from '../../unit/kits/lessons.ts'

/** The kits whose programs need no compiler. */
export const kits = gamesWithKits.flatMap((game) =>
  kitNames.filter((kit) => !isCompiledKit(kit)).map((kit): [string, KitName] => [game, kit]),
)

/** Writes a kit into a folder, and stands in for `npm install`: what that brings is here already. */
export async function install(game: string, kit: KitName, home: string): Promise<void> {
  const { code, stderr } = await run('kit', kit, '--game', game, '--out', home)
  if (code !== 0) throw new Error(stderr)
  symlinkSync(fileURLToPath(new URL('../../../node_modules', import.meta.url)), join(home, 'node_modules'), 'junction')
}

/** The commands of a page, in order. */
export function commandsOf(page: string): readonly string[] {
  return [...page.replaceAll(/\n */g, ' ').matchAll(/`((?:npm|npx|python3) [^`]+)`/g)].map(([, command]) => command!)
}

/** Commands that wait for somebody or something: a browser, a debugger, a contest elsewhere, a newer kit. */
export const waiting = /^npx tartaglia (serve|submit|update|agent connect)|--inspect-brk/

/** The scripts that npm and npx would run. */
const programs: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^npm test/, [process.execPath, '--test']],
  [/^npx tsc/, [process.execPath, join('node_modules', 'typescript', 'bin', 'tsc')]],
  [/^npx tartaglia/, [process.execPath, 'tartaglia.mjs']],
  [/^python3/, ['python3']],
]

/** The result of a command. */
interface Typed {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs a command of a page where a student has unpacked the kit, with nothing of our environment but the path of Node. `prefix`: the
 * command that starts it, such as one that hides a program.
 */
export function type(
  home: string,
  command: string,
  environment: Readonly<Record<string, string>> = {},
  prefix: readonly string[] = [],
): Typed {
  const found = programs.find(([says]) => says.test(command))
  if (found === undefined) throw new Error(`nobody knows how to type ${command}`)
  const [says, program] = found
  const words = command
    .replace(says, '')
    .split(' ')
    .filter((word) => word !== '')
  const [first, ...args] = [...prefix, ...program, ...words]
  const env = { PATH: '/usr/bin:/bin', ...environment, HOME: home, TARTAGLIA_DATA: join(home, 'data') }
  return spawnSync(first!, args, { cwd: home, encoding: 'utf8', env })
}
