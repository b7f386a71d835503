import type * as z from 'zod'
import { agentsOutputs } from './agents-outputs.ts'
import { casesOutputs } from './cases-outputs.ts'
import { challengesOutputs } from './challenges-outputs.ts'
import { classesOutputs } from './classes-outputs.ts'
import { contestsOutputs } from './contests-outputs.ts'
import { gamesOutputs } from './games-outputs.ts'
import { gradesOutputs } from './grades-outputs.ts'
import { historiesOutputs } from './histories-outputs.ts'
import { peopleOutputs } from './people-outputs.ts'
import type { ReadonlyParts } from '../readonly-parts.ts'
import { recordOutputs } from './record-outputs.ts'

/** The outputs of verbs of the command line with --json. A verb that prints one takes the type from here, so that it cannot differ. */
export const verbOutputs = {
  ...agentsOutputs,
  ...casesOutputs,
  ...challengesOutputs,
  ...classesOutputs,
  ...contestsOutputs,
  ...gamesOutputs,
  ...gradesOutputs,
  ...historiesOutputs,
  ...peopleOutputs,
  ...recordOutputs,
} satisfies Readonly<Record<string, z.ZodType>>

/** A verb with its groups, such as `history list`. */
export type VerbWithOutput = keyof typeof verbOutputs

/** The output of a verb; lists in it may be readonly. */
export type VerbOutput<V extends VerbWithOutput> = ReadonlyParts<z.output<(typeof verbOutputs)[V]>>
