import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

test('docs/roles.md is up to date: `npm run roles` writes it', async () => {
  const script = pathToFileURL(join(root, 'scripts/roles.mjs')).href
  const { rolesPage } = (await import(script)) as { rolesPage(): Promise<string> }
  expect(readFileSync(join(root, 'docs/roles.md'), 'utf8')).toBe(await rolesPage())
})
