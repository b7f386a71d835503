import { limits as limitsSchema, type IsolationTier } from '../../main/contract/limits.ts'
import { createProgramHost } from '../../main/players/program-player.ts'
import { game, playOneMatch } from '../../main/services/games/punter/one-match.ts'
import { punterConfig } from '../../main/services/games/punter/settings.ts'
import { asTypedWith } from '../../main/services/machine/as-typed.ts'
import { resources } from '../../main/services/machine/resources.ts'

/**
 * Plays one offline game of two equal programs and sends `{ perSecond }`, the moves of a second, to its parent. A process of its
 * own, like that of `punter play`: to start a program takes the longer the more memory the starting process has, because the kernel
 * copies its page tables. Arguments: the folder of the program, the number of rivers, a tier or '' for the rights of the caller, and
 * 'spawner' to play with one.
 */
const [folder = '', rivers = '0', tier = '', how = ''] = process.argv.slice(2)
const spawner = how === 'spawner' ? resources.spawner : undefined
const isolation = tier === '' ? 'none' : (tier as IsolationTier)
const config = punterConfig({ map: pathMap(Number(rivers)) })
const limits = limitsSchema.parse(game.matches.limits)
const begun = performance.now()
const host = createProgramHost({
  tier: isolation,
  nodeBinary: resources.node,
  ...(spawner === undefined ? {} : { spawner }),
  ...(tier === '' ? { launcher: (program) => asTypedWith(spawner, program) } : {}),
})
const { moves } = await playOneMatch({
  ...{ config, punters: 2, limits, isolation },
  seatPlayer: ({ id }, seed, emit) =>
    host.seat({
      program: { folder, command: ['./punter'], process: 'move' },
      moveWire: (wireHost) => game.dialogue.moveWire!(config, { seat: id, body: 0 }, [], wireHost),
      ...{ seed, limits, emit },
    }),
})
await host.close()
process.send?.({ perSecond: (moves / (performance.now() - begun)) * 1_000 })
process.disconnect?.()

/** The map of a path of sites with a mine at its beginning. */
function pathMap(rivers: number): string {
  return JSON.stringify({
    sites: Array.from({ length: rivers + 1 }, (_, id) => ({ id })),
    rivers: Array.from({ length: rivers }, (_, at) => ({ source: at, target: at + 1 })),
    mines: [0],
  })
}
