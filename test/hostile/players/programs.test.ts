import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, describe, expect, test } from 'vitest'
import type { PlayerEvent } from '../../../main/contract/players/player.ts'
import { findOwnPids } from '../../../main/players/isolation/unboxed.ts'
import { findTools, isRoot } from '../../../main/players/isolation/runtime.ts'
import { descendants } from '../../../main/players/proc.ts'
import { has, hasPython, packageOf, programHost, seatProgram, type SeatedProgram } from './programs.ts'
import { saying } from '../../refusal.ts'

if (!has('bubblewrap') || !hasPython) {
  process.stderr.write('Skipped: tests of boxed Python programs. They need bubblewrap and /usr/bin/python3\n')
}

const ownPids = await findOwnPids({ tools: await findTools(), root: isRoot() })
const host = has('bubblewrap') ? programHost('bubblewrap') : null
afterAll(() => host?.close())

/** Python that answers each question with what `answer` gives; `m` is the message. */
const answering = (answer: string, before = ''): string => `
import sys, json, os, time, socket, subprocess
${before}
def answer(m):
${answer
  .trim()
  .split('\n')
  .map((line) => `    ${line}`)
  .join('\n')}
for line in sys.stdin:
    m = json.loads(line)
    if m['type'] == 'refused': continue
    value = answer(m)
    print(json.dumps({'question': m['question'], 'actions': [value]}), flush=True)
`

const isRunning = (pid: number): boolean => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'))
  } catch {
    return false
  }
}
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10))

/** The value that a program answered with. */
const valueOf = (event: PlayerEvent): unknown =>
  event.type === 'answer' ? (event.value as { actions: unknown[] }).actions[0] : event

/** Seats a Python program, lets `act` play with it, and sees to it that nothing of it is left. */
async function withPython<T>(
  text: string,
  act: (seated: SeatedProgram) => Promise<T>,
  own: Parameters<typeof seatProgram>[2] = {},
  process_: 'match' | 'move' = 'match',
  held = host!,
): Promise<T> {
  const { folder, remove } = packageOf('agent.py', text)
  const earlier = descendants(process.pid)
  const seated = await seatProgram(held, { folder, command: ['python3', 'agent.py'], process: process_ }, own)
  const started = descendants(process.pid).filter((pid) => !earlier.includes(pid))
  try {
    return await act(seated)
  } finally {
    seated.player.close()
    while (started.some(isRunning)) await turn()
    remove()
  }
}

const boxed = test.skipIf(!has('bubblewrap') || !hasPython)

describe('a program in a box (needs bubblewrap, python3)', () => {
  boxed('is asked and answers; what it prints to stderr is its own', async () => {
    await withPython(
      answering(`print('thinking of', m['x'], file=sys.stderr, flush=True)\ntime.sleep(0.05)\nreturn m['x'] + 1`),
      async ({ ask, console }) => {
        expect(valueOf(await ask({ type: 'turn', x: 1 }))).toBe(2)
        expect(valueOf(await ask({ type: 'turn', x: 41 }))).toBe(42)
        expect(console.join('')).toBe('thinking of 1\nthinking of 41\n')
      },
    )
  })

  boxed(
    'sees nothing of the machine: no home, no other agent, no network, no process, no environment of ours',
    async () => {
      const other = packageOf('secret.txt', 'of another agent')
      process.env['TARTAGLIA_SECRET'] = 'secret'
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      const attempt = `
found = {}
def attempt(name, what):
    try: found[name] = repr(what())[:80]
    except BaseException as error: found[name] = None
attempt('home', lambda: os.listdir(${JSON.stringify(homedir())}))
attempt('other', lambda: open(${JSON.stringify(join(other.folder, 'secret.txt'))}).read())
attempt('shadow', lambda: open('/etc/shadow').read())
attempt('passwd', lambda: open('/etc/passwd').read())
attempt('write package', lambda: open('/agent/package/x', 'w'))
attempt('write root', lambda: open('/x', 'w'))
attempt('write usr', lambda: open('/usr/x', 'w'))
attempt('chmod package', lambda: os.chmod('/agent/package/agent.py', 0o777))
attempt('loopback', lambda: socket.create_connection(('127.0.0.1', ${port}), 2))
attempt('outside', lambda: socket.create_connection(('192.0.2.1', 80), 2))
attempt('dns', lambda: socket.getaddrinfo('example.org', 80))
attempt('kill parent', lambda: os.kill(${process.pid}, 0))
attempt('setuid', lambda: os.setuid(0))
attempt('mount', lambda: subprocess.check_call(['mount', '-t', 'tmpfs', 'none', '/tmp'], stderr=subprocess.DEVNULL))
attempt('process 1', lambda: os.listdir('/proc/1')[0])
attempt('memory of process 1', lambda: open('/proc/1/mem', 'r+b'))
attempt('fds', lambda: [os.readlink('/proc/self/fd/' + fd) for fd in os.listdir('/proc/self/fd') if int(fd) > 2 and not os.readlink('/proc/self/fd/' + fd).startswith('/proc/')][0])
pids = [p for p in os.listdir('/proc') if p.isdigit()]
found['processes'] = None if len(pids) <= 4 else pids
found['environment'] = sorted(k for k in os.environ if k not in ('LC_CTYPE', 'PWD', 'OLDPWD', 'SHLVL', '_'))
found['cmdline'] = None if '${homedir()}/' not in ''.join(open('/proc/' + p + '/cmdline').read() for p in pids if p != '1') else 'leaks'
return found`
      try {
        const found = await withPython(answering(attempt), async ({ ask }) => valueOf(await ask()))
        const { environment, ...rest } = found as Record<string, unknown>
        expect(environment).toEqual(['HOME', 'LANG', 'PATH', 'PYTHONUNBUFFERED', 'TARTAGLIA_SEAT', 'TARTAGLIA_SEED'])
        expect(Object.entries(rest).filter(([, got]) => got !== null)).toEqual([])
        expect(Object.keys(rest).length).toBe(19)
      } finally {
        server.close()
        other.remove()
      }
    },
  )

  boxed('the attempts are real: without a box they get what they want', async () => {
    const bare = programHost('none')
    const other = packageOf('secret.txt', 'of another agent')
    const text = answering(`return open(${JSON.stringify(join(other.folder, 'secret.txt'))}).read()`)
    expect(await withPython(text, async ({ ask }) => valueOf(await ask()), {}, 'match', bare)).toBe('of another agent')
    other.remove()
    await bare.close()
  })

  boxed('what two agents write lies apart: no side channel in /tmp and /dev/shm', async () => {
    const text = answering(`
open('/tmp/mark', 'a').write('x')
open('/dev/shm/mark', 'a').write('x')
return [open('/tmp/mark').read(), open('/dev/shm/mark').read()]`)
    await withPython(text, async (first) => {
      expect(valueOf(await first.ask())).toEqual(['x', 'x'])
      expect(valueOf(await first.ask())).toEqual(['xx', 'xx'])
      await withPython(text, async (second) => expect(valueOf(await second.ask())).toEqual(['x', 'x']))
    })
    expect(existsSync('/dev/shm/mark') || existsSync('/tmp/mark')).toBe(false)
  })
})

describe('limits of a program (needs bubblewrap, python3)', () => {
  /** The result of a program's first answer. */
  const first = (answer: string, own = {}, limitMs = 20_000, before = ''): Promise<PlayerEvent> =>
    withPython(answering(answer, before), ({ ask }) => ask(undefined, limitMs), own)

  boxed('memory', async () => {
    const event = await first(`hog = []\nwhile True: hog.append(bytearray(10_000_000))`, { memoryMb: 128 })
    expect(event).toMatchObject({ type: 'fault', to: 1, gone: true, fault: { kind: 'memory' } })
  })

  boxed('memory of all its processes together', async () => {
    const event = await first(
      `for _ in range(8):
  if os.fork() == 0:
    hog = bytearray(b'x') * 40_000_000
    time.sleep(60)
time.sleep(60)`,
      { memoryMb: 200 },
    )
    expect(event).toMatchObject({ to: 1, gone: true, fault: { kind: 'memory' } })
  })

  boxed('a fork bomb', async () => {
    // Memory that a child shares with its parent is counted for both.
    const event = await first(
      `
while True:
  try: os.fork()
  except OSError: pass`,
      { memoryMb: 65_536 },
    )
    expect(event).toMatchObject({ to: 1, gone: true, fault: { kind: 'isolation' } })
  })

  boxed('disk: /tmp and /dev/shm are small, files and descriptors few', async () => {
    const [tmp, shm, descriptors] = valueOf(
      await withPython(
        answering(`
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
def fill(path):
  size = 0
  try:
    with open(path, 'wb', 0) as file:
      while size < 100_000_000: size += file.write(b'x' * 1_000_000)
  except OSError: pass
  return size
sizes = [fill('/tmp/a'), fill('/dev/shm/a')]
files = []
try:
  while len(files) < 1000: files.append(open('/dev/null'))
except OSError: pass
return sizes + [len(files)]`),
        ({ ask }) => ask(),
      ),
    ) as number[]
    expect(tmp).toBeLessThan(20_000_000)
    expect(shm).toBeLessThan(20_000_000)
    expect(descriptors).toBeLessThan(260)
  })

  boxed('time at work, and time asleep', async () => {
    expect(await first('while True: pass', {}, 400)).toMatchObject({ to: 1, gone: false, fault: { kind: 'timeout' } })
    // Asked twice: Python's own start is work.
    await withPython(answering(`if m['type'] == 'sleep': time.sleep(60)`), async ({ ask }) => {
      await ask()
      expect(await ask({ type: 'sleep' }, 5_000)).toMatchObject({ to: 2, gone: false, fault: { kind: 'stall' } })
    })
  })

  boxed('loading the machine buys nothing: not time, and no match that does not count', async () => {
    // Children that end soon take what they have computed with them; their waiting time does not excuse it.
    const event = await first(
      `
while True:
  for _ in range(24):
    if os.fork() == 0:
      end = time.monotonic() + 0.06
      while time.monotonic() < end: pass
      os._exit(0)
  for _ in range(24): os.wait()`,
      { memoryMb: 65_536 },
      300,
    )
    expect(event).toMatchObject({ to: 1, fault: { kind: 'timeout' } })
  })

  boxed('orphans die with it, whatever they left', async () => {
    const { folder, remove } = packageOf(
      'agent.py',
      answering(`
if os.fork() == 0:
  os.setsid()
  if os.fork() == 0:
    os.closerange(0, 256)
    time.sleep(600)
  os._exit(0)
return 1`),
    )
    const earlier = descendants(process.pid)
    const { ask, player } = await seatProgram(host!, { folder, command: ['python3', 'agent.py'] })
    expect(valueOf(await ask())).toBe(1)
    const left = descendants(process.pid).filter((pid) => !earlier.includes(pid))
    expect(left.length).toBeGreaterThanOrEqual(4)
    player.close()
    while (left.some(isRunning)) await turn()
    remove()
  })

  /** Leaves the group and the session by two forks, has nothing of ours in its environment, and stays. */
  const escape = (name: string): string => `
pid = os.fork()
if pid == 0:
  os.setsid()
  if os.fork() == 0:
    if m['wipe']:
      unmarked = "import os, time; open('/proc/self/comm', 'w').write('${name}'); os.closerange(0, 256); time.sleep(600)"
      os.execve('/usr/bin/python3', ['python3', '-c', unmarked], {})
    open('/proc/self/comm', 'w').write('${name}')
    os.closerange(0, 256)
    time.sleep(600)
  os._exit(0)
os.waitpid(pid, 0)
return 1`
  const named = (name: string): readonly string[] =>
    readdirSync('/proc').filter((pid) => {
      try {
        return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/comm`, 'latin1').startsWith(name)
      } catch {
        return false
      }
    })
  /** Lets a program without a box leave an orphan; resolves when that has ended with it. */
  const orphaned = async (name: string, wipe: boolean): Promise<void> => {
    const bare = programHost('none')
    const play = async ({ ask }: SeatedProgram): Promise<void> => {
      expect(valueOf(await ask({ type: 'turn', wipe }))).toBe(1)
      while (named(name).length === 0) await turn()
    }
    await withPython(answering(escape(name)), play, {}, 'match', bare)
    while (named(name).length > 0) await turn()
    await bare.close()
  }
  const bare = test.skipIf(!has('none') || !hasPython)

  bare('without a box orphans die as well (needs python3)', () => orphaned('orphan-of-test', false))

  test.skipIf(!has('none') || !hasPython || ownPids === null)(
    'also one that nothing marks any more (needs python3, process namespaces)',
    () => orphaned('unmarked-orphan', true),
  )

  bare('without a box a program has its input, its output and its exit code as in one (needs python3)', async () => {
    const held = programHost('none')
    const text = saying('exit code 7')
    const play = async ({ ask }: SeatedProgram): Promise<void> => {
      expect(valueOf(await ask({ type: 'turn', x: 20 }))).toBe(21)
      expect(await ask({ type: 'turn', x: 0 })).toMatchObject({ to: 2, gone: true, fault: { kind: 'crash', text } })
    }
    await withPython(answering(`if m['x'] == 0: os._exit(7)\nreturn m['x'] + 1`), play, {}, 'match', held)
    await held.close()
  })
})

describe('the dialogue of a program (needs bubblewrap, python3)', () => {
  const raw = (body: string): string => `import sys, json, os, time\n${body}`
  /** Runs a whole program and gives what comes of one question. */
  const event = (body: string, limitMs = 20_000, own = {}): Promise<PlayerEvent> =>
    withPython(raw(body), ({ ask }) => ask(undefined, limitMs), own)

  boxed.each([
    ['a 1 GB line', `sys.stdin.readline()\nwhile True: sys.stdout.write('x' * 1_000_000)`, 'protocol', true],
    [
      'bytes that are not UTF-8',
      `sys.stdin.readline()\nos.write(1, b'{"actions":["\\xff\\xfe"]}\\n')\ntime.sleep(60)`,
      'protocol',
      false,
    ],
    ['text that is not JSON', `sys.stdin.readline()\nprint('hello', flush=True)\ntime.sleep(60)`, 'protocol', false],
    ['NUL and escapes', `sys.stdin.readline()\nos.write(1, b'\\0\\x1b[2J\\n')\ntime.sleep(60)`, 'protocol', false],
    ['ending', `sys.stdin.readline()\nsys.exit(0)`, 'crash', true],
    ['killing itself', `sys.stdin.readline()\nos.kill(os.getpid(), 9)`, 'crash', true],
    ['killing all it can', `sys.stdin.readline()\nos.kill(-1, 9)\ntime.sleep(60)`, 'crash', true],
    ['a flood on stderr', `sys.stdin.readline()\nwhile True: os.write(2, b'x' * 65536)`, 'protocol', true],
    [
      'a number that no history holds',
      `sys.stdin.readline()\nprint('{"actions":[1e999]}', flush=True)\ntime.sleep(60)`,
      'invalid',
      false,
    ],
  ])('%s', async (_what, body, kind, gone) => {
    expect(await event(body, 20_000, { messageBytes: 65_536 })).toMatchObject({ type: 'fault', gone, fault: { kind } })
  })

  boxed('a line that is not an answer gets the advice to print to standard error', async () => {
    const printing = `sys.stdin.readline()\nprint('hello', flush=True)\ntime.sleep(60)`
    expect(await event(printing)).toMatchObject({ fault: { text: saying('hello', 'file=sys.stderr') } })
  })

  const closing = `sys.stdin.readline()\nos.close(1)\ntime.sleep(600)`
  const closed = { kind: 'crash', text: saying('closed', 'output') }

  boxed('closing stdout and staying is seen at once, whatever time is left', async () => {
    expect(await event(closing, 600_000)).toMatchObject({ to: 1, gone: true, fault: closed })
  })

  boxed('so it is while nobody asks', async () => {
    await withPython(
      raw(`print('{"actions":["I am here"]}', flush=True)\nos.close(1)\ntime.sleep(600)`),
      async ({ next }) => {
        expect(await next()).toMatchObject({ type: 'said' })
        const event = await next()
        expect(event).toMatchObject({ type: 'fault', gone: true, fault: closed })
        expect(event).not.toHaveProperty('to')
      },
    )
  })

  boxed('and of a process a move, which the next move does without', async () => {
    const text = raw(`
print('{"ready":true}', flush=True)
m = json.loads(sys.stdin.readline())
if m['x'] == 1: os.close(1); time.sleep(600)
print(json.dumps({'question': m['question'], 'actions': ['two']}), flush=True)
time.sleep(600)`)
    await withPython(
      text,
      async ({ ask }) => {
        expect(await ask({ type: 'turn', x: 1 }, 600_000)).toMatchObject({ to: 1, gone: false, fault: closed })
        expect(await ask({ type: 'turn', x: 2 })).toMatchObject({ to: 2, value: { actions: ['two'] } })
      },
      {},
      'move',
    )
  })

  test.skipIf(!has('none') || !hasPython)('without a box it is seen as well (needs python3)', async () => {
    const bare = programHost('none')
    const play = ({ ask }: SeatedProgram): Promise<PlayerEvent> => ask(undefined, 600_000)
    expect(await withPython(raw(closing), play, {}, 'match', bare)).toMatchObject({ to: 1, gone: true, fault: closed })
    await bare.close()
  })

  boxed('one that ends after it has closed its output is said to have ended so', async () => {
    const text = saying('exit code 7')
    expect(await event(`sys.stdin.readline()\nos.close(1)\nos._exit(7)`)).toMatchObject({ to: 1, fault: { text } })
  })

  boxed('one that never reads is given up, and holds little of us', async () => {
    await withPython(raw('time.sleep(600)'), async ({ player, next }) => {
      const large = { type: 'turn', text: 'x'.repeat(8_000_000) }
      for (let i = 0; i < 9; i++) player.tell(large)
      expect(await next()).toMatchObject({ type: 'fault', gone: true, fault: { kind: 'protocol' } })
    })
  })

  boxed('answers that come early, twice and late shift nothing', async () => {
    const text = raw(`
print('{"actions":["early"]}', flush=True)
def question(): return json.loads(sys.stdin.readline())['question']
def say(number, text): print(json.dumps({'question': number, 'actions': [text]}), flush=True)
first = question()
say(first, 'one'); say(first, 'one again'); say(first + 1, 'two, foreseen')
second = question()
say(second, 'two')
third = question()
sys.stdin.readline()
say(third, 'three, late')
fourth = question()
say(fourth, 'four')
time.sleep(60)`)
    await withPython(text, async ({ ask, next }) => {
      // Unasked, since it may arrive after the first question has been put, and answers it then.
      const early = await next()
      expect(early).toMatchObject({ type: 'said' })
      expect(await ask()).toMatchObject({ type: 'answer', to: 1, value: { actions: ['one'] } })
      expect(await next()).toMatchObject({ type: 'said', value: { actions: ['one again'] } })
      expect(await next()).toMatchObject({ type: 'said', value: { actions: ['two, foreseen'] } })
      expect(await ask()).toMatchObject({ type: 'answer', to: 2, value: { actions: ['two'] } })
      expect(await ask(undefined, 100)).toMatchObject({ type: 'fault', to: 3, gone: false })
      expect(await next()).toMatchObject({ type: 'answer', to: 3, value: { actions: ['three, late'] } })
      expect(await ask()).toMatchObject({ type: 'answer', to: 4, value: { actions: ['four'] } })
    })
  })

  boxed('a process a move: the state that it asks for is handed on, and nothing else', async () => {
    const text = raw(`
open('/tmp/mark', 'a').write('x')
print('{"ready":true}', flush=True)
m = json.loads(sys.stdin.readline())
if m['x'] == 3: sys.exit(3)
state = (m['state'] or 0) + m['x']
print(json.dumps({'question': m['question'], 'actions': [state, m['start']['x'], open('/tmp/mark').read()], 'state': state}), flush=True)
time.sleep(60)`)
    await withPython(
      text,
      async ({ ask }) => {
        expect(await ask({ type: 'start', x: 1 })).toMatchObject({ value: { actions: [1, 1, 'x'] } })
        expect(await ask({ type: 'turn', x: 10 })).toMatchObject({ value: { actions: [11, 1, 'x'] } })
        expect(await ask({ type: 'turn', x: 3 })).toMatchObject({
          type: 'fault',
          to: 3,
          fault: { kind: 'crash' },
          gone: false,
        })
        expect(await ask({ type: 'turn', x: 100 })).toEqual({
          type: 'answer',
          to: 4,
          value: { actions: [111, 1, 'x'] },
          tookMs: expect.any(Number) as number,
        })
      },
      {},
      'move',
    )
  })

  boxed('killed from outside, it has no fault: the match does not count', async () => {
    const earlier = descendants(process.pid)
    await withPython(answering('return 1'), async ({ ask, player, next }) => {
      await ask()
      const outermost = descendants(process.pid).find((pid) => !earlier.includes(pid))!
      player.ask(9, { type: 'turn' }, 20_000)
      process.kill(outermost, 'SIGKILL')
      const event = await next()
      // It may have answered before it was killed.
      const last = event.type === 'answer' ? await next() : event
      expect(last).toEqual({ type: 'interrupted', reason: saying('process', 'SIGKILL') })
    })
  })

  boxed('a command that is not there is its own crash, not the host', async () => {
    const { folder, remove } = packageOf('agent.py', '')
    const { ask } = await seatProgram(host!, { folder, command: ['no-such-interpreter'] })
    expect(await ask()).toMatchObject({ type: 'fault', gone: true, fault: { kind: 'crash' } })
    remove()
  })

  test("Node's permission model refuses a program in a sentence", async () => {
    const { folder, remove } = packageOf('agent.py', '')
    const held = programHost('permission')
    const { next } = await seatProgram(held, { folder, command: ['python3', 'agent.py'] })
    const event = await next()
    expect(event).toMatchObject({ type: 'fault', gone: true, fault: { kind: 'host' } })
    expect((event as { fault: { text: string } }).fault.text).toContain('scripts only')
    remove()
    await held.close()
  })
})
