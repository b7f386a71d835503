import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

test('docs/commands.md is up to date: `npm run commands` writes it', async () => {
  const script = pathToFileURL(join(root, 'scripts/commands.mjs')).href
  const { commandsPage } = (await import(script)) as { commandsPage(): Promise<string> }
  expect(readFileSync(join(root, 'docs/commands.md'), 'utf8')).toBe(await commandsPage())
})
