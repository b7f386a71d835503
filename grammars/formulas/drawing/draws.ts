import type { BuiltIn } from '../functions/built-in.ts'
import { choices } from './choices.ts'
import { randomGraphs } from './random-graphs.ts'

/** The functions that only a generator may call, because they draw at random. */
export const draws: readonly BuiltIn[] = [...choices, ...randomGraphs]
