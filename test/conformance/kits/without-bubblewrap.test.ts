import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, test } from 'vitest'
import { kitNames, type KitName } from '../../../main/contract/players/kits.ts'
import { isLong } from '../../long.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { gamesWithKits } from '../../unit/kits/lessons.ts'
import { withoutBubblewrap } from '../cli/without-bubblewrap.ts'
import { debuggers, debugMove } from './attached.ts'
import { compiledLanguages, hasTool } from './compilers.ts'
import { debugCommand, followPage, isolationOf } from './followed-page.ts'
import { install } from './kit.ts'

// A student's machine may have no bubblewrap: scripts are then held by Node's permission model alone, and programs are built and
// played without isolation. In the long form every command of every page is typed; otherwise those that build an agent or ask it, in
// the kits of one game.

const folder = temporaryFolder('kits-without-bubblewrap')
// Agents without a box run as nobody where this runs as root.
chmodSync(folder, 0o755)

const games = gamesWithKits.filter((game) => isLong || game === 'haggle')
const first: readonly KitName[] = ['javascript', 'python']

/** True for a command that is typed: trials and checks ask agents as matches do, and `run` and `replay` are the same in all languages. */
const isTypedIn = (kit: KitName, command: string): boolean =>
  isLong ||
  /^npx tartaglia (match |pack .*--out )/.test(command) ||
  (first.includes(kit) && /^npx tartaglia (run|replay)$/.test(command))

/** On a busy machine optimised builds take minutes. */
const LONG_MS = 600_000

describe.skipIf(withoutBubblewrap === null || process.platform !== 'linux')('without bubblewrap (needs mounts)', () => {
  const prefix = withoutBubblewrap!
  for (const kit of kitNames) {
    const compiled = compiledLanguages.find((each) => each.kit === kit)
    const tool = compiled?.tool ?? (kit === 'python' ? 'python3' : 'node')
    const attaching = debuggers[kit]
    describe.skipIf(tool !== 'node' && !hasTool(tool)).each(games)(
      `the kit of %s for ${kit} (needs ${tool})`,
      (game) => {
        const home = join(folder, `${game}-${kit}`)

        test(
          'does what the commands of its page say',
          async () => {
            await install(game, kit, home)
            const isTyped = (command: string): boolean => isTypedIn(kit, command)
            await followPage(home, game, { kit, isolation: isolationOf(kit, false), prefix, isTyped })
          },
          LONG_MS,
        )

        test.skipIf(!isLong || attaching === undefined || !attaching.tools.every(hasTool))(
          `is stopped by a debugger in a move (needs ${attaching?.tools.join(', ') ?? 'a debugger'})`,
          async () => {
            await debugMove(home, debugCommand(home), attaching!, prefix)
          },
        )
      },
    )
  }
})
