import type { BuiltIn } from './built-in.ts'
import { graphFunctions } from './graphs.ts'
import { listFunctions } from './lists.ts'
import { numberFunctions } from './numbers.ts'
import { tableFunctions } from './tables.ts'
import { textFunctions } from './texts.ts'

/** The functions that are declared as data. Those that take loops are in checking/check-calls.ts. */
export const builtIns: readonly BuiltIn[] = [
  ...numberFunctions,
  ...listFunctions,
  ...tableFunctions,
  ...textFunctions,
  ...graphFunctions,
]

const byName = new Map(builtIns.map((one) => [one.name, one]))

export function builtInNamed(name: string): BuiltIn | undefined {
  return byName.get(name)
}
