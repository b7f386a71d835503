import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'
import { withoutBubblewrap } from '../cli/without-bubblewrap.ts'
import { environment, hasTool } from './compilers.ts'
import { commandsOf, install, type, waiting } from './kit.ts'

// A student's machine may have no bubblewrap: the agent of a kit is then built and played without isolation.

const folder = temporaryFolder('kits-without-bubblewrap')
// Agents without a box run as nobody where this runs as root.
chmodSync(folder, 0o755)

/** Kits with their tools, and steps that are the same with bubblewrap or only build once more. */
const followed = [
  { kit: 'python', tool: 'python3', leftOut: /^npm install|^python3|history show/ },
  { kit: 'cpp', tool: 'g++', leftOut: /^npm install|^npx tartaglia (?:test|run|debug|agent check|history show)/ },
] as const

describe.skipIf(withoutBubblewrap === null || process.platform !== 'linux')('without bubblewrap (needs mounts)', () => {
  for (const { kit, tool, leftOut } of followed)
    test.skipIf(!hasTool(tool))(
      `the page of the kit of haggle for ${kit} is followed to a saved move (needs ${tool})`,
      { timeout: 300_000 },
      async () => {
        const home = join(folder, kit)
        await install('haggle', kit, home)
        const page = readFileSync(join(home, 'README.md'), 'utf8')
        const commands = commandsOf(page).filter((command) => !leftOut.test(command) && !waiting.test(command))
        for (const step of [' pack ', ' match play ', ' --save '])
          expect([step, commands.some((command) => command.includes(step))]).toEqual([step, true])
        for (const command of commands) {
          const { status, stdout, stderr } = type(home, command, environment, withoutBubblewrap!)
          expect([command, status, stderr, stdout]).toEqual([command, 0, stderr, stdout])
          if (command.includes(' match play ')) expect(stdout).toContain('isolation none')
        }
        expect(JSON.parse(readFileSync(join(home, 'cases', 'mine.json'), 'utf8'))).toBeTypeOf('object')
      },
    )
})
