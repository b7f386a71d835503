import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { isRunning } from '../../../main/players/proc.ts'
import { limits } from '../../../main/contract/limits.ts'
import type { Launch } from '../../../main/players/isolation/launch.ts'
import type { ProgramLaunch } from '../../../main/players/isolation/program.ts'
import { createStarters, type Starters } from '../../../main/players/isolation/spawner/starter.ts'
import type { StartedProgram } from '../../../main/players/isolation/started-program.ts'
import { createProgramHost, type ProgramHost } from '../../../main/players/program-player.ts'
import { wire } from '../../../main/referees/specker/language/wire.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { openEar } from './ear.ts'

const sh = (script: string, more: Partial<Launch> = {}): Launch => ({ file: '/bin/sh', args: ['-c', script], ...more })

function opened(file: string | undefined = resources.spawner): Starters {
  const starters = createStarters(file)
  onTestFinished(() => starters.close())
  return starters
}

interface Ended {
  readonly output: string
  readonly errors: string
  readonly end: readonly [number | null, string | null]
}

function ended(program: StartedProgram): Promise<Ended> {
  const end = new Promise<readonly [number | null, string | null]>((resolve) =>
    program.events.on('close', (code, signal) => resolve([code, signal])),
  )
  return Promise.all([text(program.output), text(program.stderr), end]).then(([output, errors, end]) => ({
    ...{ output, errors, end },
  }))
}

/** Runs a program to its end; throws if the starter does not start it. */
async function run(starters: Starters, launch: Launch, input = ''): Promise<Ended> {
  const program = await starters.start(launch)
  if (program === null) throw new Error('it was not started')
  program.stdin.end(input)
  return ended(program)
}

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`) && isRunning(pid)
const pidsIn = (output: string): number[] => output.trim().split(/\s+/).map(Number)

describe.skipIf(!existsSync(resources.spawner))('a starter (needs Linux and a C compiler)', () => {
  test('gives a program its input, output, folder, environment and nothing else', async () => {
    const starters = opened()
    const script = 'cat; pwd; env | sort; echo /proc/self/fd/*; echo said >&2'
    const folder = temporaryFolder('starter')
    const launch = sh(script, { cwd: folder, env: { PATH: '/usr/bin:/bin', NAME: 'a b' } })
    const { output, errors, end } = await run(starters, launch, 'given\n')
    const lines = output.split('\n')
    expect(lines).toEqual(expect.arrayContaining(['given', folder, 'NAME=a b']))
    expect(lines.filter((line) => line.includes('TARTAGLIA') || line.startsWith('HOME='))).toEqual([])
    // The shell reads the folder by one more.
    expect(lines.at(-2)).toMatch(/^\/proc\/self\/fd\/0 \S*\/1 \S*\/2( \S*\/3)?$/)
    expect([errors, end]).toEqual(['said\n', [0, null]])
  })

  test('gives an own output as 4 and the filter as 3', async () => {
    const filter = new Uint8Array(20_000).map((_, at) => at % 251)
    const script = 'place=$(readlink /proc/$$/fd/1); cat <&3 | cksum >&4; echo lost; echo $place >&4'
    const { output } = await run(opened(), sh(script, { ownOutput: true, filter }))
    const counted = spawnSync('cksum', { input: filter, encoding: 'utf8' }).stdout
    expect(output).toBe(`${counted}/dev/null\n`)
  })

  test('tells how a program ended', async () => {
    const starters = opened()
    expect((await run(starters, sh('exit 7'))).end).toEqual([7, null])
    expect((await run(starters, sh('kill -SEGV $$'))).end).toEqual([null, 'SIGSEGV'])
    const found = await run(starters, { file: 'echo', args: ['found'], env: { PATH: '/usr/bin:/bin' } })
    expect(found.output).toBe('found\n')
  })

  test('starts many, side by side and one after the other', async () => {
    const starters = opened()
    const numbers = Array.from({ length: 100 }, (_, at) => at)
    const all = await Promise.all(numbers.map((at) => run(starters, sh(`read line; echo ${at} $line`), 'read\n')))
    expect(all.map(({ output }) => output)).toEqual(numbers.map((at) => `${at} read\n`))
  })

  test('leaves to Node what it cannot start, and goes on', async () => {
    const starters = opened()
    expect(await starters.start({ file: '/nowhere/agent', args: [] })).toBeNull()
    expect(await starters.start(sh('true', { cwd: '/nowhere' }))).toBeNull()
    expect(await starters.start(sh('true', { namespaces: [5, 6] }))).toBeNull()
    expect(await starters.start(sh(`true ${'x'.repeat(200_000)}`))).toBeNull()
    expect(await starters.start(sh('true', { env: { A: 'a\0b' } }))).toBeNull()
    expect((await run(starters, sh('echo here'))).output).toBe('here\n')
    expect(await opened('/nowhere/spawner').start(sh('true'))).toBeNull()
    expect(await opened('/bin/false').start(sh('true'))).toBeNull()
  })

  test('a program that is ended is gone with its process group', async () => {
    const program = (await opened().start(sh('sleep 1000 & echo $$ $!; wait')))!
    const output = await new Promise<string>((resolve) =>
      program.output.once('data', (bytes) => resolve(String(bytes))),
    )
    const whole = ended(program)
    program.end(false)
    await whole
    for (const pid of pidsIn(output)) await vi.waitUntil(() => !isAlive(pid), { timeout: 20_000 })
    program.end(false)
  })

  test("the number of a program is nobody else's until its end has been told", async () => {
    const program = (await opened().start(sh('exit 3')))!
    const told = ended(program)
    const stat = (): string => readFileSync(`/proc/${program.pid}/stat`, 'latin1')
    // Before this turn of the loop ends, nobody has heard of it.
    while (!/\) Z /.test(stat()));
    expect((await told).end).toEqual([3, null])
    await vi.waitUntil(() => !existsSync(`/proc/${program.pid}`), { timeout: 20_000 })
  })

  test('one that is killed is an end of its programs, and the next one starts more', async () => {
    const starters = opened()
    const program = (await starters.start(sh('echo $PPID; exec sleep 1000')))!
    const output = await new Promise<string>((resolve) =>
      program.output.once('data', (bytes) => resolve(String(bytes))),
    )
    const whole = ended(program)
    process.kill(pidsIn(output)[0]!, 'SIGKILL')
    expect((await whole).end).toEqual([null, 'SIGKILL'])
    await vi.waitUntil(() => !isAlive(program.pid!), { timeout: 20_000 })
    expect((await run(starters, sh('echo again'))).output).toBe('again\n')
  })

  test('programs end with our process, which need not wait for a starter', async () => {
    const script = `
      const { createStarters } = await import('./main/players/isolation/spawner/starter.ts')
      const starters = createStarters(${JSON.stringify(resources.spawner)})
      const program = await starters.start({ file: '/bin/sh', args: ['-c', process.argv[1]] })
      program.output.pipe(process.stdout)`
    const run = (command: string) => spawn(execPath, ['--input-type=module', '-e', script, command], { cwd: root })
    const short = run('echo $PPID')
    const starter = pidsIn(await text(short.stdout))[0]!
    await vi.waitUntil(() => short.exitCode === 0 && !isAlive(starter), { timeout: 20_000 })
    const long = run('echo $$; exec sleep 1000')
    const pid = await new Promise<string>((resolve) => long.stdout.once('data', (bytes) => resolve(String(bytes))))
    long.kill('SIGKILL')
    await vi.waitUntil(() => !isAlive(pidsIn(pid)[0]!), { timeout: 20_000 })
  })

  test('programs have the priority that our process has when they start', async () => {
    const starters = opened()
    const nice = async (): Promise<string> =>
      (await run(starters, sh('nice', { env: { PATH: '/usr/bin:/bin' } }))).output
    const before = Number(await nice())
    setPriority(before + 3)
    // Only the administrator of a machine can take it back.
    if (process.getuid?.() === 0) onTestFinished(() => setPriority(before))
    expect(Number(await nice())).toBe(before + 3)
  })

  test('the programs of a match are started by it', async () => {
    const program = `read line; read name < /proc/$PPID/comm; echo '{"question":1,"actions":["'$name'"]}'; read line`
    const launcher = ({ env = {} }: ProgramLaunch): Launch => sh(program, { env })
    const host = createProgramHost({ tier: 'none', nodeBinary: execPath, spawner: resources.spawner, launcher })
    onTestFinished(() => host.close())
    const { emit, next } = openEar()
    const player = host.seat({
      program: { folder: '/', command: [], process: 'match' },
      seed: 'seed',
      wire: wire() as Parameters<ProgramHost['seat']>[0]['wire'],
      limits: limits.parse({ startMs: 60_000 }),
      emit,
    })
    onTestFinished(() => player.close())
    await player.ready()
    player.ask(1, { type: 'turn' }, 60_000)
    expect(await next()).toMatchObject({ type: 'answer', value: { actions: [expect.stringMatching(/^spawner/)] } })
  })
})

const root = join(import.meta.dirname, '..', '..', '..')
