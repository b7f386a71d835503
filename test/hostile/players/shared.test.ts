import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'
import process from 'node:process'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'
import type { PlayerEvent } from '../../../main/contract/players/player.ts'
import { createCommonFolder } from '../../../main/players/isolation/common-folder.ts'
import type { CommonFolder } from '../../../main/players/isolation/launch.ts'
import { createScriptPool, type ScriptPool } from '../../../main/players/scripts/script-pool.ts'
import { descendants, isRunning } from '../../../main/players/proc.ts'
import { has, hasPython, packageOf, programHost, seatProgram } from './programs.ts'
import { files, seat } from './seats.ts'
import { saying } from '../../refusal.ts'

const here = has('shared')
if (!here || !hasPython) {
  process.stderr.write('Skipped: tests of the tier "shared". They need bubblewrap, util-linux and /usr/bin/python3\n')
}

const poolOf = (tier: 'shared' | 'bubblewrap'): ScriptPool =>
  createScriptPool({ ...files, tier, warmMax: 4, recycleAfter: 1_000 })
const pool = here ? poolOf('shared') : null
const host = here ? programHost('shared') : null
afterAll(async () => {
  await pool?.close()
  await host?.close()
})

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A match's folder, which ends with the test. */
async function folder(): Promise<CommonFolder> {
  const common = await createCommonFolder()
  if (typeof common === 'string') throw new Error(common)
  onTestFinished(() => common.close())
  return common
}

/** An agent's answer. */
type Asked = (...message: Json[]) => Promise<unknown>
const valueOf = (event: PlayerEvent): unknown => (event.type === 'answer' ? event.value : event)

/** A script that does with the folder what it is asked; what it throws is its answer. */
async function script(common: CommonFolder, source = obeying): Promise<Asked> {
  const { player, ask } = await seat(pool!, source, { common })
  onTestFinished(() => player.close())
  return async (...message) => valueOf(await ask(message))
}
const obeying = `module.exports = ([what, ...given]) => {
  try { return shared[what](...given) ?? null } catch (error) { return error.message }
}`

/** A program that gives the value of each Python expression that it is asked; the name of an error is one. */
async function program(common: CommonFolder): Promise<Asked> {
  const { folder: place, remove } = packageOf('agent.py', python)
  const { player, ask } = await seatProgram(host!, { folder: place, command: ['python3', 'agent.py'] }, {}, common)
  onTestFinished(() => {
    player.close()
    remove()
  })
  return async (expression) => {
    const value = valueOf(await ask({ type: 'turn', expression: expression! }))
    const { actions } = value as { readonly actions?: readonly unknown[] }
    return actions === undefined ? value : actions[0]
  }
}
const python = `
import sys, json, os, errno, fcntl, signal, socket, stat, subprocess
# Whoever holds a lease is told when another one wants the file.
signal.signal(signal.SIGIO, signal.SIG_IGN)
def put(name, text=''):
    with open('/shared/' + name, 'w') as file: file.write(text)
def get(name):
    with open('/shared/' + name) as file: return file.read()
def until_full(make):
    n = 0
    try:
        while n < 1000000:
            make(n)
            n += 1
    except OSError as error: return [n, errno.errorcode[error.errno]]
    return n
def leased(name):
    global lease
    lease = os.open('/shared/' + name, os.O_RDWR | os.O_CREAT)
    fcntl.fcntl(lease, fcntl.F_SETLEASE, fcntl.F_WRLCK)
for line in sys.stdin:
    m = json.loads(line)
    if m['type'] == 'refused': continue
    try: value = eval(m['expression'])
    except OSError as error: value = errno.errorcode.get(error.errno, str(error))
    print(json.dumps({'question': m['question'], 'actions': [value]}), flush=True)
`

describe.skipIf(!here)('scripts with a folder in common (needs bubblewrap)', () => {
  test('one reads what another one has written, whole, and nobody of another match does', async () => {
    const common = await folder()
    const [anna, bert, eve] = await Promise.all([script(common), script(common), script(await folder())])
    expect(await anna('read', 'plan.json')).toBe(null)
    expect(await anna('write', 'plan.json', '{"price":"½"}')).toBe(null)
    expect(await bert('read', 'plan.json')).toBe('{"price":"½"}')
    expect(await bert('write', 'plan.json', 'x')).toBe(null)
    expect(await anna('read', 'plan.json')).toBe('x')
    expect(await anna('list')).toEqual(['plan.json'])
    expect([await eve('list'), await eve('read', 'plan.json')]).toEqual([[], null])
  })

  test('its names are names and no paths', async () => {
    const anna = await script(await folder())
    for (const name of ['', '.', '..', '.x', '../x', '/x', 'a/b', 'a\0b', 'a\nb', 'é', 'x'.repeat(65)]) {
      expect(await anna('read', name)).toEqual(saying('shared folder', 'name', '64 letters'))
      expect(await anna('write', name, '')).toEqual(saying('shared folder', 'name', '64 letters'))
    }
    for (const name of [null, 1, {}, ['x']]) {
      expect(await anna('read', name)).toEqual(saying('shared folder', 'strings'))
      expect(await anna('write', 'x', name)).toEqual(saying('shared folder', 'strings'))
    }
    expect(await anna('write', 'x', 'x'.repeat(1_048_577))).toEqual(saying('shared folder', 'text', '1048576 bytes'))
    expect(await anna('list')).toEqual([])
  })

  test('it is full at some time, and what was there stays', async () => {
    const anna = await script(await folder())
    const text = 'x'.repeat(1_000_000)
    let number = 0
    while (number < 30 && (await anna('write', `f${number}`, text)) === null) number++
    expect(number).toBeGreaterThan(10)
    expect(number).toBeLessThan(17)
    expect(await anna('write', 'f0', text)).toEqual(saying('shared folder', 'full'))
    expect(await anna('read', 'f0')).toBe(text)
    expect(await anna('list')).toHaveLength(number)
  })

  test('its door leads out of the realm neither by a function, a stack, an error, nor an overflow', async () => {
    const anna = await script(
      await folder(),
      `const found = new Set()
      const keep = (value) => { if (typeof value === 'function' || (typeof value === 'object' && value !== null)) found.add(value) }
      const prepare = (error, sites) => { for (const site of sites) { keep(site.getThis()); keep(site.getFunction()) } return '' }
      const spoil = () => { Error.prepareStackTrace = prepare; JSON.parse = (text, ...more) => { keep(text); more.map(keep) }; Object.prototype.toJSON = function () { keep(this) } }
      module.exports = () => {
        spoil()
        for (const name of ['x', '..', Symbol.iterator]) try { keep(shared.read(name)) } catch (error) { keep(error.stack); keep(error) }
        let deep = 0
        const dig = () => { deep += 1; try { keep(shared.list()) } catch (error) { keep(error) } dig() }
        try { dig() } catch (error) { keep(error) }
        for (const value of [shared, ...Object.values(shared), ...found]) for (let at = value, n = 0; at && n < 9; at = Object.getPrototypeOf(at), n++) {
          try { if (at.constructor.constructor('return typeof process')() !== 'undefined') return 'out' } catch { }
          try { if (at.constructor('return typeof process')() !== 'undefined') return 'out' } catch { }
        }
        return deep > 100 && found.size > 2
      }`,
    )
    expect(await anna()).toBe(true)
  })

  test('a process serves one match, and ends with it', async () => {
    const common = await folder()
    const earlier = descendants(process.pid)
    const { player, ask } = await seat(pool!, 'let n = 0; module.exports = () => ++n', { common })
    expect(await ask()).toMatchObject({ value: 1 })
    const started = descendants(process.pid).filter((pid) => !earlier.includes(pid))
    expect(started.length).toBeGreaterThan(0)
    player.close()
    while (started.some(isRunning)) await turn()
  })

  test('nobody else has one: not in the tier bubblewrap, and not without a folder', async () => {
    const boxes = poolOf('bubblewrap')
    onTestFinished(() => boxes.close())
    const { player, ask } = await seat(boxes, 'module.exports = () => typeof shared')
    expect(await ask()).toMatchObject({ value: 'undefined' })
    player.close()
    const { next } = await seat(pool!, obeying)
    expect(await next()).toMatchObject({ fault: { kind: 'host' } })
    const closed = await folder()
    closed.close()
    const late = await seat(pool!, obeying, { common: closed })
    expect(await late.next()).toMatchObject({ fault: { kind: 'host' } })
  })
})

describe.skipIf(!here || !hasPython)('programs with a folder in common (needs bubblewrap, python3)', () => {
  test('they find it at /shared, and scripts of the match in the same place', async () => {
    const common = await folder()
    const [anna, bert, script_] = await Promise.all([program(common), program(common), script(common)])
    expect(await anna("put('x', 'hello')")).toBe(null)
    expect(await bert("get('x')")).toBe('hello')
    expect(await script_('read', 'x')).toBe('hello')
    expect(await script_('write', 'y', 'there')).toBe(null)
    expect(await anna("get('y')")).toBe('there')
    expect(await bert("[os.stat('/shared/y').st_uid, os.getuid()]")).toEqual([65534, 65534])
    // Nothing else is in common, and nothing of it is to be seen on this machine.
    expect(await anna("open('/tmp/x', 'w').write('x')")).toBe(1)
    expect(await bert("os.listdir('/tmp')")).toEqual([])
    expect(await bert("sorted(int(n) for n in os.listdir('/proc') if n.isdigit())")).toEqual([1, 2])
    expect(existsSync('/shared')).toBe(false)
    expect(readFileSync('/proc/mounts', 'latin1')).not.toMatch(/^shared /m)
  })

  test('it holds 16 MB and a thousand things, and can be used again when some are gone', async () => {
    const common = await folder()
    const [anna, bert] = await Promise.all([program(common), program(common)])
    expect(await anna("until_full(lambda n: put('f%d' % n, 'x' * 1000000))")).toEqual([16, 'ENOSPC'])
    expect(await bert("put('mine', 'x' * 100000)")).toBe('ENOSPC')
    expect(await bert("[os.remove('/shared/' + name) for name in os.listdir('/shared')] and None")).toBe(null)
    for (const make of [
      "open('/shared/f%d' % n, 'w').close()",
      "os.mkdir('/shared/d%d' % n)",
      "os.symlink('x' * 60, '/shared/l%d' % n)",
      "os.mkfifo('/shared/p%d' % n)",
      "os.link('/shared/one', '/shared/h%d' % n)",
    ]) {
      const [made, why] = (await anna(`put('one') or until_full(lambda n: ${make})`)) as [number, string]
      expect([make, made < 1_024, why]).toEqual([make, true, 'ENOSPC'])
      expect(await bert("subprocess.run('rm -rf /shared/*', shell=True).returncode")).toBe(0)
    }
    expect(await bert("put('mine', 'x') or get('mine')")).toBe('x')
  })

  test('links out of it, devices, setuid programs and sockets are worth nothing', async () => {
    const common = await folder()
    const [anna, bert, script_] = await Promise.all([program(common), program(common), script(common)])
    expect(
      await anna(
        "[os.symlink(to, '/shared/l%d' % n) for n, to in enumerate(['/etc/passwd', '/tmp/own', '..', 'l0'])] and None",
      ),
    ).toBe(null)
    expect(await anna("put('../tmp/own', 'secret') or get('l1')")).toBe('secret')
    // A link is followed by whoever opens it, in its own box.
    expect(await bert("get('l0')")).toBe('ENOENT')
    expect(await bert("get('l1')")).toBe('ENOENT')
    for (const name of ['l0', 'l1', 'l2', 'l3']) {
      expect(await script_('read', name)).toEqual(saying('shared folder', 'plain file'))
    }
    // A file takes the place of the link, and not of what it points to.
    expect(await script_('write', 'l1', 'file')).toBe(null)
    expect(await anna("[get('l1'), open('/tmp/own').read()]")).toEqual(['file', 'secret'])
    expect(await anna("os.mknod('/shared/null', stat.S_IFCHR | 0o666, os.makedev(1, 3))")).toBe('EPERM')
    expect(await anna("os.mknod('/shared/disk', stat.S_IFBLK | 0o666, os.makedev(254, 0))")).toBe('EPERM')
    expect(
      await anna("subprocess.run('cp /usr/bin/id /shared/id && chmod 6755 /shared/id', shell=True).returncode"),
    ).toBe(0)
    expect(await bert("subprocess.run(['/shared/id'])")).toBe('EACCES')
    expect(await anna("socket.socket(socket.AF_UNIX).bind('/shared/door')")).toBe('EPERM')
    expect(await anna("socket.socket(socket.AF_UNIX).bind('\\0door')")).toBe('EPERM')
    expect(await anna("os.chown('/shared/id', 0, 0)")).toBe('EINVAL')
    const mounts = await bert("[line.split()[5] for line in open('/proc/self/mountinfo') if ' /shared ' in line]")
    expect(String(mounts).split(',')).toEqual(expect.arrayContaining(['nosuid', 'nodev', 'noexec']))
  })

  test('a script is neither held up nor misled by what stands in for a file', async () => {
    const common = await folder()
    const [anna, script_] = await Promise.all([program(common), script(common)])
    expect(await anna("os.mkfifo('/shared/pipe') or os.mkdir('/shared/folder')")).toBe(null)
    expect(await anna("leased('leased')")).toBe('EINVAL')
    expect(await anna("os.close(os.open('/shared/' + 'x' * 255, os.O_CREAT)) or put('.hidden')")).toBe(null)
    expect(await anna("put('x' * 256)")).toBe('ENAMETOOLONG')
    expect(await anna("put('locked', 'x') or os.chmod('/shared/locked', 0)")).toBe(null)
    expect(await anna("put('sparse') or os.truncate('/shared/sparse', 15000000)")).toBe(null)
    expect(await script_('list')).toEqual(['folder', 'leased', 'locked', 'pipe', 'sparse'])
    expect(await script_('read', 'pipe')).toEqual(saying('shared folder', 'plain file'))
    expect(await script_('read', 'folder')).toEqual(saying('shared folder', 'plain file'))
    expect(await script_('write', 'folder', '')).toEqual(saying('shared folder', 'plain file'))
    expect(await script_('read', 'leased')).toBe('')
    expect(await script_('read', 'locked')).toEqual(saying('shared folder', 'locked'))
    expect(await script_('read', 'sparse')).toEqual(saying('shared folder', 'text', '1048576 bytes'))
    expect(await script_('write', 'pipe', 'now a file')).toBe(null)
    expect(await script_('read', 'pipe')).toBe('now a file')
    expect(await anna("os.chmod('/shared', 0)")).toBe(null)
    expect(await script_('list')).toEqual(saying('shared folder', 'locked'))
    expect(await script_('read', 'pipe')).toEqual(saying('shared folder', 'locked'))
  })

  test('it ends with its match: with the last box and our hold on it', async () => {
    const common = await folder()
    const held = (): number =>
      readdirSync('/proc/self/fd').filter((fd) => /^(mnt|user):/.test(linkOf(`/proc/self/fd/${fd}`))).length
    const before = held()
    const earlier = descendants(process.pid)
    const anna = await program(common)
    await anna("subprocess.Popen(['sh', '-c', 'trap \"\" HUP TERM; setsid sleep 1000'], cwd='/shared') and None")
    const place = (await anna("os.readlink('/proc/self/ns/mnt')")) as string
    const started = descendants(process.pid).filter((pid) => !earlier.includes(pid))
    expect(started.map((pid) => linkOf(`/proc/${pid}/ns/mnt`))).toContain(place)
    common.close()
    expect(held()).toBe(before - 2)
    // It has what it has until its own end.
    expect(await anna("put('x', 'still') or get('x')")).toBe('still')
    await host!.close()
    while (started.some(isRunning)) await turn()
  })
})

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

test.skipIf(!here)('a player that kills what makes the folder gets no folder, and blames nobody', async () => {
  for (;;) {
    const made = await madeAmongKillers()
    if (typeof made === 'string') return expect(made).toEqual(saying('shared folder', 'created'))
    // All of it was killed a moment too late.
    made.close()
  }
})

/** The fate of a folder while every process that makes it is killed. */
async function madeAmongKillers(): Promise<CommonFolder | string> {
  const earlier = descendants(process.pid)
  let made: CommonFolder | string | null = null
  void createCommonFolder().then((result) => (made = result))
  while (made === null) {
    for (const pid of descendants(process.pid)) if (!earlier.includes(pid)) kill(pid)
    await turn()
  }
  return made
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
