import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test, vi } from 'vitest'
import { limits, type Limits } from '../../../main/contract/limits.ts'
import type { PlayerEvent } from '../../../main/contract/players/player.ts'
import { ownGroups } from '../../../main/players/isolation/groups/detect.ts'
import { noGroups } from '../../../main/players/isolation/groups/none.ts'
import { startSpawner, TURNS } from '../../../main/players/isolation/spawner/spawner.ts'
import { descendants } from '../../../main/players/proc.ts'
import { createProgramHost } from '../../../main/players/program-player.ts'
import { asTypedWith } from '../../../main/services/machine/as-typed.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { openEar } from './ear.ts'
import { has, hasPython, packageOf } from './programs.ts'
import { game as punter } from '../../../main/services/games/punter/one-match.ts'
import { punterConfig } from '../../../main/services/games/punter/settings.ts'
import { play as playMatch } from '../../conformance/toys/harness.ts'
import { wire } from '../../../main/referees/specker/language/wire.ts'

const works = existsSync(resources.spawner) && has('bubblewrap') && hasPython && (await ownGroups()).version !== null
if (!works) {
  process.stderr.write(
    'Skipped: tests of boxes that stay. They need a C compiler, bubblewrap, control groups and /usr/bin/python3\n',
  )
}
const boxed = test.skipIf(!works)
const open = test.skipIf(!existsSync(resources.spawner) || !hasPython)

/** The tier of programs that run as their owner's commands is open. */
type Place = 'boxed' | 'open'

interface Played {
  /** The answers' values, or the events that came instead. */
  readonly results: readonly unknown[]
  readonly console: string
  /** How many process groups were started. */
  readonly groups: number
}

interface Asked {
  readonly moves: number
  readonly command?: readonly string[]
  readonly limits?: Partial<Limits>
  readonly limitMs?: number
  /** Kills what was started around a process that calls itself "waiting". */
  readonly kills?: boolean
}

/** Lets a Python program, started anew for each move, answer some questions: `move(m)` gives each answer. */
async function play(text: string, place: Place, spawner: string | undefined, asked: Asked): Promise<Played> {
  const groups: number[] = []
  const host = createProgramHost({
    tier: place === 'boxed' ? 'bubblewrap' : 'none',
    nodeBinary: process.execPath,
    onGroup: (group, alive) => void (alive && groups.push(group)),
    ...(spawner === undefined ? {} : { spawner }),
    ...(place === 'boxed' ? {} : { launcher: (program) => asTypedWith(spawner, program) }),
  })
  const { folder, remove } = packageOf('agent.py', `${head}\n${text}\n${tail}`)
  writeFileSync(join(folder, 'no-program'), '')
  const { emit, next, console } = openEar()
  const player = host.seat({
    program: { folder, command: asked.command ?? ['/usr/bin/python3', '-S', 'agent.py'], process: 'move' },
    seed: 'seed',
    wire: wire() as Parameters<typeof host.seat>[0]['wire'],
    limits: limits.parse({ startMs: 60_000, ...asked.limits }),
    emit,
  })
  await player.ready()
  const results: unknown[] = []
  for (let move = 1; move <= asked.moves; move++) {
    player.ask(move, { type: 'turn', move }, asked.limitMs ?? 60_000)
    if (move === 2 && asked.kills === true) {
      const waits = (group: number) => descendants(group).some((pid) => nameOf(pid) === 'waiting')
      process.kill(await vi.waitUntil(() => groups.find(waits), { timeout: 60_000 }), 'SIGKILL')
    }
    const event = await next()
    results.push(resultOf(event))
    if (event.type === 'interrupted') break
  }
  player.close()
  await host.close()
  remove()
  return { results, console: console.join(''), groups: groups.length }
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}

/** The history of a match of two bots, without times and the hashes of lines with times: one claims rivers, the other ends within its answers. */
async function historyOf(place: Place, spawner: string | undefined): Promise<string> {
  const host = createProgramHost({
    tier: place === 'boxed' ? 'bubblewrap' : 'none',
    nodeBinary: process.execPath,
    ...(spawner === undefined ? {} : { spawner }),
    ...(place === 'boxed' ? {} : { launcher: (program) => asTypedWith(spawner, program) }),
  })
  const bot = readFileSync(join(import.meta.dirname, '../../conformance/punter/offline-bot.mjs'), 'utf8')
  const { folder, remove } = packageOf('bot.mjs', bot)
  const sites = [0, 1, 2, 3].map((id) => ({ id }))
  const rivers = [0, 1, 2].map((source) => ({ source, target: source + 1 }))
  const config = punterConfig({ map: JSON.stringify({ sites, rivers, mines: [0] }) })
  const { text } = await playMatch({
    game: punter,
    config,
    entrants: 2,
    limits: { startMs: 60_000, moveMs: 60_000 },
    seatPlayer: ({ id }, post, emit) =>
      host.seat({
        program: { folder, command: ['node', 'bot.mjs', id === 0 ? 'claims' : 'writes half'], process: 'move' },
        seed: 'seed',
        moveWire: (given) => punter.dialogue.moveWire!(config, post, [], given),
        limits: limits.parse({ startMs: 60_000 }),
        emit,
      }),
  })
  await host.close()
  remove()
  return text.replace(/"(at|tookMs)":[\d.]+|"h":"[0-9a-f]+"/g, '')
}

/** Without times, which differ. */
function resultOf(event: PlayerEvent): unknown {
  if (event.type === 'answer') return (event.value as { actions: unknown[] }).actions[0]
  if (event.type !== 'fault') return event
  const { kind, text, stderr } = event.fault
  return { ...event, fault: { kind, text, stderr } }
}

const head = `
import sys, json, os, time, socket, ctypes, resource, signal, stat, array
libc = ctypes.CDLL(None, use_errno=True)
def attempt(act):
    try:
        return act()
    except OSError as error:
        return error.errno
`
const tail = `
print(json.dumps({'ready': True}), flush=True)
m = json.loads(sys.stdin.readline())
print(json.dumps({'question': m['question'], 'actions': [move(m)]}), flush=True)
`

/** Leaves as much as it can, and finds all that it would have left. */
const trap = `
places = ['/tmp', '/dev/shm', '/', '/dev', '/dev/pts', '.', '/agent', '/proc/1']
def name(address):
    with socket.socket(socket.AF_UNIX) as s: return attempt(lambda: s.bind(address))
def is_given(file):
    # The null device is put in the place of what our own process was started with.
    try: return file < 3 or os.fstat(file).st_rdev != os.makedev(1, 3)
    except OSError: return False
def find():
    # The first call of the C library for shared memory, semaphores, queues, mq_open, add_key, ptrace of the parent.
    calls = [(29, 77, 4096, 0o666), (64, 77, 1, 0o666), (68, 77, 0o666), (240, b'/left', 2), (250, 0, -3, 0), (101, 16, os.getppid(), 0, 0)]
    def call(number, *rest):
        ctypes.set_errno(0)
        return libc.syscall(number, *rest) if libc.syscall(number, *rest) >= 0 else -ctypes.get_errno()
    return {
        'files': {place: attempt(lambda: sorted(os.listdir(place))) for place in places},
        'times': {place: attempt(lambda: oct(os.stat(place).st_mode)) for place in places},
        'processes': sorted(int(each) for each in os.listdir('/proc') if each.isdigit() and int(each) != os.getpid()),
        'free': {place: os.statvfs(place).f_ffree for place in places[:2]},
        'sockets': sum(1 for line in open('/proc/net/unix')) - 1,
        'names': [name('\\0left'), name('\\0cycle'), attempt(lambda: socket.socket(socket.AF_UNIX).connect('/tmp/socket'))],
        'calls': [call(*each) for each in calls],
        'descriptors': sorted(each for each in map(int, os.listdir('/proc/self/fd')) if is_given(each)),
        'parent': [os.getppid(), os.getpid(), attempt(lambda: os.kill(1, signal.SIGKILL)), os.getsid(0) == os.getpid()],
        'limits': [resource.getrlimit(each) for each in range(16)],
        'nice': os.getpriority(os.PRIO_PROCESS, 0),
        'cores': sorted(os.sched_getaffinity(0)),
        'umask': os.umask(0o22),
        'status': [line for line in open('/proc/self/status') if line.startswith(('Sig', 'Shd', 'Cap', 'No', 'Sec', 'Threads'))],
        'kernel': [attempt(lambda: open(f'/proc/sys/{each}').read()) for each in ('net/unix/max_dgram_qlen', 'kernel/hostname', 'kernel/shmmax')],
        'score': open('/proc/self/oom_score_adj').read(),
        'state': m['state'],
    }
def daemon():
    for sig in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT): signal.signal(sig, signal.SIG_IGN)
    while True:
        attempt(lambda: open('/tmp/by-daemon', 'w').close())
        time.sleep(0.001)
def leave():
    for place in places:
        attempt(lambda: open(f'{place}/left', 'w').close())
        attempt(lambda: os.mkdir(f'{place}/folder'))
        attempt(lambda: os.chmod(place, 0o777))
        attempt(lambda: os.utime(place, (1, 1)))
        attempt(lambda: os.setxattr(place, 'user.left', b'x'))
    for path in ('/proc/self/oom_score_adj', '/proc/sys/net/unix/max_dgram_qlen', '/proc/sys/kernel/hostname', '/proc/sys/kernel/ns_last_pid'):
        attempt(lambda: open(path, 'w').write('7'))
    keep = [socket.socket(socket.AF_UNIX) for _ in range(4)]
    keep[0].bind('\\0left'); keep[0].listen()
    keep[1].bind('/tmp/socket'); keep[1].listen()
    # Two pairs that hold each other, with a bound one among what is sent: only the kernel's collector frees them.
    keep[2].bind('\\0cycle')
    a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    c, d = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    socket.send_fds(a, [b'x'], [d.fileno(), c.fileno(), keep[2].fileno()])
    socket.send_fds(c, [b'x'], [b.fileno(), a.fileno(), 0, 1, 2])
    keep += [a, b, c, d]
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0: daemon()
            os._exit(0)
    resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128))
    attempt(lambda: os.nice(5))
    attempt(lambda: os.sched_setaffinity(0, [0]))
    os.umask(0)
    for target in (1, os.getppid()): attempt(lambda: os.kill(target, signal.SIGSTOP))
    while not os.path.exists('/tmp/by-daemon'): time.sleep(0.001)
    return keep
def move(m):
    globals()['m'] = m
    before = find()
    globals()['keep'] = leave()
    after = find()
    return {'before': before, 'noticed': sorted(each for each in before if before[each] != after[each])}
`

describe('a box that stays (needs a C compiler, bubblewrap, control groups, python3)', () => {
  boxed('nothing that a move leaves is found by the next, or differs from a box of its own', async () => {
    const { results, groups } = await play(trap, 'boxed', resources.spawner, { moves: 4 })
    const alone = await play(trap, 'boxed', undefined, { moves: 1 })
    // The trap would have seen it: within the move it does.
    const noticed = ['descriptors', 'files', 'free', 'limits', 'names', 'processes', 'sockets', 'times', 'umask']
    expect(results[0]).toMatchObject({ noticed })
    for (const result of results) expect(result).toEqual(results[0])
    expect(groups).toBe(1)
    // A box of its own has no spawner's file.
    const [own] = alone.results as [{ before: { files: Record<string, string[]> } }]
    const { before } = results[0] as typeof own
    expect([...own.before.files['/agent']!, 'spawner']).toEqual(before.files['/agent'])
    const alike = { files: { ...before.files, '/agent': [] } }
    expect({ ...before, ...alike }).toEqual({ ...own.before, ...alike })
  })

  const facts = `
def move(m):
    return {
        'environment': dict(os.environ), 'folder': os.getcwd(), 'me': [os.getpid(), os.getppid(), os.getsid(0), os.getpgid(0), os.getuid(), os.getgid()],
        'kinds': [stat.S_IFMT(os.fstat(each).st_mode) for each in range(3)], 'groups': os.getgroups(), 'host': os.uname().nodename,
        'mounts': sorted(line.split()[4:6] + line.split()[-2:] for line in open('/proc/self/mountinfo') if line.split()[4] in ('/tmp', '/dev/shm', '/dev/pts', '/proc/1')),
        'command': open('/proc/self/cmdline').read(), 'ignored': [each for each in range(1, 32) if signal.getsignal(each) == signal.SIG_IGN],
    }
`
  boxed('a program sees the same environment as in a box of its own', async () => {
    const [first, alone] = [
      await play(facts, 'boxed', resources.spawner, { moves: 2 }),
      await play(facts, 'boxed', undefined, { moves: 1 }),
    ]
    expect(withoutMark(first.results[0])).toEqual(withoutMark(alone.results[0]))
    expect(first.results[1]).toEqual(first.results[0])
  })

  boxed('is made anew when its turns are used up', async () => {
    const { results, groups } = await play('def move(m): return m["move"]', 'boxed', resources.spawner, {
      moves: TURNS + 2,
    })
    expect(results).toEqual(Array.from({ length: TURNS + 2 }, (_, at) => at + 1))
    expect(groups).toBe(2)
  })
})

describe.each([
  ['in a box (needs a C compiler, bubblewrap, control groups, python3)', 'boxed', boxed],
  ['as its owner runs it (needs a C compiler, python3)', 'open', open],
] as const)('a program for each move, %s', (_, place, tested) => {
  const roomy = { limits: { memoryMb: 1_500 } }
  const crowd = (size: number): string => `[os.fork() or time.sleep(60) for _ in range(${size})]`
  const odd = (text: string): string => `def move(m):\n    if m['move'] != 2: return os.getpid() > 0\n    ${text}`
  tested.each<[string, string, Partial<Asked>?]>([
    ['exits', 'os._exit(7)'],
    ['is ended by its own signal', 'os.kill(os.getpid(), signal.SIGKILL)'],
    ['has no right to its memory', 'ctypes.string_at(0)'],
    ['closes its output', 'os.close(1); time.sleep(60)'],
    ['computes for too long', 'while True: pass', { limitMs: 300 }],
    ['takes too much memory', 'globals()["x"] = b"x" * 600_000_000; time.sleep(60)', { limits: { memoryMb: 128 } }],
    ['starts too many processes', `${crowd(140)}; time.sleep(60)`, roomy],
  ])('one that %s has the same fault with and without a spawner, and the next answers', async (_, text, more = {}) => {
    const asked = { moves: 3, ...more }
    const [with_, without] = [
      await play(odd(text), place, resources.spawner, asked),
      await play(odd(text), place, undefined, asked),
    ]
    expect(with_.results).toEqual(without.results)
    expect(with_.console).toBe(without.console)
    expect(with_.results).toMatchObject([true, { type: 'fault', to: 2, gone: false }, true])
    expect(without.groups).toBeGreaterThan(2)
    expect(with_.groups).toBeLessThan(3)
  })

  tested('its own processes are counted, and no others', async () => {
    // Those of a box count, with and without a spawner.
    const most = place === 'boxed' ? 125 : 127
    const text = `def move(m):\n    ${crowd(most)}\n    time.sleep(0.5)\n    return 1`
    const { results } = await play(text, place, resources.spawner, { moves: 1, ...roomy })
    const alone = await play(text, place, undefined, { moves: 1, ...roomy })
    expect([results, alone.results]).toEqual([[1], [1]])
  })

  tested('a match has the same history but for its times, byte for byte, with and without a spawner', async () => {
    const history = await historyOf(place, resources.spawner)
    expect(history).toBe(await historyOf(place, undefined))
    expect(history).toMatch(/"k":"fault"/)
  })

  tested('nothing of it stays if it is closed before its first process has started', async () => {
    const alive = new Set<number>()
    let started = 0
    const host = createProgramHost({
      tier: place === 'boxed' ? 'bubblewrap' : 'none',
      nodeBinary: process.execPath,
      spawner: resources.spawner,
      onGroup(group, isAlive) {
        if (isAlive) started += 1
        if (isAlive) alive.add(group)
        else alive.delete(group)
      },
      ...(place === 'boxed' ? {} : { launcher: (program) => asTypedWith(resources.spawner, program) }),
    })
    const player = host.seat({
      program: { folder: packageOf('x', '').folder, command: ['/bin/cat'], process: 'move' },
      seed: 'seed',
      wire: wire() as Parameters<typeof host.seat>[0]['wire'],
      limits: limits.parse({}),
      emit: () => undefined,
    })
    await player.ready()
    player.ask(1, { type: 'turn' }, 60_000)
    player.close()
    await vi.waitUntil(() => started > 0 && alive.size === 0, { timeout: 20_000 })
    await host.close()
  })

  tested.each([['./missing'], ['./no-program'], ['no-such-interpreter']])(
    'the command %s, which cannot be executed, has the same fault and the same words',
    async (command) => {
      const asked = { moves: 1, command: [command] }
      const [with_, without] = [
        await play('', place, resources.spawner, asked),
        await play('', place, undefined, asked),
      ]
      expect(with_).toEqual({ ...without, groups: expect.any(Number) })
      expect(with_.results).toMatchObject([{ fault: { kind: 'crash' } }])
    },
  )

  tested('killed from outside with all around it, it has the same end', async () => {
    const slow = `
def move(m):
    if m['move'] == 2:
        libc.prctl(15, b'waiting', 0, 0, 0)
        time.sleep(60)
    return 1`
    const asked = { moves: 2, kills: true }
    const [with_, without] = [
      await play(slow, place, resources.spawner, asked),
      await play(slow, place, undefined, asked),
    ]
    expect(with_.results).toEqual(without.results)
    expect(with_.results[1]).toMatchObject(place === 'boxed' ? { type: 'interrupted' } : { fault: { kind: 'crash' } })
  })

  tested.each([
    ['is not for this machine', '\u007fELF'],
    ['says nothing and exits', '#!/bin/sh\nexit 1\n'],
  ])('a spawner that %s is done without', async (_, text) => {
    const file = join(temporaryFolder('spawner'), 'spawner')
    chmodSync(join(file, '..'), 0o755)
    writeFileSync(file, text, { mode: 0o755 })
    const { results } = await play('def move(m): return m["move"]', place, file, { moves: 2 })
    expect(results).toEqual([1, 2])
  })
})

describe.skipIf(process.platform !== 'linux')('a spawner (needs Linux)', () => {
  const group = noGroups('', undefined).take({ memoryBytes: 0, tasks: 0 })
  const options = { boxed: false, group, sweep: () => undefined }

  test('that says nothing and stays is done without', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const spawner = startSpawner({ file: '/bin/sleep', args: ['600'], turns: 1 }, options)
    vi.advanceTimersByTime(30_000)
    vi.useRealTimers()
    expect(await spawner.works).toBe(false)
    expect(await spawner.next()).toBeNull()
    await spawner.exited
  })

  test('for whose pipes there are too few descriptors is refused, and nothing else fails', () => {
    const file = join(import.meta.dirname, '../../../main/players/isolation/box-process.ts')
    const text = `
import { startLaunch } from ${JSON.stringify(file)}
try { startLaunch({ file: '/bin/true', args: [], turns: ${TURNS} }) } catch { console.log('refused') }`
    const words = ['-c', 'ulimit -n 100; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', text]
    const { status, stdout } = spawnSync('/bin/sh', words, { encoding: 'utf8' })
    expect([status, stdout]).toEqual([0, 'refused\n'])
  })
})

describe('without a box (needs a C compiler, python3)', () => {
  open('what a program has started is gone before the next one starts, wherever it went', async () => {
    const text = `
import glob
def move(m):
    def name(pid):
        try:
            return open(f'/proc/{pid}/comm').read().strip()
        except OSError: return ''
    found = [pid for pid in os.listdir('/proc') if pid.isdigit() and name(pid) == 'left-behind']
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                libc.prctl(15, b'left-behind', 0, 0, 0)
                for each in range(3): os.close(each)
                time.sleep(600)
            os._exit(0)
    # The trap sees its own.
    while len([1 for pid in os.listdir('/proc') if pid.isdigit() and name(pid) == 'left-behind']) < 3: time.sleep(0.001)
    return found
`
    const { results, groups } = await play(text, 'open', resources.spawner, { moves: 4 })
    expect(results).toEqual([[], [], [], []])
    expect(groups).toBe(1)
  })
})

/** The mark of a seat is drawn. */
function withoutMark(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'MARK'))
}
