import process from 'node:process'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { PlayerEvent } from '../../../main/contract/players/player.ts'
import { ownGroups } from '../../../main/players/isolation/groups/detect.ts'
import { allowedCores, keepTo } from '../../../main/services/machine/workers.ts'
import { has, hasPython, packageOf, programHost, seatProgram, type SeatedProgram } from './programs.ts'

const groups = await ownGroups()
const able = groups.version !== null && has('bubblewrap') && hasPython
const host = able ? programHost('bubblewrap') : null
const undo: (() => void)[] = []
afterEach(() => {
  for (const each of undo.splice(0)) each()
})
const cores = allowedCores()
// As the agents of a contest with a worker for each core; agents cannot choose.
if (able) await keepTo(cores.slice(0, 1), process.pid)
afterAll(async () => {
  await host?.close()
  if (able) await keepTo(cores, process.pid)
})

/** `compute` computes for the given ms. */
const computing = `
import json, os, select, sys, time
def compute(ms):
    end = time.process_time() + ms / 1000
    while time.process_time() < end: pass
`

async function seated(text: string): Promise<SeatedProgram> {
  const { folder, remove } = packageOf('agent.py', computing + text)
  const program = await seatProgram(host!, { folder, command: ['python3', 'agent.py'] }, { startMs: 60_000 })
  undo.push(() => {
    program.player.close()
    remove()
  })
  return program
}

/** `compute` is how long it computes, in ms. */
const honest = `
for line in sys.stdin:
    m = json.loads(line)
    compute(m['compute'])
    print(json.dumps({'question': m['question'], 'actions': [1]}), flush=True)`

const tookMs = (event: PlayerEvent): number => (event.type === 'answer' ? event.tookMs : Infinity)

describe.skipIf(!able)(`an agent pays for what it computes (needs control groups, bubblewrap, python3)`, () => {
  test('a main thread that lets relays compute, and waits for them, is late', async () => {
    // A relay starts the next one and is gone; the main thread looks, at the lowest priority, whether the last one is done.
    const { ask } = await seated(`
try: os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
except OSError: pass
def relays(ms):
    got, give = os.pipe()
    if os.fork() == 0:
        try: os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
        except OSError: pass
        spent = 0
        while spent < ms:
            compute(0.3)
            spent += 1
            if os.fork() > 0: os._exit(0)
        os.write(give, b'x')
        os._exit(0)
    while not select.select([got], [], [], 0)[0]: pass
for line in sys.stdin:
    m = json.loads(line)
    relays(400)
    print(json.dumps({'question': m['question'], 'actions': [1]}), flush=True)`)
    expect(await ask({ type: 'turn' }, 100)).toMatchObject({ type: 'fault', fault: { kind: 'timeout' } })
  })

  test.each([
    ['has the name of a zombie', `ctypes.CDLL(None).prctl(15, b') Z 0 0 (', 0, 0, 0); compute(400)`],
    [
      'is stopped while a child computes for it',
      `
    me = os.getpid()
    if os.fork() == 0:
        compute(400); os.kill(me, signal.SIGCONT); os._exit(0)
    os.kill(me, signal.SIGSTOP)`,
    ],
    [
      'has 60 threads that give their turns to each other',
      `
    def turn():
        end = time.time() + 0.6
        while time.time() < end: os.sched_yield()
    threads = [threading.Thread(target=turn) for n in range(60)]
    for each in threads: each.start()
    for each in threads: each.join()`,
    ],
    [
      'has 500 children, one after the other, that compute for less than a millisecond',
      `
    for n in range(500):
        if os.fork() == 0: compute(0.8); os._exit(0)
        os.wait()`,
    ],
    ['sleeps', 'time.sleep(0.4)'],
  ])('one that %s is late', async (_, work) => {
    const { ask } = await seated(`
import ctypes, signal, threading
for line in sys.stdin:
    m = json.loads(line)
    ${work}
    print(json.dumps({'question': m['question'], 'actions': [1]}), flush=True)`)
    expect(await ask({ type: 'turn' }, 100)).toMatchObject({ type: 'fault', fault: { kind: 'timeout' } })
  })

  test('115 busy processes while another is on move hardly delay it', async () => {
    const { ask } = await seated(honest)
    const fastest = async (): Promise<number> => {
      const times: number[] = []
      for (let n = 0; n < 6; n++) times.push(tookMs(await ask({ type: 'turn', compute: 60 })))
      return Math.min(...times)
    }
    const alone = await fastest()
    const villain = await seated(`
for line in sys.stdin:
    m = json.loads(line)
    for n in range(115):
        if os.fork() == 0:
            os.setsid()
            while True: pass
    print(json.dumps({'question': m['question'], 'actions': [1]}), flush=True)`)
    expect(await villain.ask({ type: 'turn' })).toMatchObject({ type: 'answer' })
    // Other programs of the machine only slow it down, and not for ever: the best of some rounds counts.
    let beside = await fastest()
    for (let round = 0; round < 10 && beside >= alone * 2 + 60; round++) beside = Math.min(beside, await fastest())
    expect(beside).toBeLessThan(alone * 2 + 60)
  })

  test('one that uses three quarters of its limit is not late while 8 others compute', async () => {
    const { ask } = await seated(honest)
    // The first turn may hold what is left of Python's start.
    expect(await ask({ type: 'turn', compute: 0 })).toMatchObject({ type: 'answer' })
    await seated(`
for n in range(8):
    if os.fork() == 0:
        os.setsid()
        while True: pass
${honest}`)
    for (let n = 0; n < 20; n++) expect(await ask({ type: 'turn', compute: 75 }, 100)).toMatchObject({ type: 'answer' })
  })
})
