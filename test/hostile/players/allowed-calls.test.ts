import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { allowedCalls } from '../../../main/players/isolation/allowed-calls.ts'
import { judgedCalls, pretendedCalls, unsupportedCalls } from '../../../main/players/isolation/judged-calls.ts'
import { seccompFilter } from '../../../main/players/isolation/seccomp.ts'
import { startLaunch } from '../../../main/players/isolation/box-process.ts'
import { machineOf, type BoxUse } from '../../../main/players/isolation/system-calls.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { files } from './seats.ts'

const machine = process.platform === 'linux' ? machineOf(process.arch) : null
const esbuild = fileURLToPath(
  new URL(`../../../node_modules/@esbuild/linux-${process.arch}/bin/esbuild`, import.meta.url),
)
const rust = spawnSync('rustc', ['--print', 'sysroot'], { encoding: 'utf8' }).stdout?.trim()
const folder = temporaryFolder('calls')
chmodSync(folder, 0o777)
cpSync(fileURLToPath(new URL('calls', import.meta.url)), folder, { recursive: true })

/** Not an agent's: programs try these calls and, if they do not exist, use others or go on. */
const doneWithout = [
  ...['clone3', 'io_uring_setup', 'io_uring_enter', 'pidfd_open', 'pkey_alloc', 'fanotify_init', 'membarrier'],
  ...['fadvise64', 'splice', 'timer_create', 'timer_settime', 'timer_delete', 'setpriority', 'memfd_create'],
]
const known = [allowedCalls, judgedCalls, pretendedCalls, unsupportedCalls]
  .flatMap((calls) => Object.keys(calls))
  .concat(doneWithout)

interface Program {
  readonly name: string
  readonly command: readonly string[]
  /** The command that it needs. */
  readonly needs?: readonly string[]
  readonly use?: BoxUse
  /** How its environment differs. */
  readonly env?: Readonly<Record<string, string>>
}

const gcc = ['/usr/bin/gcc', '-O2', '-pthread', 'agent.c', '-o', 'from-gcc']
const rustc = [`${rust}/bin/rustc`, '-O', 'agent.rs', '-o', 'from-rustc']
const javac = ['/usr/bin/javac', 'Agent.java']

const agents: readonly Program[] = [
  { name: 'Node', command: [files.nodeBinary, 'node.mjs'] },
  { name: 'Python', command: ['/usr/bin/python3', 'python.py'] },
  { name: 'Java', command: ['/usr/bin/java', 'Agent'], needs: ['/usr/bin/javac'] },
  { name: 'C, from GCC', command: ['./from-gcc'], needs: ['/usr/bin/gcc'] },
  { name: 'Rust', command: ['./from-rustc'], needs: [rustc[0]!] },
  { name: 'Bash', command: ['/bin/bash', '--norc', '-c', 'while read line; do echo "$line" | cat; done'] },
]
const home = { HOME: folder, PATH: `${rust}/bin:/usr/local/bin:/usr/bin:/bin`, npm_config_update_notifier: 'false' }
const builds: readonly Program[] = [
  { name: 'javac', command: javac },
  { name: 'rustc', command: rustc },
  { name: 'cargo', command: ['cargo', 'build', '--offline'], needs: [`${rust}/bin/cargo`] },
  { name: 'make, gcc and the tools of the shell', command: ['/usr/bin/make', '-B', '-j2'], needs: [gcc[0]!] },
  { name: 'npm', command: ['/usr/bin/npm', 'install', '--offline', '--no-audit', '--install-links'] },
  { name: 'esbuild, a program in Go', command: [esbuild, '--bundle', 'node.mjs', '--platform=node', '--format=esm'] },
].map((build) => ({ ...build, use: 'build' as const, env: home }))

writeFileSync(
  join(folder, 'Cargo.toml'),
  '[package]\nname = "x"\nversion = "0.1.0"\n[[bin]]\nname = "x"\npath = "agent.rs"\n',
)
mkdirSync(join(folder, 'dep'))
writeFileSync(join(folder, 'dep/package.json'), '{ "name": "dep", "version": "1.0.0" }')
writeFileSync(
  join(folder, 'package.json'),
  '{ "dependencies": { "dep": "file:./dep" }, "scripts": { "install": "echo" } }',
)

const isThere = (file: string): boolean => !file.startsWith('/') || existsSync(file)
const missing = ({ command, needs = [] }: Program): boolean =>
  machine === null || ![command[0]!, ...needs].every(isThere)

const canBox = spawnSync('/usr/bin/bwrap', ['--bind', '/', '/', '/bin/true']).status === 0
const canTrace = spawnSync('/usr/bin/strace', ['-o', '/dev/null', '/bin/true']).status === 0

beforeAll(() => {
  for (const [file, ...args] of [gcc, rustc, javac])
    if (existsSync(file!)) expect(spawnSync(file!, args, { cwd: folder }).status).toBe(0)
}, 60_000)

/** The exit code of a program that gets two lines, and what it prints, under the filter and with all files of this machine. */
async function underFilter({ command, use = 'agent', env }: Program): Promise<readonly [code: number, output: string]> {
  const args = ['--dev-bind', '/', '/', '--chdir', folder, '--seccomp', '3', '--', ...command]
  const child = startLaunch({ file: '/usr/bin/bwrap', args, filter: seccompFilter(machine!, use), env: env ?? {} })
  const code = new Promise<number>((resolve) => child.on('close', (status) => resolve(status ?? -1)))
  child.stdin.end('one\ntwo\n')
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  return [await code, use === 'agent' ? output + errors : '']
}

/** The names of the calls that a program makes without a filter. */
async function traced({ command, env }: Program): Promise<readonly string[]> {
  const report = join(folder, 'report')
  const child = spawn('/usr/bin/strace', ['-f', '-qq', '-c', '-U', 'name', '-o', report, ...command], {
    cwd: folder,
    env: env ?? {},
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.stdin.end('one\ntwo\n')
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
  return [...readFileSync(report, 'utf8').matchAll(/^\w+$/gm)]
    .map(([name]) => name)
    .filter((name) => name !== 'syscall' && name !== 'total')
}

describe('programs work under the filter', () => {
  for (const program of [...agents, ...builds])
    test.skipIf(missing(program) || !canBox)(`${program.name} (needs it, and bubblewrap)`, async () => {
      expect(await underFilter(program)).toEqual([0, program.use === 'build' ? '' : 'one\ntwo\n'])
    })
})

describe('the list has every call that programs make', () => {
  for (const program of [...agents, ...builds])
    test.skipIf(missing(program) || !canTrace)(`${program.name} (needs it, and strace)`, async () => {
      const calls = await traced(program)
      // strace has seen it.
      expect(calls).toContain('execve')
      expect(calls.filter((name) => !known.includes(name))).toEqual([])
    })
})
