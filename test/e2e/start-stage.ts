import { spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { linkFolder } from '../link-folder.ts'
import { openAccount, type Account } from './desktop/start.ts'

const root = join(import.meta.dirname, '..', '..')

/** The built project, in which only Electron may be another one, and one person's account on this machine. */
export interface StartStage {
  readonly account: Account
  /** Why Chromium cannot be started here as it is for people; null: it can. */
  readonly unfit: string | null
  /** A program that is found before all others; `script` is for sh. */
  program(name: string, script: string): void
  /** An Electron as its npm package leaves it there, of which only the start matters; `script` is for sh. */
  electron(script: string): void
  /** `npm start`, with nothing on the PATH but `program`s, Node and what sh needs. */
  start(env?: Readonly<Record<string, string>>, ...args: readonly string[]): Started
  /** As `start`, by whoever runs the tests. */
  startAsSelf(env: Readonly<Record<string, string>>): Started
  dispose(): Promise<void>
}

export interface Started {
  /** Resolves to what the text or pattern matched in the output so far; rejects when the program ends without it. */
  says(what: RegExp): Promise<RegExpExecArray>
  output(): string
  stop(signal: NodeJS.Signals): void
  /** Exit code. */
  readonly ended: Promise<number | null>
}

export function openStartStage(): StartStage {
  const account = openAccount('/usr/bin/chromium')
  const folder = mkdtempSync(join(tmpdir(), 'tartaglia-start-'))
  chmodSync(folder, 0o755)
  for (const name of ['package.json', 'package-lock.json']) symlinkSync(join(root, name), join(folder, name))
  cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true })
  linkFolder(join(root, 'dist'), join(folder, 'dist'))
  // It is built, and sources may change while it is used.
  writeFileSync(join(folder, 'scripts', 'build.mjs'), 'export const build = async () => false')
  mkdirSync(join(folder, 'node_modules'))
  link(join(root, 'node_modules'), join(folder, 'node_modules'), (name) => name !== 'electron')
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  const system = ['sh', 'cat', 'env', 'uname', 'dirname', 'setpriv', 'bwrap', 'prlimit']
  for (const name of system) {
    const place = ['/usr/bin', '/bin'].map((at) => join(at, name)).find(existsSync)
    if (place !== undefined) symlinkSync(place, join(programs, name))
  }
  const write = (path: string, script: string): void => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `#!/bin/sh\n${script}\n`)
    chmodSync(path, 0o755)
  }
  const all: Started[] = []
  const script = join(folder, 'scripts', 'start.mjs')
  const path = [programs, dirname(process.execPath)].join(delimiter)
  const begin = (
    [command, ...args]: readonly [string, ...string[]],
    env: Readonly<Record<string, string>>,
  ): Started => {
    const started = startProgram([command, ...args], { ...account.env, PATH: path, DISPLAY: '', ...env })
    all.push(started)
    return started
  }
  return {
    account,
    unfit: account.sandboxed && (account.user !== null || process.getuid?.() !== 0) ? null : account.note,
    program: (name, script) => write(join(programs, name), script),
    electron(script) {
      const place = join(folder, 'node_modules', 'electron')
      write(join(place, 'dist', 'electron'), script)
      writeFileSync(join(place, 'package.json'), '{ "version": "45.3.4" }')
      writeFileSync(join(place, 'path.txt'), 'electron')
      writeFileSync(join(place, 'dist', 'version'), '45.3.4')
    },
    start: (env = {}, ...args) => begin(account.command(process.execPath, [script, ...args]), env),
    startAsSelf: (env) => begin([process.execPath, script], env),
    async dispose() {
      for (const { stop } of all) stop('SIGKILL')
      await Promise.all(all.map(({ ended }) => ended))
      account.dispose()
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

function link(from: string, to: string, wanted: (name: string) => boolean): void {
  for (const name of readdirSync(from).filter(wanted)) symlinkSync(join(from, name), join(to, name))
}

/** Starts a program without a terminal, in the folder `cwd`. */
export function startProgram(
  [command, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  cwd?: string,
): Started {
  const child = spawn(command, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  return {
    says: (what) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = what.exec(output)
          if (found !== null) resolve(found)
        }
        child.stdout.on('data', look)
        child.stderr.on('data', look)
        child.on('close', () => reject(new Error(`it ended without saying ${String(what)}:\n${output}`)))
        look()
      }),
    output: () => output,
    stop: (signal) => child.kill(signal),
    ended,
  }
}
