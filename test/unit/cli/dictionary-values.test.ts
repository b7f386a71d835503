import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from './environment.ts'
import { refusedCommand } from '../../refusal.ts'

let folder = ''
beforeEach(() => {
  folder = temporaryFolder('values')
})

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const language = `E = Sum | Number.
Sum = "(" <terms> List(E) ")".
Number = <value> int.
`
const dictionary = (): string => file('e.cd', language)
const root = join(import.meta.dirname, '../../..')

describe('dictionary parse', () => {
  test('prints the value as JSON', async () => {
    const value = file('e.txt', '(1 (2) -3)')
    const { code, stdout } = await run('dictionary', 'parse', dictionary(), value, '--class', 'E', '--json')
    expect(code).toBe(0)
    expect(stdout).toBe(
      '{"$":"Sum","terms":[{"$":"Number","value":1},{"$":"Sum","terms":[{"$":"Number","value":2}]},{"$":"Number","value":-3}]}\n',
    )
    const shown = await run('dictionary', 'parse', dictionary(), value, '--class', 'E')
    expect(shown.stdout).toBe(`${JSON.stringify(JSON.parse(stdout), null, 2)}\n`)
  })

  test('a text that is wrong is exit code 1, with its place', async () => {
    const value = file('e.txt', '(1\n  (2 x))')
    const { code, stdout, stderr } = await run('dictionary', 'parse', dictionary(), value, '--class', 'E', '--json')
    const message = 'Expected a whole number, `(` or `)`, found `x`.'
    expect({ code, stdout: JSON.parse(stdout) as object }).toEqual({
      code: 1,
      stdout: { error: { line: 2, column: 6, message } },
    })
    expect(stderr).toBe(`${value}:2:6: ${message}\n`)
  })

  test('- for standard input', () => {
    const args = ['dictionary', 'parse', dictionary(), '-', '--class', 'List(E)', '--json']
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'main/cli/main.ts'), ...args], {
      input: '1 ()',
      encoding: 'utf8',
    })
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: '[{"$":"Number","value":1},{"$":"Sum","terms":[]}]\n',
      stderr: '',
    })
  })

  test('a type that is not there, a dictionary that is wrong and a file that is not there are exit code 2', async () => {
    const value = file('e.txt', '1')
    for (const args of [
      [dictionary(), value, '--class', 'F'],
      [file('bad.cd', 'A = <x> B.'), value, '--class', 'A'],
      [dictionary(), join(folder, 'none.txt'), '--class', 'E'],
      [dictionary(), value],
      [dictionary(), value, '--class', 'E', '--dialect', 'D'],
    ]) {
      const { code, stdout } = await run('dictionary', 'parse', ...args, '--json')
      expect({ args, code }).toEqual({ args, code: 2 })
      expect(JSON.parse(stdout)).toMatchObject({ error: expect.any(String) as string })
    }
  })

  test('10,000 levels become JSON, and text again', async () => {
    const text = `${'('.repeat(10_000)}${')'.repeat(10_000)}`
    const value = file('deep.txt', text)
    const parsed = await run('dictionary', 'parse', dictionary(), value, '--class', 'E', '--json')
    expect(parsed.code).toBe(0)
    const printed = await run('dictionary', 'print', dictionary(), file('deep.json', parsed.stdout), '--class', 'E')
    expect(printed).toEqual({ code: 0, stdout: `${text}\n`, stderr: '' })
    expect((await run('dictionary', 'parse', dictionary(), value, '--class', 'E')).stdout).toBe(parsed.stdout)
  })

  test('the dialect can be stated', async () => {
    const ambiguous = file('b.cd', 'A = <b> B.\nB = "b".\n')
    const value = file('b.txt', 'b')
    for (const dialect of ['A', 'B', 'C']) {
      const { stdout } = await run(
        'dictionary',
        'parse',
        ambiguous,
        value,
        '--class',
        'A',
        '--json',
        '--dialect',
        dialect,
      )
      expect(stdout).toBe('{"b":{}}\n')
    }
    const unlabelled = file('u.cd', 'A = B.\nB = "b".\n')
    const as = async (dialect: string): Promise<string> =>
      (await run('dictionary', 'parse', unlabelled, value, '--class', 'A', '--json', '--dialect', dialect)).stdout
    expect(await as('A')).toBe('{"b":{}}\n')
    expect(await as('C')).toBe('{"$":"B"}\n')
  })
})

describe('dictionary print of a value', () => {
  test('prints what is read back, whatever its strings hold', async () => {
    const strings = file('s.cd', 'A = "a" *r *t <s> string.')
    const value = { s: 'right to \u202e left\u0007' }
    const { code, stdout } = await run(
      'dictionary',
      'print',
      strings,
      file('s.json', JSON.stringify(value)),
      '--class',
      'A',
    )
    expect(code).toBe(0)
    const back = await run('dictionary', 'parse', strings, file('s.txt', stdout), '--class', 'A', '--json')
    expect(JSON.parse(back.stdout)).toEqual(value)
  })

  test('a value that is wrong is exit code 1, with its place', async () => {
    const value = file('e.json', '{"$": "Sum",\n "terms": [{"$": "Number", "value": "x"}]}')
    const { code, stdout } = await run('dictionary', 'print', dictionary(), value, '--class', 'E', '--json')
    expect({ code, stdout: JSON.parse(stdout) as object }).toEqual({
      code: 1,
      stdout: {
        error: { line: 2, column: 37, message: 'terms.0.value: expected a whole number, found the string "x"' },
      },
    })
  })

  test('a type without a text of its own is exit code 2', async () => {
    const { code, stdout } = await run(
      'dictionary',
      'print',
      dictionary(),
      file('l.json', '[[1]]'),
      '--class',
      'List(List(int))',
      '--json',
    )
    expect([code, JSON.parse(stdout)]).toEqual([2, refusedCommand('value-class-unsuitable', '--class List(List(int))')])
  })
})

describe('dictionary sample', () => {
  test('a value a line, the same for the same seed, more of them for a greater count', async () => {
    const sample = async (seed: string, count: string): Promise<string> => {
      const args = ['--class', 'E', '--seed', seed, '--count', count, '--json']
      const { code, stdout } = await run('dictionary', 'sample', dictionary(), ...args)
      expect(code).toBe(0)
      return stdout
    }
    const five = await sample('7', '5')
    const lines = five.trimEnd().split('\n')
    expect(lines).toHaveLength(5)
    expect(await sample('7', '5')).toBe(five)
    expect((await sample('7', '8')).startsWith(five)).toBe(true)
    expect(await sample('8', '5')).not.toBe(five)
    for (const line of lines) {
      const { code } = await run('dictionary', 'print', dictionary(), file('v.json', line), '--class', 'E')
      expect(code).toBe(0)
    }
  })

  test('without --json, as texts', async () => {
    const { stdout } = await run('dictionary', 'sample', dictionary(), '--class', 'Number', '--count', '3')
    expect(stdout).toMatch(/^(-?\d+\n){3}$/)
  })

  test('a class without values is exit code 2', async () => {
    const { code, stderr } = await run('dictionary', 'sample', file('x.cd', 'extern A = .'), '--class', 'A')
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: '--class A: `A` has no values here: it contains the extern class `A`.\n',
    })
  })
})

describe('dictionary types', () => {
  test('TypeScript, or a JSON Schema', async () => {
    const { stdout } = await run('dictionary', 'types', dictionary(), '--class', 'Sum')
    expect(stdout).toContain('export interface Sum {\n  readonly terms: readonly E[]\n}\n')
    const schema = await run('dictionary', 'types', dictionary(), '--class', 'Sum', '--schema')
    expect(JSON.parse(schema.stdout)).toMatchObject({ title: 'Sum', $ref: '#/$defs/Sum' })
    const line = await run('dictionary', 'types', dictionary(), '--class', 'Sum', '--schema', '--json')
    expect(JSON.parse(line.stdout)).toEqual(JSON.parse(schema.stdout))
  })
})
