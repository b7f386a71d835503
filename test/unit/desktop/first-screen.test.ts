import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resources } from '../../../main/services/machine/resources.ts'

test('the page asks for all scripts of the first screen at once, and for none that is not there', () => {
  const page = readFileSync(join(resources.renderer, 'index.html'), 'utf8')
  const asked = [...page.matchAll(/(?:href|src)="\.\/(assets\/[^"]+\.js)"/g)].map(([, file]) => file!)
  expect(asked.filter((file) => !existsSync(join(resources.renderer, file)))).toEqual([])
  const screen = asked.find((file) => file.startsWith('assets/class-'))
  const source = readFileSync(join(resources.renderer, screen ?? ''), 'utf8')
  const needed = [...source.matchAll(/from"\.\/([^"]+\.js)"/g)].map(([, file]) => `assets/${file}`)
  expect(needed.length).toBeGreaterThan(2)
  expect(asked).toEqual(expect.arrayContaining(needed))
  expect(new Set(asked).size).toBe(asked.length)
})
