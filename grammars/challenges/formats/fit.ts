import type { Shape } from '../../values/index.ts'

/** The type of a value: a whole number, a list, or a class with exactly these fields, whatever its name. */
export type Pattern = 'int' | { readonly list: Pattern } | { readonly fields: Readonly<Record<string, Pattern>> }

/** True if the values of the shape are those of the pattern. */
export function fits(shape: Shape, pattern: Pattern): boolean {
  if (pattern === 'int') return shape.kind === 'int'
  if ('list' in pattern) return shape.kind === 'list' && shape.sorted === undefined && fits(shape.of, pattern.list)
  const wanted = Object.entries(pattern.fields)
  if (shape.kind !== 'class' || shape.fields.length !== wanted.length) return false
  return wanted.every(([label, type]) => {
    const field = shape.fields.find((one) => one.label === label)
    return field !== undefined && fits(field.type, type)
  })
}

/** The pattern for people, such as "vertices: int, edges: list of (a: int, b: int)". */
export function patternText(pattern: Pattern): string {
  if (pattern === 'int') return 'int'
  if ('list' in pattern) {
    const inner = patternText(pattern.list)
    return `list of ${typeof pattern.list === 'object' && 'fields' in pattern.list ? `(${inner})` : inner}`
  }
  return Object.entries(pattern.fields)
    .map(([label, type]) => `${label}: ${patternText(type)}`)
    .join(', ')
}
