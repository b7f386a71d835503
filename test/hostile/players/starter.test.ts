import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
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

  test('one that is killed is an end of its programs, which are not at fault, and the next one starts more', async () => {
    const starters = opened()
    const program = (await starters.start(sh('echo $PPID; exec sleep 1000')))!
    const failure = new Promise<NodeJS.ErrnoException>((resolve) => program.events.on('error', resolve))
    const output = await new Promise<string>((resolve) =>
      program.output.once('data', (bytes) => resolve(String(bytes))),
    )
    const whole = ended(program)
    process.kill(pidsIn(output)[0]!, 'SIGKILL')
    expect((await whole).end).toEqual([null, 'SIGKILL'])
    expect(await failure).not.toHaveProperty('code')
    await vi.waitUntil(() => !isAlive(program.pid!), { timeout: 20_000 })
    expect((await run(starters, sh('echo again'))).output).toBe('again\n')
  })

  test('one that a program stops is ended, whether a start or an end is waited for', async () => {
    const starters = createStarters(resources.spawner, 200)
    onTestFinished(() => starters.close())
    const stopping = async (): Promise<StartedProgram> => {
      const program = (await starters.start(sh('read line; kill -STOP $PPID; echo stopped; exec sleep 1000')))!
      program.stdin.write('go\n')
      program.events.on('error', () => undefined)
      await new Promise((resolve) => program.output.once('data', resolve))
      return program
    }
    const first = ended(await stopping())
    expect(await starters.start(sh('true'))).toBeNull()
    await first
    const second = await stopping()
    const over = ended(second)
    second.end(false)
    await over
    expect((await run(starters, sh('echo again'))).output).toBe('again\n')
  })

  test('a file that cannot serve is tried once', async () => {
    const folder = temporaryFolder('no-starter')
    const file = join(folder, 'spawner')
    writeFileSync(file, `#!/bin/sh\necho tried >> ${join(folder, 'tries')}\n`, { mode: 0o755 })
    const starters = opened(file)
    for (let start = 0; start < 3; start++) expect(await starters.start(sh('true'))).toBeNull()
    expect(readFileSync(join(folder, 'tries'), 'utf8')).toBe('tried\n')
  })

  test.skipIf(process.getuid?.() === 0)('a program cannot look into it (needs another user than root)', async () => {
    const { output } = await run(
      opened(),
      sh('ls /proc/$PPID/fd > /dev/null 2>&1 || echo refused; kill -0 $PPID && echo there'),
    )
    expect(output).toBe('refused\nthere\n')
  })

  test('programs end with our process, which need not wait for a starter', async () => {
    const short = runHere(['echo $PPID'])
    const starter = pidsIn(await text(short.stdout))[0]!
    await vi.waitUntil(() => short.exitCode === 0 && !isAlive(starter), { timeout: 20_000 })
    // Those that end by themselves let the starter write to whom nobody reads any more.
    const long = runHere(['echo $$; exec sleep 1000', ...Array<string>(6).fill('echo $$; cat > /dev/null')])
    let output = ''
    for await (const bytes of long.stdout) {
      output += String(bytes)
      if (output.split('\n').length === 8) break
    }
    long.kill('SIGKILL')
    for (const pid of pidsIn(output)) await vi.waitUntil(() => !isAlive(pid), { timeout: 20_000 })
  })

  test('a starter that is stopped ends with our process', async () => {
    const stopped = runHere(['read line; echo $PPID $$; kill -STOP $PPID; exec sleep 1000'])
    const output = await new Promise<string>((resolve) =>
      stopped.stdout.once('data', (bytes) => resolve(String(bytes))),
    )
    stopped.kill('SIGKILL')
    for (const pid of pidsIn(output)) await vi.waitUntil(() => !isAlive(pid), { timeout: 20_000 })
  })

  test('programs have the priority that our process has when they start', async () => {
    const renice = `const { getPriority, setPriority } = await import('node:os'); setPriority(Math.min(19, getPriority() + 3))`
    const niced = runHere(['nice', `await: ${renice}`, 'nice'])
    const [before, after] = pidsIn(await text(niced.stdout)) as [number, number]
    expect(after).toBe(Math.min(19, before + 3))
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

/** Starts these programs one after the other in a process of its own, which says "go" to each and prints their output; or runs what follows `await: `. */
function runHere(scripts: readonly string[]) {
  const script = `
    const { createStarters } = await import('./main/players/isolation/spawner/starter.ts')
    const starters = createStarters(${JSON.stringify(resources.spawner)})
    for (const each of process.argv.slice(1)) {
      if (each.startsWith('await: ')) await import('data:text/javascript,' + encodeURIComponent(each.slice(7)))
      else {
        const env = { PATH: '/usr/bin:/bin' }
        const program = await starters.start({ file: '/bin/sh', args: ['-c', each], env })
        program.output.pipe(process.stdout)
        program.stdin.write('go\\n')
      }
    }`
  return spawn(execPath, ['--input-type=module', '-e', script, ...scripts], { cwd: root })
}

const root = join(import.meta.dirname, '..', '..', '..')
