import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import * as z from 'zod'
import { ExpectedError } from '../../contract/expected-error.ts'
import { resources } from '../machine/resources.ts'

/** The streams and the environment of a program of the kit. */
interface Running {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
  onPrinted(text: Uint8Array): void
  onError(text: Uint8Array): void
}

const manifest = z.looseObject({ scripts: z.looseObject({ test: z.string().min(1) }) })

/** The command of a kit's tests, as its package.json says. Throws ExpectedError `kit-unavailable`. */
export function testsOf(folder: string): string {
  const file = join(folder, 'package.json')
  try {
    return manifest.parse(JSON.parse(readFileSync(file, 'utf8'))).scripts.test
  } catch {
    throw new ExpectedError(
      'usage',
      'kit-unavailable',
      `${folder} has no tests: its package.json names no script "test".`,
    )
  }
}

/** Runs the command of a kit's tests with this program's Node. Resolves to true if they pass. */
export function runTests(folder: string, command: string, running: Running): Promise<boolean> {
  // As npm does; the tests of agents may be run by any program.
  return run(folder, inShell(command), [], { shell: true }, running)
}

/** A command as the shell of a system takes it: on Windows, programs of this folder begin with `.\\`, and `python3` is `python`. */
export const inShell = (command: string, platform: NodeJS.Platform = process.platform): string =>
  platform === 'win32' ? command.replaceAll(/(?<=^|[&|])\s*\.\//g, ' .\\').replace(/^python3 /, 'python ') : command

/** The file of tests in which a saved case is one test, by the languages that Node runs. */
const testFiles = ['agent.test.mjs', 'agent.test.ts'] as const

/** The name of a saved case by what was typed: `first`, `first.json` or `cases/first.json`; null: there is none. */
export function savedCase(folder: string, typed: string): string | null {
  const name = `${basename(typed).replace(/\.json$/, '')}.json`
  return existsSync(join(folder, 'cases', name)) ? name : null
}

/**
 * Runs the test of one saved case under a debugger, which it waits for. Resolves to true if the test passes. Throws ExpectedError
 * `not-supported` if the tests of the kit are not run by Node.
 */
export function debugCase(folder: string, name: string, port: number, running: Running): Promise<boolean> {
  const file = testFiles.find((each) => existsSync(join(folder, each)))
  if (file === undefined)
    throw new ExpectedError(
      'usage',
      'not-supported',
      'Saved cases are debugged in kits for JavaScript and TypeScript: debug the move of a match with --until, or attach as README.md says.',
    )
  const pattern = `^${name.replaceAll(/[^\w]/g, String.raw`\$&`)}$`
  const args = [`--inspect-brk=127.0.0.1:${port}`, `--test-name-pattern=${pattern}`, file]
  return run(folder, resources.node, args, {}, running)
}

function run(
  folder: string,
  command: string,
  args: readonly string[],
  options: { readonly shell?: true },
  { env, signal, onPrinted, onError }: Running,
): Promise<boolean> {
  const path = [dirname(resources.node), env['PATH'] ?? ''].join(delimiter)
  // A group of its own, so that what a shell has started ends with it.
  const isGroup = process.platform !== 'win32'
  const child = spawn(command, args, {
    ...options,
    detached: isGroup,
    cwd: folder,
    env: { ...env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.on('data', onPrinted)
  child.stderr.on('data', onError)
  const end = (): void => {
    if (!isGroup || child.pid === undefined) child.kill()
    else
      try {
        process.kill(-child.pid, 'SIGTERM')
      } catch {
        // The group has ended, and a program that left it holds the streams.
        child.stdout.destroy()
        child.stderr.destroy()
      }
  }
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })
  return new Promise((done, fail) => {
    child.on('error', fail)
    child.on('close', (code) => {
      signal.removeEventListener('abort', end)
      if (signal.aborted) fail(new ExpectedError('stopped', 'stopped', 'The tests were stopped before their end.'))
      else done(code === 0)
    })
  })
}
