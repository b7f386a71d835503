import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { run } from './surroundings.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tartaglia-challenge-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const instance = 'variables 3\n1 : 22 (1 2 3)\n2 : 2 (1 2 3)\n'

describe('challenge evaluate', () => {
  test('gives the exact quality', async () => {
    const args = [
      'max-csp',
      file('i.txt', instance),
      file('s.txt', '0 1 0'),
      '--predicate',
      file('p.txt', 'relations 2 22'),
    ]
    const { code, stdout } = await run('challenge', 'evaluate', ...args, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      challenge: 'max-csp',
      legal: true,
      feasible: true,
      quality: '1/3',
      number: 1 / 3,
      reason: null,
    })
  })

  test('raw material outside the predicate is a verdict: exit code 1', async () => {
    const args = [
      'max-csp',
      file('i.txt', instance),
      file('s.txt', '0 1 0'),
      '--predicate',
      file('p.txt', 'relations 22'),
    ]
    const { code, stdout } = await run('challenge', 'evaluate', ...args)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^Not legal: .*relation 2\b.*\n$/)
  })

  test('an infeasible solution is a verdict: exit code 1', async () => {
    const { code, stdout } = await run(
      'challenge',
      'evaluate',
      'max-csp',
      file('i.txt', instance),
      file('s.txt', '0 1'),
    )
    expect(code).toBe(1)
    expect(stdout).toMatch(/^Not feasible: .*\n$/)
  })

  test.each([
    ['i.txt', 'variables 3\n1 : 22 (1 2 x)\n', /i\.txt:2:13: /],
    ['i.json', '{"variables": 3,\n "constraints": [{"weight": "1"}]}', /i\.json:2:\d+: constraints\.0/],
    ['i.json', '{"variables": 3,\n,}', /i\.json:2:1: not JSON/],
  ])('a malformed file is exit code 2 with its place: %s %j', async (name, text, sentence) => {
    const { code, stdout, stderr } = await run(
      'challenge',
      'evaluate',
      'max-csp',
      file(name, text),
      file('s.txt', '0 1 0'),
    )
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(sentence)
  })
})

test('challenge check names the place of an error', async () => {
  const path = file('odd.challenge', 'challenge odd "Odd"\n\nlegal {\n')
  const { code, stdout } = await run('challenge', 'check', 'max-sat', path)
  expect(code).toBe(1)
  expect(stdout).toMatch(/^max-sat: fine\n/)
  expect(stdout).toMatch(new RegExp(`^${path}:3:\\d+: `, 'm'))
})

test('what is printed is read again', async () => {
  const value = { variables: 3, constraints: [{ weight: 1, relation: 22, variables: [1, 2, 3] }] }
  const json = file('i.json', JSON.stringify(value))
  const { stdout } = await run('challenge', 'print', 'max-csp', json, '--class', 'Instance')
  const evaluated = await run(
    'challenge',
    'evaluate',
    'max-csp',
    file('i.txt', stdout),
    file('s.txt', '1 0 0'),
    '--json',
  )
  expect(JSON.parse(evaluated.stdout)).toMatchObject({ quality: '1/1' })
})

test('dictionary parse and print are inverse', async () => {
  const dictionary = file('d.cd', 'A = B | C.\nB = "b" <v> List(int).\nC = "c" <name> ident.\n')
  const parsed = await run('dictionary', 'parse', dictionary, file('v.txt', 'b 1 2 3'), '--class', 'A', '--json')
  expect(JSON.parse(parsed.stdout)).toEqual({ $: 'B', v: [1, 2, 3] })
  const printed = await run('dictionary', 'print', dictionary, file('v.json', parsed.stdout), '--class', 'A')
  expect(printed).toMatchObject({ code: 0, stdout: 'b 1 2 3\n' })
})

test('a class that the dictionary does not have is wrong usage', async () => {
  const dictionary = file('d.cd', 'A = "a".\n')
  const { code, stderr } = await run('dictionary', 'parse', dictionary, file('v.txt', 'a'), '--class', 'Nobody')
  expect(code).toBe(2)
  expect(stderr).toContain('Nobody')
})
