import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resources } from '../../../main/services/machine/resources.ts'

const read = (file: string): string => readFileSync(join(resources.renderer, file), 'utf8')
/** The size of a file as a server sends it: small ones are not compressed. */
const sentBytes = (path: string): number => statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size
/** The scripts for which a page asks at once. */
const askedBy = (page: string): readonly string[] =>
  [...read(page).matchAll(/(?:href|src)="\.\/(assets\/[^"]+\.js)"/g)].map(([, file]) => file!)
/** The scripts that a script imports before it runs. */
const importsOf = (file: string): readonly string[] =>
  [...read(file).matchAll(/(?:\bfrom|\bimport)\s*"\.\/([^"]+\.js)"/g)].map(([, other]) => `assets/${other!}`)

test('the page asks for all scripts of the first screens at once: few of them, and neither the editor nor charts', () => {
  const asked = askedBy('index.html')
  expect(new Set(asked).size).toBe(asked.length)
  expect(asked.filter((file) => importsOf(file).some((other) => !asked.includes(other)))).toEqual([])
  // A browser asks for six at a time.
  expect(asked.length).toBeLessThan(7)
  const text = asked.map(read).join('\n')
  // Sentences of both screens.
  for (const shown of ['Loading the overview', 'Since your last visit']) expect(text).toContain(shown)
  // Parts of the editor, of a chart, and of the home of an educator.
  for (const later of ['cm-editor', 'rungs', 'The overview of students']) expect(text).not.toContain(later)
  // With fonts of some 100 kB, and the answers, the first screen has 300.
  const bytes = asked.reduce((sum, file) => sum + sentBytes(join(resources.renderer, file)), 0)
  expect(bytes).toBeLessThan(150_000)
})

test('the page to sign in asks for little of it', () => {
  const asked = askedBy('sign-in.html')
  expect(asked.filter((file) => importsOf(file).some((other) => !asked.includes(other)))).toEqual([])
  const [signIn, first] = [asked, askedBy('index.html')].map((files) =>
    files.reduce((sum, file) => sum + read(file).length, 0),
  )
  expect(signIn).toBeLessThan(first! / 3)
})
