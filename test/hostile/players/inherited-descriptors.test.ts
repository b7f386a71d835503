import { spawnSync } from 'node:child_process'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath, platform } from 'node:process'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'

/** Far enough from the others that Node does not look for it. */
const stray = 40

const listing = 'for each in /proc/self/fd/*; do readlink $each; done'
const script = `
  const { startLaunch } = await import('./main/players/isolation/box-process.ts')
  for (const ownOutput of [undefined, true]) {
    const child = startLaunch({ file: '/bin/sh', args: ['-c', '${listing}'], ownOutput })
    child.stdout.pipe(process.stdout)
    await new Promise((ended) => child.once('close', ended))
  }
  console.log('still open here:', (await import('node:fs')).readlinkSync('/proc/self/fd/${stray}'))
`

it.skipIf(platform !== 'linux')('no agent has a descriptor that our process was started with (needs Linux)', () => {
  const file = join(temporaryFolder('descriptors'), 'secret')
  writeFileSync(file, 'names of students')
  const given = openSync(file, 'r')
  const stdio = Array.from({ length: stray + 1 }, (_, at) => (at === 1 ? 'pipe' : at === stray ? given : 'ignore'))
  const seen = (program: string, ...args: string[]): string[] =>
    spawnSync(program, args, { stdio, encoding: 'utf8' }).stdout.trim().split('\n')
  try {
    expect(seen('/bin/sh', '-c', listing)).toContain(file)
    const lines = seen(execPath, '--input-type=module', '-e', script)
    expect(lines.pop()).toBe(`still open here: ${file}`)
    expect(lines.length).toBeGreaterThan(6)
    // Its own three or four, and the null device in place of the stray one.
    for (const line of lines) expect(line).toMatch(/^(pipe:|socket:|\/dev\/null$|\/proc\/)/)
    expect(lines).toContain('/dev/null')
  } finally {
    closeSync(given)
  }
})
