import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from './environment.ts'

const golden = fileURLToPath(new URL('../../conformance/specker/golden/history-1.jsonl', import.meta.url))
const folder = temporaryFolder('show')

const show = async (file: string, ...options: string[]) => run('history', 'show', file, '--data', folder, ...options)

test('a match is told in sentences with rules, accounts and what is owed; the verdict comes first', async () => {
  const { code, stdout } = await show(golden)
  expect(code).toBe(0)
  const lines = stdout.split('\n').map((line) => line.trim())
  expect(lines[0]).toMatch(/history-1\.jsonl: intact, signer unknown, match 0 of golden-1, 11 inputs replayed$/)
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^0\.022 s {2}minmax offers challenge 0 for 1\. \(rule 3\)$/),
      'baby undercuts challenge 1: it is challenge 3 now, for 0.599999999. (rule 5)',
      'Accounts: minmax 10, baby 9.710000001, greedy 10.289999999.',
      'Owed: greedy solves challenge 4; greedy delivers challenge 5.',
      'greedy solves challenge 4 with quality 1/1. baby pays 1. (rule 4)',
    ]),
  )
  expect(stdout).not.toContain('"actions"')
})

test('a history that does not verify says so in its first line, and is told as far as the rules go', async () => {
  const file = join(folder, 'changed.jsonl')
  // The second input buys what nobody offers.
  writeFileSync(file, readFileSync(golden, 'utf8').replace('"seat":1,"type":"turn"', '"seat":2,"type":"turn"'))
  const { code, stdout } = await show(file)
  expect(code).toBe(1)
  const lines = stdout.split('\n').map((line) => line.trim())
  expect(lines[0]).toMatch(/changed\.jsonl:\d+: not genuine: the hash does not match/)
  expect(lines).toContain('Accounts: minmax 10, baby 10, greedy 10.')
  expect(lines).toContainEqual(expect.stringMatching(/^the rules refuse this input: /))
})

test('as JSON it has the verdict and the lines', async () => {
  const { stdout } = await show(golden, '--json')
  expect(JSON.parse(stdout)).toMatchObject({
    file: golden,
    verdict: { ok: true, match: 0 },
    lines: expect.any(Array) as unknown,
  })
})

test('a history without an end is shown as it stands', async () => {
  const file = join(folder, 'cut.jsonl')
  writeFileSync(file, readFileSync(golden, 'utf8').split('\n').slice(0, 6).join('\n') + '\n')
  const { code, stdout } = await show(file)
  expect(code).toBe(1)
  expect(stdout).toContain('not genuine: the file ends before its outcome')
  expect(stdout).toContain('"actions"')
})

test('whoever could read an input during the match is named before it', async () => {
  const file = join(folder, 'audience.jsonl')
  const others = ['[1]', '[0,2]', '"sealed"']
  const restrict = (text: string, audience: string) => text.replace('"audience":"public"', `"audience":${audience}`)
  writeFileSync(file, others.reduce(restrict, readFileSync(golden, 'utf8')))
  const { stdout } = await show(file)
  const marks = stdout.split('\n').flatMap((line) => /\[(?:seats? [\d, ]+|sealed)\]/.exec(line) ?? [])
  expect(marks).toEqual(['[seat 1]', '[seats 0, 2]', '[sealed]'])
})
