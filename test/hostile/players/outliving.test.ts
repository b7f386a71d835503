import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { ownGroups } from '../../../main/players/isolation/groups/detect.ts'
import { noGroups } from '../../../main/players/isolation/groups/none.ts'
import { findTools } from '../../../main/players/isolation/runtime.ts'
import { createProgramHost, type ProgramHost } from '../../../main/players/program-player.ts'
import { buildProgram } from '../../../main/services/packages/build.ts'
import { has, hasPython, packageOf, seatProgram } from './programs.ts'
import { files } from './seats.ts'

/** Starts a process that wants to outlive its box, under a name; then tries to take over the others of the box. */
const attack = (name: string): string => `
import json, os, sys, time
def outlive():
    if os.fork() > 0: return
    os.setsid()
    if os.fork() > 0: os._exit(0)
    for fd in range(64):
        try: os.close(fd)
        except OSError: pass
    os.execve('/bin/sh', ['sh', '-c', 'trap "" TERM HUP INT; while :; do sleep 1; done # ${name}'], {})
def taken():
    got = []
    for pid in [p for p in os.listdir('/proc') if p.isdigit() and int(p) < os.getpid()]:
        for file, mode in [('mem', 'r+b'), ('environ', 'rb'), ('maps', 'r'), ('fd/0', 'rb')]:
            for path in ['/proc/' + pid + '/' + file, '/proc/' + pid + '/task/' + pid + '/' + file, '/proc/self/root/proc/' + pid + '/' + file]:
                try:
                    if pid == '1':
                        open(path, mode)
                        got.append(path)
                except OSError: pass
    return got
outlive()
time.sleep(0.2)
got = taken()
`

/** The live processes of this name, on the whole machine. */
const named = (name: string): readonly string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(`# ${name}`)
    } catch {
      return false
    }
  })

const own = await ownGroups()
const hosts: ProgramHost[] = []
afterAll(() => Promise.all(hosts.map((host) => host.close())))

const without = noGroups('this test has none', (await findTools()).sh)
const inBox = describe.skipIf(!has('bubblewrap') || !hasPython)

inBox.each([
  ['with control groups', own],
  ['without', without],
])('a process that wants to outlive its match, %s (needs bubblewrap, python3)', (_name, groups) => {
  test.skipIf(groups.version === null && groups !== without)(
    'cannot reach process 1 of its box, and ends with it',
    async () => {
      const name = randomUUID()
      const host = createProgramHost({ tier: 'bubblewrap', nodeBinary: files.nodeBinary, groups })
      hosts.push(host)
      const text = `${attack(name)}
for line in sys.stdin: print(json.dumps({'question': json.loads(line)['question'], 'actions': [got]}), flush=True)`
      const { folder, remove } = packageOf('agent.py', text)
      const { player, ask } = await seatProgram(host, { folder, command: ['python3', 'agent.py'] })
      expect(await ask()).toMatchObject({ type: 'answer', value: { actions: [[]] } })
      expect(named(name).length).toBeGreaterThan(0)
      player.close()
      await expect.poll(() => named(name), { timeout: 10_000 }).toEqual([])
      remove()
    },
  )
})

inBox('a process that a build leaves behind (needs bubblewrap, python3)', () => {
  test('ends with the build, and cannot reach process 1 either', async () => {
    const name = randomUUID()
    const script = `${attack(name)}
open('result.json', 'w').write(json.dumps(got))`
    const made = await buildProgram({
      fileName: 'agent.zip',
      files: [{ path: 'build.py', bytes: new TextEncoder().encode(script) }],
      command: ['python3', 'build.py'],
      isolation: () => Promise.resolve('bubblewrap'),
    })
    const result = made.find((file) => file.path === 'result.json')
    expect(new TextDecoder().decode(result?.bytes)).toBe('[]')
    await expect.poll(() => named(name), { timeout: 10_000 }).toEqual([])
  })
})
