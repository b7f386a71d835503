import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

test('docs/mining.md is up to date: `npm run mining` writes it', async () => {
  const script = pathToFileURL(join(root, 'scripts/mining.mjs')).href
  const { miningPage } = (await import(script)) as { miningPage(): Promise<string> }
  expect(readFileSync(join(root, 'docs/mining.md'), 'utf8')).toBe(await miningPage())
})
