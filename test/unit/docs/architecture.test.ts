import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

test('the way of an answer names functions that are in the files that it names', () => {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const section = page.slice(page.indexOf('## The way of an answer'), page.indexOf('## Screens and program'))
  const steps = section.split(/^\d+\. /m).slice(1)
  expect(steps.length).toBeGreaterThanOrEqual(10)
  const missing = steps.flatMap((step) => {
    const words = [...step.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)
    const texts = words.filter((word) => word.endsWith('.ts')).map((file) => readFileSync(join(root, file), 'utf8'))
    const names = words.flatMap((word) => /^[a-z]+[A-Z]\w*$/.exec(word) ?? [])
    return texts.length === 0 ? [] : names.filter((name) => !texts.some((text) => text.includes(name)))
  })
  expect(missing).toEqual([])
})
