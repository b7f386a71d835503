export { compileValues } from './compile.ts'
export type { ChoiceShape, ClassShape, Shape } from './shape.ts'
export type { Values } from './values.ts'
