import type { Command } from 'commander'
import type { Context } from './context.ts'
import { addCops } from './verbs/cops/cops.ts'
import { addCows } from './verbs/cows/cows.ts'
import { addHaggle } from './verbs/haggle/haggle.ts'
import { addPunter } from './verbs/punter/punter.ts'
import { addSpecker } from './verbs/specker/specker.ts'

/** The verbs of single games. A game with verbs has a folder in verbs/ and an entry here. */
export const gameVerbs: readonly ((program: Command, context: Context) => void)[] = [
  addSpecker,
  addHaggle,
  addPunter,
  addCops,
  addCows,
]
