import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'

// Follows docs/teachers.md literally: its files, and its commands in their order.

const page = readFileSync(join(import.meta.dirname, '../../../docs/teachers.md'), 'utf8')
const blocks = [...page.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language = '', text = '']) => ({
  language,
  text,
}))
const commands = blocks
  .filter(({ language }) => language === '')
  .flatMap(({ text }) => text.trim().split('\n'))
  .filter((command) => command !== 'npm start')

const folder = temporaryFolder('teachers')
const fileOf = { csv: 'roster.csv', json: 'practice.json' } as const
for (const { language, text } of blocks)
  if (language === 'csv' || language === 'json') writeFileSync(join(folder, fileOf[language]), text)

/** The words of a command, with quoted ones as one. Files are those of the test's folder. */
const wordsOf = (command: string): readonly string[] =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)]
    .map(([, quoted, plain]) => quoted ?? plain ?? '')
    .map((word) => (/\.(csv|json|zip)$/.test(word) ? join(folder, word) : word))

test('every command of the page succeeds in a new data folder, in its order', async () => {
  const said = new Map<string, string>()
  for (const command of commands) {
    const [npx, name, ...words] = wordsOf(command)
    expect([npx, name]).toEqual(['npx', 'tartaglia'])
    // Consent for machines without bubblewrap is a matter of docs/starting.md.
    const consent = words[0] === 'contest' ? ['--isolation', 'permission'] : []
    const data = words[0] === 'kit' ? [] : ['--data', join(folder, 'data')]
    const done = await run(...words, ...data, ...consent)
    expect({ command, ...done }).toMatchObject({ command, code: 0 })
    said.set(command, done.stdout)
  }
  expect(said.get('npx tartaglia class people list')).toContain('王小明')
  expect(said.get('npx tartaglia class people code "Ada Lovelace"')).toMatch(/[2-9A-HJKMNP-Z]{4} ?[2-9A-HJKMNP-Z]{4}/)
  expect(existsSync(join(folder, 'kit.zip'))).toBe(true)
})
