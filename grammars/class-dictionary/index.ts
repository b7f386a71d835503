export type { Dictionary, TypeUse } from './model.ts'
export { readDictionary, readTypeUse } from './read.ts'
export { printDictionary } from './printer.ts'
export { checkDictionary, unreachableClasses } from './checks.ts'
