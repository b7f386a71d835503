import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const dist = join(import.meta.dirname, '../../../dist/renderer')
/** The scripts and styles that the page asks for at once. */
const first = [
  ...readFileSync(join(dist, 'index.html'), 'utf8').matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css))"/g),
].map(([, file]) => join(dist, file!))

test('the scripts and styles of the first screen are under 100 kB, compressed', () => {
  expect(first.length).toBeGreaterThan(3)
  const sizes = first.map((file) => statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(100_000)
})

test('the first screen loads no schemas, and says beforehand that none may be compiled', () => {
  const scripts = first.filter((file) => file.endsWith('.js')).map((file) => readFileSync(file, 'utf8'))
  for (const script of scripts) expect(script).not.toMatch(/ZodError|toJSONSchema/)
  expect(scripts.join('')).toContain('jitless')
})
