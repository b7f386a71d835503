import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { execPath, platform } from 'node:process'
import { expect, it } from 'vitest'

/** Far enough from the others that Node does not look for it. */
const stray = 40

const script = `
  const { startLaunch } = await import('./main/players/isolation/box-process.ts')
  const child = startLaunch({ file: '/bin/sh', args: ['-c', 'echo /proc/self/fd/*'], ownOutput: true })
  child.stdout.pipe(process.stdout)
`

it.skipIf(platform !== 'linux')('no agent has a descriptor that our process was started with (needs Linux)', () => {
  const given = openSync('/dev/null', 'r')
  const stdio = Array.from({ length: stray + 1 }, (_, at) => (at === 1 ? 'pipe' : at === stray ? given : 'ignore'))
  const options = { stdio, encoding: 'utf8' } as const
  const seen = (file: string, ...args: string[]): number[] =>
    [...spawnSync(file, args, options).stdout.matchAll(/\/fd\/(\d+)/g)].map((match) => Number(match[1]))
  // The shell itself reads the folder by one more, which may be 3.
  const own = (all: number[]): number[] => all.filter((each) => each !== 3)
  try {
    expect(own(seen('/bin/sh', '-c', 'echo /proc/self/fd/*'))).toContain(stray)
    expect(own(seen(execPath, '--input-type=module', '-e', script))).toEqual([0, 1, 2, 4])
  } finally {
    closeSync(given)
  }
})
