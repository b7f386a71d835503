import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { startAgentProcess } from '../../../main/players/scripts/agent-process.ts'
import { availableTiers } from '../../../main/players/isolation/detect.ts'
import type { Launch } from '../../../main/players/isolation/launch.ts'
import { createLauncher } from '../../../main/players/isolation/tiers.ts'
import { probeHost } from '../../../main/players/isolation/self-test/probe.ts'
import { createScriptPool } from '../../../main/players/scripts/script-pool.ts'
import { probeBox, selfTest } from '../../../main/players/isolation/self-test/self-test.ts'
import { descendants } from '../../../main/players/proc.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { files, seat } from './seats.ts'
import { saying } from '../../refusal.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const tiers = await availableTiers(files)
const has = (tier: string): boolean => tiers.some((found) => found.tier === tier && found.available)
const boxed = has('bubblewrap')
if (!boxed)
  process.stderr.write(
    'Skipped: tests of bubblewrap, which this machine lacks. Enable them with: npm run setup:debian\n',
  )
const isRoot = process.getuid?.() === 0
const isLinux = process.platform === 'linux'
const folder = temporaryFolder('box')
chmodSync(folder, 0o755)
/** The folder for copies that the agents' user can read. */
const copies = join(tmpdir(), 'tartaglia-runtime')
const listed = (): readonly string[] => (existsSync(copies) ? readdirSync(copies) : [])
const before = listed()

afterAll(() => {
  for (const name of listed()) if (!before.includes(name) && isRoot) rmSync(join(copies, name), { force: true })
})

const nothing = {
  readFile: null,
  writeFile: null,
  startProgram: null,
  startThread: null,
  connect: null,
  signalParent: null,
  signalSibling: null,
  environment: null,
  sharedMemory: null,
  processes: null,
}

describe('when the realm has been left', () => {
  test.skipIf(!boxed)('bubblewrap lets nothing through', async () => {
    expect(await probeBox('bubblewrap', files)).toEqual(nothing)
  })

  test.skipIf(!has('permission'))('the permission model alone lets a sibling be signalled, and no more', async () => {
    const { signalSibling, signalParent, ...rest } = (await probeBox('permission', files)) as typeof nothing
    expect(rest).toEqual({ ...nothing, signalSibling: undefined, signalParent: undefined })
    expect(signalSibling).toMatch(/can be signalled/)
    // As root the agents are another user, and cannot reach us.
    if (isRoot) expect(signalParent).toBe(null)
  })

  test.skipIf(!has('none'))('the attempts are real: without a tier they get what they want', async () => {
    const { readFile, startProgram, startThread, connect, sharedMemory } = (await probeBox(
      'none',
      files,
    )) as typeof nothing
    for (const got of [readFile, startProgram, startThread, connect, sharedMemory]) expect(got).not.toBe(null)
  })

  test.skipIf(!boxed)('the box holds by itself, with no permission model inside', async () => {
    const hostFile = join(folder, 'probe.cjs')
    writeFileSync(hostFile, probeHost())
    const launch = (await createLauncher('bubblewrap', files.nodeBinary, hostFile))(256) as Launch
    const args = launch.args.filter((arg) => arg !== '--permission' && !arg.startsWith('--allow-'))
    expect(args.length).toBe(launch.args.length - 2)
    const box = startAgentProcess({ ...launch, args })
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    expect(await box.started).toBe(null)
    const answer = new Promise<string>((resolve, reject) => {
      box.owner = {
        frameBytes: 65_536,
        busySince: () => null,
        atRest: () => false,
        frame: ({ json }) => resolve(json),
        ended: (end) => reject(new Error(JSON.stringify(end))),
      }
    })
    const shared = join('/dev/shm', basename(folder))
    writeFileSync(shared, 'shared')
    const targets = { port, parent: process.pid, sibling: process.ppid, file: '/etc/passwd', shared }
    box.send('Q', 1, JSON.stringify(targets))
    const { writeFile, startProgram, startThread, ...rest } = JSON.parse(await answer) as typeof nothing
    // A folder of its own, a program that is in the box: the box allows these three, the permission model does not.
    expect([writeFile, startProgram, startThread]).not.toContain(null)
    expect({ ...nothing, ...rest }).toEqual(nothing)
    rmSync(shared)
    box.kill()
    server.close()
    await box.exited
  })

  test.skipIf(!boxed)('the self-test finds that everything holds under bubblewrap', async () => {
    const reports = await selfTest(files)
    const checks = reports.find(({ tier }) => tier === 'bubblewrap')?.checks
    expect(checks?.filter(({ holds }) => !holds)).toEqual([])
    expect(checks?.length).toBeGreaterThan(10)
    expect(reports.find(({ tier }) => tier === 'none')?.checks.filter(({ holds }) => !holds)).not.toEqual([])
    // On another processor there are no calls of other architectures to try.
    if (process.arch !== 'x64') return
    // The permission model switches to no other user, so who may signal whom depends on the own one: the page shows root's.
    const shown = reports.filter(({ tier }) => tier !== 'none' && (tier !== 'permission' || process.getuid?.() === 0))
    expect(shown).not.toEqual([])
    for (const { tier, checks: found } of shown) {
      const attacks = found.map(({ name, holds }) => `${holds ? 'held' : 'FAILED'}  ${name}`)
      const held = found.filter(({ holds }) => holds).length
      expect([tier, documented(tier)]).toEqual([tier, { attacks, held, all: found.length }])
    }
  })
})

/** The findings of the doctor for a tier, as printed in docs/security/doctor.md. */
function documented(tier: string) {
  const text = readFileSync(new URL('../../../docs/security/doctor.md', import.meta.url), 'utf8')
  const block = new RegExp(
    `^(?:good|weak)  ${tier} .* (\\d+) of (\\d+) attacks.*\n((?: +(?:held|FAILED)  .*\n)+)`,
    'm',
  ).exec(text)
  const [, held, all, lines = ''] = block ?? []
  return { attacks: lines.trim().split(/\n */), held: Number(held), all: Number(all) }
}

/** Lines that a child writes. */
const lines = (child: ReturnType<typeof spawn>): AsyncIterator<string> =>
  createInterface({ input: child.stdout! })[Symbol.asyncIterator]() as AsyncIterator<string>

const isRunning = (pid: number): boolean => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'))
  } catch {
    return false
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10))

describe.each(['bubblewrap', 'permission', 'none'])('the processes of tier %s', (tier) => {
  test.skipIf(!has(tier) || !isLinux)('die with a worker that is killed, and never see its descriptors', async () => {
    const holder = fileURLToPath(new URL('holder.ts', import.meta.url))
    // Descriptor 7 is inherited by the worker, as from a careless shell.
    const script = 'exec 7</etc/passwd; exec "$0" "$@"'
    const child = spawn('/bin/sh', ['-c', script, process.execPath, '--no-warnings', holder, tier, files.hostFile], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const pids = JSON.parse((await lines(child).next()).value as string) as number[]
    expect(pids.length).toBeGreaterThanOrEqual(3)
    expect(pids.every(isRunning)).toBe(true)
    for (const pid of pids) {
      const open = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))
      expect(open).not.toContain('/etc/passwd')
      if (isRoot) expect(readFileSync(`/proc/${pid}/status`, 'latin1')).toMatch(/^Uid:\t65534\t65534\t65534\t65534$/m)
    }
    child.kill('SIGKILL')
    await once(child, 'exit')
    while (pids.some(isRunning)) await turn()
  })

  test.skipIf(!has(tier) || !isLinux).each([
    ['outermost', 0],
    ['innermost', -1],
  ])('killed from outside, the %s, is not a fault of the agent, and another agent goes on', async (_which, place) => {
    const pool = createScriptPool({ ...files, tier: tier as 'none', warmMax: 2, recycleAfter: 10 })
    const earlier = descendants(process.pid)
    const source = 'module.exports = (message) => { if (message) for (;;); return 1 }'
    const victim = await seat(pool, source, { agent: 'a'.repeat(64) })
    const pid = descendants(process.pid)
      .filter((child) => !earlier.includes(child))
      .at(place)!
    const other = await seat(pool, 'module.exports = () => 2', { agent: 'b'.repeat(64) })
    expect(await victim.ask(0)).toMatchObject({ value: 1 })
    const answer = victim.ask(1)
    process.kill(pid, 'SIGKILL')
    expect(await answer).toEqual({
      type: 'interrupted',
      reason: saying('process', 'outside', 'SIGKILL'),
    })
    expect(await other.ask()).toMatchObject({ value: 2 })
    const left = descendants(process.pid).filter((child) => !earlier.includes(child))
    await pool.close()
    while (left.some(isRunning)) await turn()
  })
})

describe('where the files lie', () => {
  test.skipIf(!boxed)('in a folder of mode 0700', async () => {
    const home = join(folder, 'home')
    mkdirSync(home)
    copyFileSync(files.nodeBinary, join(home, 'node'))
    chmodSync(join(home, 'node'), 0o700)
    copyFileSync(files.hostFile, join(home, 'host.cjs'))
    chmodSync(home, 0o700)
    const hidden = { nodeBinary: join(home, 'node'), hostFile: join(home, 'host.cjs') }
    for (const { tier, available, reason } of await availableTiers(hidden)) {
      if (has(tier)) expect({ tier, available, reason }).toEqual({ tier, available: true, reason: 'works' })
    }
  })

  test('nowhere: a fault of the host that names the file', async () => {
    const pool = createScriptPool({
      ...files,
      hostFile: join(folder, 'absent.cjs'),
      tier: 'none',
      warmMax: 0,
      recycleAfter: 1,
    })
    const event = await (await seat(pool, '')).next()
    expect(event).toMatchObject({ type: 'fault', gone: true, fault: { kind: 'host' } })
    expect((event as { fault: { text: string } }).fault.text).toContain('absent.cjs')
    await pool.close()
  })

  test.skipIf(!isRoot || !boxed)('for an ordinary user as well (needs bubblewrap and root)', () => {
    // The project may lie where this user cannot go: it gets a copy.
    const copy = join(folder, 'project')
    mkdirSync(copy)
    for (const part of ['main', 'dist', 'package.json']) cpSync(join(root, part), join(copy, part), { recursive: true })
    for (const name of ['zod', 'leven'])
      cpSync(join(root, 'node_modules', name), join(copy, 'node_modules', name), { recursive: true, dereference: true })
    copyFileSync(files.nodeBinary, join(copy, 'node'))
    const text = `
      import { availableTiers } from './main/players/isolation/detect.ts'
      import { limits } from './main/contract/limits.ts'
      import { createProgramHost } from './main/players/program-player.ts'
      import { probeBox } from './main/players/isolation/self-test/self-test.ts'
      import { wire } from './main/referees/haggle/wire.ts'
      const files = { nodeBinary: process.execPath, hostFile: ${JSON.stringify(join(copy, 'dist/host.cjs'))} }
      const tiers = (await availableTiers(files)).filter(({ available }) => available).map(({ tier }) => tier)
      const host = createProgramHost({ tier: 'bubblewrap', nodeBinary: process.execPath })
      const { promise, resolve } = Promise.withResolvers()
      const script = 'read line; cat /etc/passwd > /dev/null 2>&1; echo "$0$?}"'
      const command = ['/bin/sh', '-c', script, '{"type":"offer","offer":']
      const program = { folder: '/usr', command, process: 'match' }
      const player = host.seat({ program, seed: '', wire: wire(), limits: limits.parse({}), emit: resolve })
      await player.ready()
      player.ask(1, { type: 'turn', offer: null }, 20_000)
      const { value } = await promise
      await host.close()
      console.log(JSON.stringify({ uid: process.getuid(), tiers, probe: await probeBox('bubblewrap', files), probeOfShared: await probeBox('shared', files), value }))`
    const { stdout, stderr } = spawnSync(
      'setpriv',
      [
        '--reuid=41234',
        '--regid=41234',
        '--clear-groups',
        '--',
        join(copy, 'node'),
        '--no-warnings',
        '--input-type=module',
        '-e',
        text,
      ],
      { cwd: copy, encoding: 'utf8', env: { HOME: '/nonexistent' } },
    )
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({
      uid: 41234,
      tiers: ['bubblewrap', 'shared', 'permission', 'none'],
      probe: nothing,
      probeOfShared: nothing,
      value: { value: 1 },
    })
  })
})
