import type { IsolationTier } from '../../main/contract/limits.ts'
import { playOffline } from '../../main/services/games/punter/offline.ts'
import { punterConfig } from '../../main/services/games/punter/settings.ts'

/**
 * Plays one offline game of two equal programs and sends `{ perSecond }`, the moves of a second, to its parent. A process of its
 * own, like that of `punter play`: to start a program takes the longer the more memory the starting process has, because the kernel
 * copies its page tables. Arguments: the folder of the program, the number of rivers, a tier or ''.
 */
const [folder = '', rivers = '0', tier = ''] = process.argv.slice(2)
const begun = performance.now()
const { moves } = await playOffline({
  config: punterConfig({ map: pathMap(Number(rivers)) }),
  programs: Array.from({ length: 2 }, () => ({ folder, command: ['./punter'] })),
  limits: {},
  isolation: tier === '' ? null : (tier as IsolationTier),
})
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
