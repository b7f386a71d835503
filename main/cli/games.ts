import type { Command } from 'commander'
import type { Context } from './context.ts'
import { addHaggle } from './verbs/haggle/haggle.ts'
import { addPunter } from './verbs/punter/punter.ts'
import { addSpecker } from './verbs/specker/specker.ts'

/** Verbs that games bring along. A game that has some has a folder in verbs/ and a line here. */
export const gameVerbs: readonly ((program: Command, context: Context) => void)[] = [addSpecker, addHaggle, addPunter]
