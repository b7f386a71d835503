import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { startAgentProcess } from '../../../main/players/scripts/agent-process.ts'
import { availableTiers } from '../../../main/players/isolation/detect.ts'
import { seccompFilter } from '../../../main/players/isolation/seccomp.ts'
import { startLaunch } from '../../../main/players/isolation/box-process.ts'
import { machineOf } from '../../../main/players/isolation/system-calls.ts'
import { createLauncher } from '../../../main/players/isolation/tiers.ts'
import { attackCalls } from '../../../main/players/isolation/self-test/system-call-attacks.ts'
import { descendants } from '../../../main/players/proc.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { files } from './seats.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const machine = process.platform === 'linux' ? machineOf(process.arch) : null
const boxed =
  machine !== null && (await availableTiers(files)).some((tier) => tier.tier === 'bubblewrap' && tier.available)
const bwrap = '/usr/bin/bwrap'
const hasPython = boxed && spawnSync('/usr/bin/python3', ['-c', 'import ctypes'], { env: {} }).status === 0
const isRoot = process.getuid?.() === 0
const folder = temporaryFolder('filter')
chmodSync(folder, 0o755)

describe('system calls that namespaces do not cover', () => {
  test.skipIf(!boxed)('are refused in the box, every one (needs bubblewrap)', async () => {
    const findings = await attackCalls('bubblewrap', files)
    expect(findings?.length).toBeGreaterThan(6)
    expect(findings?.filter(({ refused }) => !refused)).toEqual([])
    // It ran to its end: nothing is refused by its being dead.
    const known = findings?.filter(({ name }) => !name.includes('architectures')).flatMap(({ results }) => results)
    expect(known).not.toContain(null)
  })

  test.skipIf(machine === null)(
    'are real: outside the box nearly all of them get another answer (needs Linux)',
    async () => {
      const outside = await attackCalls('none', files)
      for (const name of [
        "the kernel's keyrings",
        'ptrace and the memory of other processes',
        'keystrokes for a terminal',
      ]) {
        const finding = outside?.find((each) => each.name === name)
        for (const result of finding?.results ?? []) expect([name, [-1, -38].includes(result!)]).toEqual([name, false])
      }
      const sockets = outside?.find(({ name }) => name.startsWith('sockets'))?.results
      expect(sockets?.[0]).toBeGreaterThan(2)
      expect(sockets?.[2]).toBeGreaterThan(2)
      // A pair of these is for no kernel to make, but it says so in another word.
      expect(sockets).toHaveLength(6)
      expect([-1, -38, -97]).not.toContain(sockets?.[5])
    },
  )

  test.skipIf(!boxed)(
    'every process of an agent is under the filter and can gain no privilege (needs bubblewrap)',
    async () => {
      const launch = (await createLauncher('bubblewrap', files.nodeBinary, files.hostFile))(256)
      if ('missing' in launch) throw new Error(launch.missing)
      const agent = startAgentProcess(launch)
      expect(await agent.started).toBe(null)
      const status = readFileSync(`/proc/${descendants(agent.pid).at(-1)!}/status`, 'latin1')
      expect(status).toMatch(/^Seccomp:\t2$/m)
      expect(status).toMatch(/^NoNewPrivs:\t1$/m)
      expect(status).toMatch(/^CapEff:\t0+$/m)
      expect(status).toMatch(/^CapBnd:\t0+$/m)
      agent.kill()
      await agent.exited
    },
  )

  test.skipIf(!boxed || !isRoot)('for an ordinary user as well (needs bubblewrap and root)', () => {
    const copy = join(folder, 'project')
    mkdirSync(copy)
    for (const part of ['main', 'dist', 'package.json']) cpSync(join(root, part), join(copy, part), { recursive: true })
    cpSync(join(root, 'node_modules/zod'), join(copy, 'node_modules/zod'), { recursive: true, dereference: true })
    copyFileSync(files.nodeBinary, join(copy, 'node'))
    const text = `
      import { attackCalls } from './main/players/isolation/self-test/system-call-attacks.ts'
      const findings = await attackCalls('bubblewrap', { nodeBinary: process.execPath, hostFile: process.cwd() + '/dist/host.cjs' })
      console.log(JSON.stringify([process.getuid(), findings.filter(({ refused }) => !refused)]))`
    const { stdout, stderr } = spawnSync(
      'setpriv',
      // prettier-ignore
      ['--reuid=41234', '--regid=41234', '--clear-groups', '--', join(copy, 'node'), '--no-warnings', '--input-type=module', '-e', text],
      { cwd: copy, encoding: 'utf8', env: { HOME: '/nonexistent' } },
    )
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual([41234, []])
  })
})

/** Python under the filter alone, with all of this machine's files: its output. */
function python(program: string, filter = seccompFilter(machine!, 'agent')): Promise<string> {
  const args = ['--dev-bind', '/', '/', '--seccomp', '3', '--', '/usr/bin/python3', '-c', program]
  const child = startLaunch({ file: bwrap, args, filter })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  return new Promise((resolve) => child.on('close', () => resolve(text.trim())))
}

describe('what programs need', () => {
  test.skipIf(!hasPython)(
    'threads, processes, pipes and local sockets work under the filter (needs python3)',
    async () => {
      const program = `
import socket, subprocess, sys, threading, tempfile
a, b = socket.socketpair()
a.send(b'x')
seen = [b.recv(1).decode()]
thread = threading.Thread(target=lambda: seen.append('thread'))
thread.start(); thread.join()
seen.append(subprocess.run([sys.executable, '-c', 'print("child")'], capture_output=True, text=True).stdout.strip())
with tempfile.TemporaryFile() as f: f.write(b'x')
try: socket.socket(socket.AF_INET)
except OSError as e: seen.append(e.errno)
print(*seen)`
      expect(await python(program)).toBe('x thread child 97')
    },
  )

  test.skipIf(!hasPython)(
    'another program is refused what ours is: to ctypes the call does not exist (needs python3)',
    async () => {
      const program = (number: number): string => `
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print(libc.syscall(${number}, 0, -3, 0) , ctypes.get_errno())`
      const keyctl = machine === 'x64' ? 250 : 219
      expect(await python(program(keyctl))).toBe('-1 38')
      const allowAll = Uint8Array.of(0x06, 0, 0, 0, 0, 0, 0xff, 0x7f)
      expect(await python(program(keyctl), allowAll)).not.toBe('-1 38')
    },
  )
})
