import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { afterAll, expect, test } from 'vitest'
import { marker, sweepMarked } from '../../../main/players/marked.ts'

const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** A process of a group of its own; resolves when it runs with this mark in its environment. */
async function marked(tag: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'], {
    env: { [marker]: tag },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  await once(child.stdout!, 'data')
  return child
}

test.skipIf(process.platform !== 'linux')('all with a mark are ended, wherever they are, and nobody else', async () => {
  const [first, second, other] = await Promise.all(['a-mark', 'a-mark', 'another'].map(marked))
  const ended = Promise.all([once(first!, 'exit'), once(second!, 'exit')])
  sweepMarked('a-mark')
  expect(await ended).toEqual([
    [null, 'SIGKILL'],
    [null, 'SIGKILL'],
  ])
  expect([other!.exitCode, other!.signalCode]).toEqual([null, null])
})
