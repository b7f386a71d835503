import { lexicalNames } from './built-in.ts'

/** A label for a part of a class that has none. */
export function labelFor(className: string): string {
  if (lexicalNames.has(className)) return 'value'
  return `${className.charAt(0).toLowerCase()}${className.slice(1)}`
}
