import { copsOutputs } from './cops/cops-outputs.ts'
import { cowsOutputs } from './cows/cows-outputs.ts'
import { haggleOutputs } from './haggle/haggle-outputs.ts'
import { punterOutputs } from './punter/punter-outputs.ts'
import { speckerOutputs } from './specker/specker-outputs.ts'

/** The outputs of the games' own verbs, with --json. */
export const gamesOutputs = { ...copsOutputs, ...cowsOutputs, ...haggleOutputs, ...punterOutputs, ...speckerOutputs }
