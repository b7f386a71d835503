import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'
import { kitTest } from '../../../main/services/agents/kit-code/emitters.ts'
import { packAgent } from '../../../main/services/packages/pack.ts'
import { isLong } from '../../long.ts'
import { run } from '../../unit/cli/environment.ts'
import { environment, shell, type CompiledLanguage } from './compilers.ts'
import { commandsOf, listedCommandsOf, type, waiting } from './kit.ts'

const tests = 'npx tartaglia test'
const pack = 'npx tartaglia pack --name NAME --out agent.zip'
const savedCase = 'cases/mine.json'
const isSaving = /^npx tartaglia match replay .* --save cases\/mine\.json$/
const isBuild = /^(go build|javac|g\+\+|rustc) /

/** The refusals of commands that wait for somebody, as the page has them and where no kit is. */
const refusals: readonly (readonly [RegExp, ErrorCode])[] = [
  [/^npx tartaglia submit .*--to ADDRESS/, 'address-invalid'],
  [/^npx tartaglia (submit|update)\b/, 'kit-unavailable'],
  [/^npx tartaglia agent connect /, 'file-unreadable'],
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

/**
 * Types the commands of the page of a compiled kit in its folder, and expects success of each. The agent is built as it is shipped by
 * its tests and when it is packed; then the folder has its build for debuggers, and its packages are that program. In the usual run the
 * trials are of two matches, and a command that does not name the language is typed in one kit of the game.
 */
export async function followPage(home: string, game: string, { kit, cases }: CompiledLanguage): Promise<void> {
  const all = commandsIn(home).filter((command) => command !== 'npm install')
  expect(all.length).toBeGreaterThan(18)
  expect(all).toEqual(expect.arrayContaining([tests, pack, expect.stringMatching(isSaving)]))
  // The tests are these commands.
  const ofTests = kitTest(kit).split(' && ')
  const builds = all.filter((command) => isBuild.test(command) && !ofTests.includes(command))
  expect(builds).toHaveLength(1)
  for (const command of [tests, ...builds, pack]) expectSuccess(home, command)
  await packBuilt(home, game)
  for (const command of all.filter((each) => ![tests, pack, ...builds, ...ofTests].includes(each))) {
    if (waiting.test(command)) await expectKnown(command)
    // Its match is the one that is debugged.
    else if (isLong || command === 'npx tartaglia run' || !typed.has(command))
      expectSuccess(home, shorter(game, command))
    typed.add(command)
  }
  // The saved move is a test that passes.
  if (existsSync(join(home, savedCase))) shell(home, cases)
}

/** Facts that the output of a command has. */
const outputs: readonly (readonly [RegExp, RegExp])[] = [
  [/ pack /, /fine: It played its match/],
  [/ agent check /, /fine: It played its match/],
  // Seat, agent, rank, score and faults.
  [/ (match play|run)\b/, /^ +0 +\S+ +\d+ +[\d.-]+ +0$/m],
  // The last number is that of faults.
  [/ try\b/, /^ *baby +(2|50) .* 0$/m],
]

function expectSuccess(home: string, command: string): void {
  const { status, stdout, stderr } = type(home, command, environment)
  expect([command, status, stderr, stdout]).toEqual([command, 0, expect.any(String), stdout])
  if (isSaving.test(command)) expect(existsSync(join(home, savedCase))).toBe(true)
  for (const [typed, says] of outputs)
    if (typed.test(command) && !/old\.zip$/.test(command)) expect(stdout).toMatch(says)
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

/** A trial takes two matches, but for one game in the long form. */
function shorter(game: string, command: string): string {
  if (!/^npx tartaglia try\b/.test(command) || (isLong && game === 'haggle')) return command
  return command.includes('--matches 50') ? command.replace('--matches 50', '--matches 2') : `${command} --matches 2`
}
