export type {
  Definition,
  Dictionary,
  Flag,
  Include,
  IncludedFile,
  NameDef,
  Part,
  PrintCommand,
  QualifiedName,
  TypeUse,
} from './model.ts'
export { readDictionary, readTypeUse } from './read.ts'
export type { ReadOptions } from './read.ts'
export { printDictionary, printTypeUse } from './printer.ts'
export { checkDictionary, unreachableClasses } from './checks.ts'
