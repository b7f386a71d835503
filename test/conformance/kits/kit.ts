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

/** The commands in the sentences of a page, in order. */
export function commandsOf(page: string): readonly string[] {
  const programs = /`((?:npm|npx|python3|go|javac|g\+\+|rustc|\.\/agent) [^`]+)`/g
  return [
    ...page
      .replaceAll(/^```$.*?^```$/gms, '')
      .replaceAll(/\n */g, ' ')
      .matchAll(programs),
  ].map(([, command]) => command!)
}

/** The commands in the blocks of a page, in order, without the remarks beside them. */
export function listedCommandsOf(page: string): readonly string[] {
  const blocks = [...page.matchAll(/^```\n(.*?)^```$/gms)].map(([, block]) => block!)
  return blocks.flatMap((block) => block.trim().split('\n')).map((line) => line.replace(/ {2,}.*/, ''))
}

/** Commands that wait for somebody or something: a browser, a debugger, a contest elsewhere, a newer kit. */
export const waiting = /^npx tartaglia (serve|submit|update|debug|agent connect)|--inspect-brk/

/** The scripts that npm and npx would run. */
const programs: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^npm test/, [process.execPath, '--test']],
  [/^npx tsc/, [process.execPath, join('node_modules', 'typescript', 'bin', 'tsc')]],
  [/^npx tartaglia/, [process.execPath, 'tartaglia.mjs']],
  [/^python3/, ['python3']],
]

/** Other commands, which a shell runs. */
const ofShells = /^(cp|go|javac|g\+\+|rustc|\.\/agent) /

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
  const [first, ...args] = [...prefix, ...wordsOf(command)]
  const env = { PATH: '/usr/bin:/bin', ...environment, HOME: home, TARTAGLIA_DATA: join(home, 'data') }
  return spawnSync(first!, args, { cwd: home, encoding: 'utf8', env })
}

/** The program and the arguments of a command as it is typed in the folder of a kit. */
export function wordsOf(command: string): readonly string[] {
  if (ofShells.test(command)) return ['sh', '-c', command]
  const found = programs.find(([says]) => says.test(command))
  if (found === undefined) throw new Error(`nobody knows how to type ${command}`)
  const [says, program] = found
  const words = command.replace(says, '').split(' ')
  return [...program, ...words.filter((word) => word !== '')]
}
