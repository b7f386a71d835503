import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { afterAll, expect, test } from 'vitest'
import { marker, sweepMarked, sweepSoon, sweepWaiting } from '../../../main/players/isolation/unboxed.ts'

const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

interface Marked {
  readonly child: ChildProcess
  /** Resolves with its code and signal. */
  readonly ended: Promise<unknown[]>
}

/** A process of a group of its own; resolves when it runs with this mark in its environment. */
async function marked(tag: string): Promise<Marked> {
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'], {
    env: { [marker]: tag },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  return { child, ended }
}

test.skipIf(process.platform !== 'linux')('all with a mark are ended, wherever they are, and nobody else', async () => {
  // Nobody else's on this machine, should this test be run twice at once.
  const mark = `a-mark-${process.pid}.`
  const [first, second, other] = await Promise.all([mark, mark, `another-${process.pid}`].map(marked))
  sweepMarked(mark)
  expect(await Promise.all([first!.ended, second!.ended])).toEqual([
    [null, 'SIGKILL'],
    [null, 'SIGKILL'],
  ])
  expect([other!.child.exitCode, other!.child.signalCode]).toEqual([null, null])

  // Those of several programs at the end of a turn, or before it if it must be.
  const [later, ...last] = await Promise.all(['x', 'y', 'z'].map((end) => marked(`${mark}${end}`)))
  sweepSoon(`${mark}x`)
  expect(await later!.ended).toEqual([null, 'SIGKILL'])
  sweepSoon(`${mark}y`)
  sweepSoon(`${mark}z`)
  sweepWaiting()
  expect(await Promise.all(last.map(({ ended }) => ended))).toEqual([
    [null, 'SIGKILL'],
    [null, 'SIGKILL'],
  ])
})

test.skipIf(process.platform !== 'linux')('without a free descriptor nobody is found, and nothing is thrown', () => {
  const place = new URL('../../../main/players/isolation/unboxed.ts', import.meta.url).href
  const source = `
    import { openSync } from 'node:fs'
    import { sweepMarked, sweepSoon } from ${JSON.stringify(place)}
    try {
      for (;;) openSync('/dev/null')
    } catch (error) {
      if (error.code !== 'EMFILE') throw error
    }
    sweepMarked('a')
    sweepSoon('b')`
  const shell = ['-c', 'ulimit -n 80; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', source]
  const { status, stderr } = spawnSync('/bin/sh', shell, { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
