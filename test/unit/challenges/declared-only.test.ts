import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SHIPPED } from './shipped.ts'

/** Challenges with code of ours: the agent `tartaglia` and the analysis of moves know them, and one is the default. */
const known = ['max-csp', 'max-sat']
/** The rooms in which a challenge would need code, if its file did not declare all of the game. */
const rooms = ['main/referees', 'main/services', 'main/worker', 'main/administrator', 'main/histories', 'renderer']

test('no referee, service, worker or screen names a challenge that ships, so its file alone makes the game', () => {
  const camel = (name: string): string => name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  const others = SHIPPED.filter((name) => !known.includes(name))
  expect(others).toHaveLength(SHIPPED.length - known.length)
  const pattern = new RegExp(others.flatMap((name) => [name, camel(name)]).join('|'), 'i')
  const places = rooms.flatMap((room) =>
    readdirSync(room, { withFileTypes: true, recursive: true })
      .filter((item) => item.isFile() && /\.(ts|svelte)$/.test(item.name))
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((file) => pattern.test(readFileSync(file, 'utf8'))),
  )
  expect(places).toEqual([])
})
