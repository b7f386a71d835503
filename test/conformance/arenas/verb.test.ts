import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { runCli } from '../../../main/cli/program.ts'
import { checkPublished } from '../../published-output.ts'
import { run } from '../../unit/cli/environment.ts'
import { entries, play } from './client.ts'
import { half, soft } from './scripts.ts'

test('tartaglia haggle arena --json: says where it listens, asks for the proof, and ends when it is told to', async () => {
  const stdout = new PassThrough()
  let stop = (): void => undefined
  const environment = {
    stdout,
    stderr: new PassThrough(),
    env: {},
    onInterrupt(callback: () => void) {
      stop = callback
      return () => undefined
    },
    exit: () => undefined,
  }
  const ended = runCli(['haggle', 'arena', '--port', '0', '--pow', '6', '--json'], environment)
  const [line] = (await once(stdout, 'data')) as [Buffer]
  checkPublished(['haggle', 'arena', '--json'], line.toString())
  const told = JSON.parse(line.toString()) as { address: string; arenas: Record<string, string>; scores: string }
  expect(told.address).toMatch(/^127\.0\.0\.1:\d+$/)
  expect(Object.keys(told.arenas)).toEqual(['standard', 'standard_1s', 'large', 'large_1s'])
  const url = told.arenas['standard']!
  const [a, b] = await Promise.all([play({ url, id: 'half', script: half }), play({ url, id: 'soft', script: soft })])
  for (const side of [a, b]) {
    expect(entries(side, 'network')[0]).toEqual(['network', 'Proof of work: 6 bits', 'pow:6'])
    expect(entries(side, 'done')).toEqual([['done', true]])
  }
  expect(await (await fetch(`${told.scores}standard`)).json()).toSatisfy(
    (scores: object) => Object.keys(scores).length === 2,
  )
  stop()
  expect(await ended).toBe(0)
  await expect(fetch(told.scores)).rejects.toThrow()
})

test.each([
  [['--port', '70000'], 'from 0 to 65535'],
  [['--pow', '33'], 'from 0 to 32'],
  [['--pow', '-1'], 'from 0 to 32'],
  [['--host', ''], '--host'],
  [['--host', 'http://x'], 'http://x'],
])('haggle arena %j is refused in words', async (args, words) => {
  const { code, stderr } = await run('haggle', 'arena', ...args)
  expect(code).toBe(2)
  expect(stderr).toContain(words)
})
