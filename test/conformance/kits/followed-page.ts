import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'
import type { IsolationTier } from '../../../main/contract/limits.ts'
import { isCompiledKit, type KitName } from '../../../main/contract/players/kits.ts'
import { kitTest } from '../../../main/services/agents/kit-code/emitters.ts'
import { packAgent } from '../../../main/services/packages/pack.ts'
import { isLong } from '../../long.ts'
import { run } from '../../unit/cli/environment.ts'
import { compiledLanguages, environment, shell } from './compilers.ts'
import { commandsOf, listedCommandsOf, type, waiting } from './kit.ts'

const savedCase = 'cases/mine.json'
const isSaving = /^npx tartaglia match replay .* --save cases\/mine\.json$/
const isBuild = /^(go build|javac|g\+\+|rustc) /
/** Commands that ask agents, and print nothing else to standard error than how these are isolated. */
const isPlaying = /^npx tartaglia (run|pack|match play|match replay .*--agent|agent check)\b/

/** The refusals of commands that wait for somebody, as the page has them and where no kit is. */
const refusals: readonly (readonly [RegExp, ErrorCode])[] = [
  [/^npx tartaglia submit .*--to ADDRESS/, 'address-invalid'],
  [/^npx tartaglia (submit|update)\b/, 'kit-unavailable'],
  [/^npx tartaglia (agent connect|match replay) /, 'file-unreadable'],
]

/** The commands of the page of a kit, each once: those in sentences, then those in blocks. */
function commandsIn(home: string): readonly string[] {
  const page = readFileSync(join(home, 'README.md'), 'utf8')
  return [...new Set([...commandsOf(page), ...listedCommandsOf(page)])]
}

/** The command of the page of a kit that debugs a move. */
export const debugCommand = (home: string): string =>
  commandsIn(home).find((command) => command.startsWith('npx tartaglia debug --until')) ??
  'no command that debugs a move'

/** Commands of a game's pages that were typed in the kit of a language; in the long form each kit types them all. */
const typed = new Set<string>()

/** In the usual run a command that does not name the language is typed in one kit of the game, but for its tests and the match that is debugged. */
export function isTypedOnce(command: string): boolean {
  const isTyped = isLong || !typed.has(command) || /^npx tartaglia (run|test)$/.test(command)
  typed.add(command)
  return isTyped
}

/** The tier that holds the agents of a kit on a machine that has bubblewrap, or has none. */
export function isolationOf(kit: KitName, hasBubblewrap: boolean): IsolationTier {
  if (hasBubblewrap) return 'bubblewrap'
  return kit === 'javascript' || kit === 'typescript' ? 'permission' : 'none'
}

/** How a page is followed. */
export interface Following {
  readonly kit: KitName
  /** The tier that matches of the agent must name. */
  readonly isolation: IsolationTier
  /** The command that starts each command, such as one that hides a program. */
  readonly prefix?: readonly string[]
  /** False for a command that is left out. A compiled agent is packed in any case, as all later commands take its package. */
  isTyped(command: string): boolean
}

/**
 * Types the commands of the page of a kit in its folder, and expects success of each. A compiled agent is built as it is shipped by its
 * tests and when it is packed; then the folder has its build for debuggers, and its packages are that program. In the usual run the
 * trials are of two matches.
 */
export async function followPage(home: string, game: string, how: Following): Promise<void> {
  const all = commandsIn(home).filter((command) => command !== 'npm install')
  expect(all.length).toBeGreaterThan(isCompiledKit(how.kit) ? 18 : 15)
  const [tests, npmTests] = ['npx tartaglia test', 'npm test']
  const pack = all.find((command) => command.startsWith('npx tartaglia pack --name NAME')) ?? 'no command that packs'
  expect(all).toEqual(expect.arrayContaining([tests, pack, expect.stringMatching(isSaving)]))
  const succeed = (command: string): void => expectSuccess(home, command, how)
  const compiled = compiledLanguages.find(({ kit }) => kit === how.kit)
  let rest = all
  if (compiled !== undefined) {
    // The tests are these commands.
    const ofTests = kitTest(how.kit).split(' && ')
    const builds = all.filter((command) => isBuild.test(command) && !ofTests.includes(command))
    expect(builds).toHaveLength(1)
    if (how.isTyped(tests)) succeed(tests)
    if (builds.every(how.isTyped)) builds.forEach(succeed)
    else shell(home, compiled.build)
    succeed(pack)
    await packBuilt(home, game)
    rest = all.filter((each) => ![tests, pack, ...builds, ...ofTests].includes(each))
  }
  for (const command of rest) {
    if (waiting.test(command)) await expectKnown(command)
    else if (how.isTyped(command)) succeed(shorter(game, command, how.isolation))
  }
  // A saved move is a test that passes.
  const again = all.includes(npmTests) ? npmTests : tests
  if (!how.isTyped(again)) return
  if (compiled === undefined) succeed(again)
  else shell(home, compiled.cases)
}

/** Facts that the output of a command has. */
const outputs: readonly (readonly [RegExp, RegExp])[] = [
  [/ pack /, /fine: It played its match/],
  [/ agent check /, /fine: It played its match/],
  // Seat, agent, rank, score and faults.
  [/ (match play|run)\b/, /^ +0 +\S+ +\d+ +[\d.-]+ +0$/m],
  [/^npm test$/, /pass [1-9]/],
  // The last number is that of faults.
  [/ try\b/, /^ *(baby|old) +(2|50) .* 0$/m],
]

function expectSuccess(home: string, command: string, { isolation, prefix = [] }: Following): void {
  const { status, stdout, stderr } = type(home, command, environment, prefix)
  expect([command, status, stderr, stdout]).toEqual([command, 0, expect.any(String), stdout])
  if (isPlaying.test(command))
    expect([command, stderr]).toEqual([command, isolation === 'bubblewrap' ? '' : expect.stringMatching(/\.\n$/)])
  if (/ (match play|run)\b/.test(command)) expect(stdout).toMatch(new RegExp(`isolation ${isolation}$`, 'm'))
  if (isSaving.test(command)) expect(JSON.parse(readFileSync(join(home, savedCase), 'utf8'))).toBeTypeOf('object')
  for (const [typed, says] of outputs) if (typed.test(command)) expect(stdout).toMatch(says)
}

/** Expects of a command that waits for somebody that the program knows its words. */
async function expectKnown(command: string): Promise<void> {
  // The kits' own window and debugger are begun by other tests.
  if (/^npx tartaglia (serve$|debug( --until 1)?$)/.test(command)) return
  const [, code] = refusals.find(([each]) => each.test(command)) ?? []
  const [own = '', ...program] = command.replace('npx tartaglia ', '').split(' -- ')
  const { stdout } = await run(...own.split(' '), '--json', ...program.flatMap((words) => ['--', ...words.split(' ')]))
  expect([command, JSON.parse(stdout)]).toMatchObject([command, { code }])
}

/** Makes the packages of the folder hold the program that is built there, so that nothing builds it again. */
async function packBuilt(home: string, game: string): Promise<void> {
  const file = join(home, 'agent.json')
  const { build, ...manifest } = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>
  expect(build).toBeDefined()
  writeFileSync(file, JSON.stringify(manifest))
  writeFileSync(join(home, 'agent.zip'), (await packAgent(home, game, 'NAME')).bytes)
}

/** A trial takes two matches, but for one game in the long form, with bubblewrap. */
function shorter(game: string, command: string, isolation: IsolationTier): string {
  const isWhole = isLong && game === 'haggle' && isolation === 'bubblewrap'
  if (!/^npx tartaglia try\b/.test(command) || isWhole) return command
  return command.includes('--matches 50') ? command.replace('--matches 50', '--matches 2') : `${command} --matches 2`
}
