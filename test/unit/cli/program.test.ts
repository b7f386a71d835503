import { readFileSync } from 'node:fs'
import { CommanderError } from 'commander'
import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'
import { ExpectedError } from '../../../main/contract/expected-error.ts'
import { explain } from '../../../main/cli/program.ts'
import { MachineError } from '../../../main/histories/machine-error.ts'
import { refusedCommand, type Fact, saying } from '../../refusal.ts'
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

  test.each<[readonly string[], number, ErrorCode, ...Fact[]]>([
    [['doctor', '--wrong'], 2, 'option-unknown', '--wrong'],
    [['dcotor'], 2, 'command-unknown', 'dcotor', 'doctor'],
    [['contest', 'rnu'], 2, 'command-unknown', 'rnu', 'run'],
    [[], 2, 'command-missing'],
    [['contest'], 2, 'command-missing'],
    [['--json', 'contest'], 2, 'command-missing'],
    [['--wrong'], 2, 'option-unknown', '--wrong'],
    [['contest', 'run'], 2, 'argument-missing', "'file'"],
    [['doctor', 'twice'], 2, 'argument-unexpected', 'doctor'],
    [['agent', 'check', 'a.js', '--challenge'], 2, 'option-missing', '--challenge'],
    [['cops', 'play'], 2, 'option-missing', '--map'],
    [['contest', 'run', 'c.json', '--cores', 'many'], 2, 'input-invalid', '--cores', 'many'],
    [
      ['agent', 'check', 'a.js', '--contest', 'c.json', '--game', 'punter'],
      2,
      'options-conflict',
      '--contest',
      '--game',
    ],
    [['contest', 'run', 'c.json', '--data', ''], 2, 'input-invalid', '--data'],
    [['history', 'verify', 'x', '--key', '-k'], 2, 'option-missing', '--key', '-k'],
    [['contest', 'run', '/nowhere/c.json'], 2, 'file-unreadable', '/nowhere/c.json'],
    [['kit', 'javascript', '--out', `${import.meta.filename}/x.zip`], 3, 'path-unusable', import.meta.filename],
  ])('with --json %j is one JSON object with a code', async (args, exitCode, code, ...facts) => {
    const ran = await run(...args, '--json')
    expect({ code: ran.code, stdout: JSON.parse(ran.stdout) as unknown }).toEqual({
      code: exitCode,
      stdout: refusedCommand(code, ...facts),
    })
  })
})

test('help is on stdout and has an example', async () => {
  const { code, stdout, stderr } = await run('doctor', '--help')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('Example:\n  tartaglia doctor')
})

test.each([['pack'], ['history', 'export'], ['history', 'verify']])(
  'help of %j gives a default once',
  async (...verb) => {
    const { stdout } = await run(...verb, '--help')
    const text = stdout.replaceAll(/\s+/g, ' ')
    expect(text).toContain('Usage: tartaglia')
    expect(text).not.toMatch(/default: \[\]|\(default:[^)]*\) \(default:/)
  },
)

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

describe('whatever is thrown is one sentence and a code', () => {
  const full = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC', syscall: 'write', path: '/x' })
  test.each<[unknown, string, ErrorCode, number]>([
    [new ExpectedError('verdict', 'history-invalid', 'It failed.'), 'It failed.', 'history-invalid', 1],
    [new ExpectedError('usage', 'json-invalid', 'x.json:1:2: no.'), 'x.json:1:2: no.', 'json-invalid', 2],
    [new ExpectedError('host', 'match-failed', 'The disk is full.'), 'The disk is full.', 'match-failed', 3],
    [
      new MachineError('The folder is in use.', '/x', 'data-folder-in-use'),
      'The folder is in use.',
      'data-folder-in-use',
      3,
    ],
    [new CommanderError(1, 'commander.help', '(outputHelp)'), '', 'command-missing', 2],
    [full, 'Cannot write /x: the disk is full.', 'disk-full', 3],
    [new TypeError('a is not b\nand more'), expect.stringMatching(/: a is not b$/) as string, 'internal-error', 3],
    ['text', saying('text'), 'internal-error', 3],
  ])('%s', (thrown, message, code, exitCode) => {
    expect(explain(thrown)).toEqual({ message, code, exitCode })
  })
})
