import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The commands of a page's blocks, one a line. */
const commandsOf = (page: string): readonly string[] =>
  [...page.matchAll(/^```\n([^`]*)^```$/gm)].flatMap(([, block = '']) => block.trim().split('\n'))

test("the commands of a student's first hour are those of the kit, whose page a test of the kits follows", () => {
  const kit = read('agents/kits/shared/javascript/README.md').replaceAll('{game}', 'specker').replaceAll(/\n */g, ' ')
  const commands = commandsOf(read('docs/students.md'))
  expect(commands.length).toBeGreaterThanOrEqual(7)
  expect(commands.filter((command) => !kit.includes(command))).toEqual([])
})
