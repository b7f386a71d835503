import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('the pictures of the docs are of screens of the sample term, and each is shown', () => {
  const scenes = [
    ...readFileSync('test/e2e/pictures/term-scenes.ts', 'utf8').matchAll(
      /screen: '([a-z-]+)',\s+state: '([a-z-]+)',\s+as: /g,
    ),
  ].map(([, screen, state]) => `${screen}-${state}`)
  expect(scenes).toContain('educator-normal')
  const pictures = readdirSync('docs/images').filter((name) => name.endsWith('.png'))
  const ofTerm = pictures.filter((name) => scenes.includes(name.replace(/-(light|dark)-\d+\.png$/, '')))
  expect(ofTerm).toEqual(pictures)
  const docs = [
    'README.md',
    ...readdirSync('docs')
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ]
  const texts = docs.map((name) => readFileSync(name, 'utf8'))
  expect(pictures.filter((name) => !texts.some((text) => text.includes(`images/${name}`)))).toEqual([])
})
