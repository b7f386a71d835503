import process from 'node:process'
import { afterAll, describe, expect, test } from 'vitest'
import type { Limits } from '../../../main/contract/limits.ts'
import type { PlayerEvent } from '../../../main/contract/players/player.ts'
import { availableTiers } from '../../../main/players/isolation/detect.ts'
import { runJob } from '../../../main/players/isolation/boxed-job.ts'
import { createProgramLauncher } from '../../../main/players/isolation/program.ts'
import { ownGroups } from '../../../main/players/isolation/groups/detect.ts'
import { noGroups } from '../../../main/players/isolation/groups/none.ts'
import { findTools } from '../../../main/players/isolation/runtime.ts'
import { commonFor } from '../../../main/players/isolation/common-folder.ts'
import { createProgramHost, type ProgramHost } from '../../../main/players/program-player.ts'
import { createScriptPool } from '../../../main/players/scripts/script-pool.ts'
import { has, hasPython, packageOf, seatProgram } from './programs.ts'
import { files, seat } from './seats.ts'

const own = await ownGroups()
const without = noGroups('this test has none', (await findTools()).sh)
const hosts: ProgramHost[] = []
afterAll(() => Promise.all(hosts.map((host) => host.close())))

function hostIn(groups: typeof own): ProgramHost {
  const host = createProgramHost({ tier: 'bubblewrap', nodeBinary: files.nodeBinary, groups })
  hosts.push(host)
  return host
}

/** A Python program that runs `attack` when it is asked, and answers when that returns. */
const attacking = (attack: string): string => `
import json, mmap, os, socket, sys, time
hold = []
def attack():
${attack
  .trim()
  .split('\n')
  .map((line) => `    ${line}`)
  .join('\n')}
for line in sys.stdin:
    m = json.loads(line)
    attack()
    print(json.dumps({'question': m['question'], 'actions': [1]}), flush=True)
`

async function attacked(host: ProgramHost, attack: string, limits: Partial<Limits> = {}): Promise<PlayerEvent> {
  const { folder, remove } = packageOf('agent.py', attacking(attack))
  const seated = await seatProgram(host, { folder, command: ['python3', 'agent.py'] }, limits)
  try {
    return await seated.ask({ type: 'turn' }, 60_000)
  } finally {
    seated.player.close()
    remove()
  }
}

/** Memory that is in no process's resident pages. All of it would be far more than the limit. */
const memoryAttacks: readonly (readonly [name: string, attack: string])[] = [
  [
    'page tables, by pages far apart',
    `for n in range(64):
    area = mmap.mmap(-1, 1 << 34, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)
    hold.append(area)
    for at in range(0, 1 << 34, 1 << 21): area[at]`,
  ],
  [
    'filled local sockets',
    `for n in range(5):
    if os.fork() == 0:
        try:
            while True:
                pair = socket.socketpair()
                hold.append(pair)
                pair[0].setblocking(False)
                pair[1].setblocking(False)
                for one in pair:
                    try:
                        while True: one.send(bytes(65536))
                    except BlockingIOError: pass
        except OSError: time.sleep(600)
time.sleep(50)`,
  ],
  ['300,000 empty files', `for n in range(300_000): open('/tmp/' + str(n), 'w').close()`],
  [
    '300,000 empty files beside a child that has ended and is not waited for',
    `if os.fork() == 0: os._exit(0)
for n in range(300_000): open('/tmp/' + str(n), 'w').close()`,
  ],
]

/** Memory of the kernel that only a control group counts. */
const groupAttacks: typeof memoryAttacks = [
  [
    'mappings of one page',
    `import ctypes
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
for n in range(60):
    if os.fork() == 0:
        for i in range(65_000): libc.mmap(None, ctypes.c_size_t(4096), 1 if i % 2 else 3, 0x4022, -1, 0)
        time.sleep(600)
time.sleep(50)`,
  ],
  [
    'filled pipes',
    `for n in range(100):
    if os.fork() == 0:
        try:
            while True:
                pipe = os.pipe()
                os.set_blocking(pipe[1], False)
                try:
                    while True: os.write(pipe[1], bytes(65536))
                except BlockingIOError: pass
        except OSError: time.sleep(600)
time.sleep(50)`,
  ],
]

/** Sets for itself what every process may set unless the file system forbids it. */
const rewriting = (file: string): string => `try:
    with open('${file}', 'r+') as own: own.write('1000')
    os._exit(1)
except OSError: pass`

const withGroups = describe.skipIf(own.version === null || !has('bubblewrap') || !hasPython)
const withoutGroups = describe.skipIf(!has('bubblewrap') || !hasPython)

withGroups('what no process shows is memory of a program (needs control groups, bubblewrap, python3)', () => {
  const host = hostIn(own)
  test.each([...memoryAttacks, ...groupAttacks])('%s', async (_name, attack) => {
    expect(await attacked(host, attack, { memoryMb: 128 })).toMatchObject({ type: 'fault', fault: { kind: 'memory' } })
  })
})

withoutGroups('without groups the watchdog looks for it (needs bubblewrap, python3)', () => {
  const host = hostIn(without)
  test.each(memoryAttacks)('%s', async (_name, attack) => {
    expect(await attacked(host, attack, { memoryMb: 128 })).toMatchObject({ type: 'fault', fault: { kind: 'memory' } })
  })
})

test.skipIf(!has('bubblewrap') || !hasPython)(
  'a program cannot make the buffers of its sockets larger (needs bubblewrap, python3)',
  async () => {
    const enlarging = `pair = socket.socketpair()
for option in [socket.SO_SNDBUF, socket.SO_RCVBUF]:
    usual = pair[0].getsockopt(socket.SOL_SOCKET, option)
    pair[0].setsockopt(socket.SOL_SOCKET, option, 1 << 30)
    if pair[0].getsockopt(socket.SOL_SOCKET, option) != usual: os._exit(1)
pair[0].setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
if pair[0].getsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED) != 1: os._exit(2)`
    expect(await attacked(hostIn(own), enlarging)).toMatchObject({ type: 'answer' })
  },
)

test.skipIf(!has('bubblewrap') || !hasPython)(
  'filled sockets take two datagrams of 213 kB each at most, from which docs/security/isolation.md computes (needs bubblewrap, python3)',
  async () => {
    // The second one is taken as long as the first has left any room.
    const filling = `total = 0
for n in range(120):
    pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    hold.append(pair)
    for one in pair:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 30)
        one.setblocking(False)
        for size in [200_000, 212_900, 1]:
            try:
                while True: total += one.send(bytes(size))
            except OSError: pass
if not 240 * 190_000 < total <= 240 * 2 * 212_960: raise Exception(total)`
    expect(await attacked(hostIn(without), filling)).toMatchObject({ type: 'answer' })
  },
)

test.skipIf(!has('bubblewrap'))(
  'a build that starts many processes with pipes is not ended without groups (needs bubblewrap)',
  async () => {
    const build = `const { spawn } = require('node:child_process')
      const all = Array.from({ length: 60 }, () => spawn('sleep', ['1.5']))
      Promise.all(all.map((child) => new Promise((end) => child.on('close', end)))).then((codes) => {
        if (codes.some((code) => code !== 0)) process.exit(1)
        console.log(all.length)
      })`
    const { folder, remove } = packageOf('build.js', build)
    const launcher = await createProgramLauncher('bubblewrap', files.nodeBinary)
    const launch = launcher({ folder, command: ['node', 'build.js'] })
    if ('missing' in launch) throw new Error(launch.missing)
    const bounds = { seconds: 60, memoryMb: 2_048, outputBytes: 1_000, boxed: true, groups: without }
    expect(await runJob({ ...bounds, launch, fileBytes: 1 })).toMatchObject({ ok: true })
    expect(await runJob({ ...bounds, launch })).toMatchObject({ ok: false })
    remove()
  },
)

test.skipIf(!has('bubblewrap') || !hasPython)(
  'a program has no pseudo-terminals, which are limited for the whole machine (needs bubblewrap, python3)',
  async () => {
    const opening = `for file in ['/dev/ptmx', '/dev/pts/ptmx']:
    try:
        os.open(file, os.O_RDWR | os.O_NOCTTY)
        os._exit(1)
    except OSError: pass`
    expect(await attacked(hostIn(own), opening)).toMatchObject({ type: 'answer' })
  },
)

test.skipIf(!has('bubblewrap') || !hasPython).each(['/proc/self/oom_score_adj', '/proc/self/timerslack_ns'])(
  'a program cannot write to %s (needs bubblewrap, python3)',
  async (file) => {
    expect(await attacked(hostIn(own), rewriting(file))).toMatchObject({ type: 'answer' })
  },
)

const tiers = (await availableTiers(files)).map(({ tier, available }) => [tier, available] as const)
for (const [tier, available] of tiers) {
  test.skipIf(!available || process.platform !== 'linux').each([
    ['', own],
    [', without groups', without],
  ])(
    `page tables by reading untouched buffers, in a script of the tier ${tier}%s (needs Linux)`,
    async (_name, groups) => {
      const pool = createScriptPool({ ...files, tier, warmMax: 0, recycleAfter: 1, groups })
      const common = await commonFor(tier)
      const source = `const hold = []; let sum = 0
      module.exports = () => { for (let n = 0; n < 200; n++) {
        const buffer = new Uint8Array(2 ** 32); hold.push(buffer)
        for (let at = 0; at < buffer.length; at += 2 ** 21) sum += buffer[at] } return sum }`
      const villain = await seat(pool, source, {
        limits: { memoryMb: 96 },
        ...(common === undefined ? {} : { common }),
      })
      expect(await villain.ask(null, 60_000)).toMatchObject({ type: 'fault', fault: { kind: 'memory' } })
      villain.player.close()
      await pool.close()
      common?.close()
    },
  )
}
