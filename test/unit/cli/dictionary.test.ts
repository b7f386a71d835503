import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { run } from './surroundings.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tartaglia-dictionary-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const good = 'A = B | C.\nB = "b" <v> int.\nC = "c".\n'

describe('dictionary check', () => {
  test('a good one is fine', async () => {
    const path = file('good.cd', good)
    expect(await run('dictionary', 'check', path)).toEqual({ code: 0, stdout: `${path}: fine\n`, stderr: '' })
  })

  test('an error has file, line and column; exit code 1', async () => {
    const path = file('bad.cd', 'A = <b>\n  Unknown.\n')
    const { code, stdout } = await run('dictionary', 'check', path)
    expect(code).toBe(1)
    expect(stdout.split('\n')[0]).toMatch(new RegExp(`^${path}:2:3: .*Unknown.*\\.$`))
  })

  test('--json is an object for each file', async () => {
    const { code, stdout } = await run(
      'dictionary',
      'check',
      '--json',
      file('good.cd', good),
      file('bad.cd', 'A = .. \n'),
    )
    expect(code).toBe(1)
    const [first, second] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    expect(first).toEqual({ file: join(folder, 'good.cd'), ok: true, dialect: 'C', errors: [] })
    expect(second).toMatchObject({ file: join(folder, 'bad.cd'), ok: false, errors: [{ line: 1, column: 6 }] })
  })

  test('a file that cannot be read is exit code 2, and the others are checked', async () => {
    const { code, stdout, stderr } = await run('dictionary', 'check', join(folder, 'none.cd'), file('good.cd', good))
    expect({ code, stdout }).toEqual({ code: 2, stdout: `${join(folder, 'good.cd')}: fine\n` })
    expect(stderr).toBe(`${join(folder, 'none.cd')} cannot be read: there is no such file.\n`)
  })

  test('an include is read beside the file, its errors name it, and it cannot lead out of the folder', async () => {
    mkdirSync(join(folder, 'inner'))
    file('outside.cd', 'B = "b".\n')
    file('inner/part.cd', 'B = .. \n')
    symlinkSync(join(folder, 'outside.cd'), join(folder, 'inner/link.cd'))
    const including = (name: string): string => file('inner/main.cd', `include "${name}";\nA = <b> B.\n`)
    expect((await run('dictionary', 'check', including('part.cd'))).stdout).toContain(
      join(folder, 'inner/part.cd:1:6:'),
    )
    for (const name of ['../outside.cd', 'link.cd', join(folder, 'outside.cd')]) {
      expect((await run('dictionary', 'check', including(name))).code, name).toBe(1)
    }
  })

  test('escapes in a file do not reach the terminal', async () => {
    const { stdout } = await run('dictionary', 'check', file('evil.cd', 'A = <b> \u001b]0;owned\u0007.\n'))
    expect(stdout).not.toContain('\u001b')
  })
})

describe('dictionary print', () => {
  test('prints the canonical text', async () => {
    const path = file('good.cd', 'A=B|C. // comment\nB="b"<v>int.C="c".')
    expect((await run('dictionary', 'print', path)).stdout).toBe(good)
  })

  test('a dictionary with an error is exit code 2', async () => {
    const path = file('bad.cd', 'A = <b> Unknown.\n')
    const { code, stderr } = await run('dictionary', 'print', path)
    expect(code).toBe(2)
    expect(stderr).toContain(`${path}:1:9: `)
  })
})
