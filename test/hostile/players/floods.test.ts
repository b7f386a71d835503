import { afterAll, describe, expect, test } from 'vitest'
import { has, hasPython, packageOf, programHost, seatProgram } from './programs.ts'

const host = programHost('bubblewrap')
afterAll(() => host.close())

const honest = packageOf(
  'main.py',
  `import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if 'question' in message: print(json.dumps({'question': message['question'], 'actions': []}), flush=True)
`,
)
const flooding = packageOf(
  'main.py',
  `import sys
sys.stdin.readline()
lines = b'{"actions":[]}\\n' * 4096
for _ in range(500): sys.stdout.buffer.write(lines)
sys.stdout.buffer.flush()
sys.stdin.read()
`,
)
afterAll(() => [honest, flooding].forEach(({ remove }) => remove()))
const command = ['python3', 'main.py']

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

describe.skipIf(!has('bubblewrap') || !hasPython)(
  'two million valid lines that nobody asked for (needs bubblewrap, python3)',
  () => {
    test('do not keep the agent of another match waiting', async () => {
      const neighbour = await seatProgram(host, { folder: honest.folder, command })
      const flood = await seatProgram(host, { folder: flooding.folder, command })
      let said = 0
      let over = false
      void (async () => {
        while (!over) {
          await flood.next()
          said += 1
        }
      })()
      flood.player.tell({ type: 'turn' })
      const took: number[] = []
      while (took.length < 40 || said < 20_000) {
        const started = performance.now()
        expect(await neighbour.ask()).toMatchObject({ type: 'answer' })
        took.push(performance.now() - started)
      }
      over = true
      // The flood is still going on: otherwise this has shown nothing.
      expect(said).toBeLessThan(2_000_000)
      expect(median(took)).toBeLessThan(25)
      flood.player.close()
      neighbour.player.close()
    })
  },
)
