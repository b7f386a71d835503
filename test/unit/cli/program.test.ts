import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ExpectedError } from '../../../main/contract/expected-error.ts'
import { explain } from '../../../main/cli/program.ts'
import { run } from './environment.ts'

describe('wrong usage is one sentence, exit code 2', () => {
  test.each([
    [['dcotor'], /^Unknown command 'dcotor'\. Did you mean doctor\?$/],
    [['nonsense'], /^Unknown command 'nonsense'\. See --help\.$/],
    [['doctor', '--jsno'], /^Unknown option '--jsno'\. Did you mean --json\?$/],
    [['doctor', '--data'], /^Option '--data <folder>' argument missing\. See --help\.$/],
    [['doctor', 'twice'], /^Too many arguments for 'doctor'/],
    [['doctor', '--\u001b[31m'], /^Unknown option '--\\x1b\[31m'/],
  ])('%j', async (args, sentence) => {
    const { code, stdout, stderr } = await run(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.endsWith('\n')).toBe(true)
    expect(stderr.trimEnd()).toMatch(sentence)
    expect(stderr.trimEnd()).not.toContain('\n')
  })

  test('with --json the sentence is the one JSON object', async () => {
    const { code, stdout } = await run('doctor', '--json', '--wrong')
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toEqual({ error: "Unknown option '--wrong'. See --help." })
  })
})

test('help is on stdout and has an example', async () => {
  const { code, stdout, stderr } = await run('doctor', '--help')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('Example:\n  tartaglia doctor')
})

test('help says where the licences of what is bundled are', async () => {
  const { stdout } = await run('--help')
  const [, file = ''] = /Licences of the bundled packages: (.*)$/m.exec(stdout) ?? []
  expect(readFileSync(file, 'utf8')).toContain('commander 15')
})

test('no verb shows the help and is wrong usage', async () => {
  const { code, stdout, stderr } = await run()
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain('Usage: tartaglia')
})

describe('whatever is thrown is one sentence', () => {
  test.each([
    [new ExpectedError('verdict', 'history-invalid', 'It failed.'), { message: 'It failed.', code: 1 }],
    [new ExpectedError('usage', 'json-invalid', 'x.json:1:2: no.'), { message: 'x.json:1:2: no.', code: 2 }],
    [new ExpectedError('host', 'match-failed', 'The disk is full.'), { message: 'The disk is full.', code: 3 }],
    [new TypeError('a is not b\nand more'), { message: 'Unexpected error: a is not b', code: 3 }],
    ['text', { message: 'Unexpected error: text', code: 3 }],
  ])('%s', (thrown, explained) => {
    expect(explain(thrown)).toEqual(explained)
  })
})
