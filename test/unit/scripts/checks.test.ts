import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const script = pathToFileURL(join(import.meta.dirname, '../../../scripts/checks.mjs')).href
const { checksNamed } = (await import(script)) as {
  checksNamed: (filter: string, whole?: boolean) => readonly { readonly name: string }[]
}
const names = (filter: string, whole?: boolean): readonly string[] => checksNamed(filter, whole).map(({ name }) => name)

test('checks are chosen by a part of their names, and all of them without it', () => {
  expect(names('names')).toEqual(['names of games'])
  expect(names('import rules')).toEqual(['import rules'])
  expect(names('').length).toBeGreaterThan(8)
  expect(names('window')).not.toContain('lint of the window, with types')
  expect(names('window', true)).toContain('lint of the window, with types')
})

test('a part that none has is refused with the names that there are', () => {
  expect(() => names('lintt')).toThrow(/^There is no check "lintt"; there is lint, formatting, /)
})
