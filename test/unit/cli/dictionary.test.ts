import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from './environment.ts'

let folder = ''
beforeEach(() => {
  folder = temporaryFolder('dictionary')
})

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
    expect(first).toEqual({ file: join(folder, 'good.cd'), ok: true, dialect: 'C', errors: [], warnings: [] })
    expect(second).toMatchObject({ file: join(folder, 'bad.cd'), ok: false, errors: [{ line: 1, column: 6 }] })
  })

  test('a file that cannot be read is not accepted, and the others are checked', async () => {
    const missing = join(folder, 'none.cd')
    const good = file('good.cd', 'A = "a".\n')
    expect(await run('dictionary', 'check', missing, good)).toEqual({
      code: 1,
      stdout: expect.stringMatching(/^\S*none\.cd:1:1: \S*none\.cd [^\n]+\n\S*good\.cd: fine\n$/) as string,
      stderr: '',
    })
    expect(JSON.parse((await run('dictionary', 'check', '--json', missing)).stdout)).toMatchObject({
      ok: false,
      dialect: 'C',
      errors: [{ line: 1, column: 1 }],
      warnings: [],
    })
  })

  test('the dialect is found in the text, or stated in its first line, or by an option', async () => {
    const dialect = async (text: string, ...options: string[]): Promise<unknown> => {
      const { stdout } = await run('dictionary', 'check', '--json', ...options, file('d.cd', text))
      const { ok, dialect: found } = JSON.parse(stdout) as { ok: boolean; dialect: string }
      return `${found}${ok ? '' : ' refused'}`
    }
    expect(await dialect('A : B | C.\nB = .\nC = Ident.')).toBe('A')
    expect(await dialect('A : B | C.\nB = .\nC = ident.')).toBe('B')
    expect(await dialect('A = B.\nB = .')).toBe('C')
    expect(await dialect('// dialect: A\nA = B.\nB = .')).toBe('A')
    expect(await dialect('A = B.\nB = .', '--dialect', 'B')).toBe('B')
    expect(await dialect('A : B | C.\nB = .\nC = .', '--dialect', 'C')).toBe('C refused')
    expect((await run('dictionary', 'check', '--dialect', 'D', file('d.cd', ''))).code).toBe(2)
  })

  test('each error and warning has a code, also of kinds without one of their own, and of a file that is not there', async () => {
    const texts = [
      'A = <b> B.',
      'A = "x',
      'A = <x> int <x> int.',
      'A = B | C. B = "b". C = "b".',
      'A(X, X) = <x> X.',
      'int = .',
      'A = A.',
      'lookahead = 0; A = .',
    ]
    const files = texts.map((text, index) => file(`${index}.cd`, text))
    const { stdout } = await run('dictionary', 'check', ...files, join(folder, 'missing.cd'), '--json')
    const verdicts = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<'errors' | 'warnings', { code?: string }[]>)
    expect(verdicts).toHaveLength(files.length + 1)
    for (const { errors, warnings } of verdicts) {
      expect([...errors, ...warnings]).not.toEqual([])
      for (const { code } of [...errors, ...warnings]) expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/)
    }
  })

  test('warnings are told, and accepted', async () => {
    const path = file('greedy.cd', 'A = <x> List(int) <y> List(int).')
    const { code, stdout } = await run('dictionary', 'check', path)
    expect(code).toBe(0)
    expect(stdout).toContain(`${path}: fine\n${path}:1:9: warning: In \`List(int)\``)
    expect(JSON.parse((await run('dictionary', 'check', '--json', path)).stdout)).toMatchObject({
      ok: true,
      errors: [],
      warnings: [{ file: path, line: 1, column: 9 }],
    })
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

  test('with --root, an include may be in a folder above, up to the root, and nowhere else', async () => {
    mkdirSync(join(folder, 'root/lib'), { recursive: true })
    mkdirSync(join(folder, 'root/a/b'), { recursive: true })
    file('outside.cd', 'O = "o".\n')
    file('root/common.cd', 'include "lib/part.cd";\nC = "c" <p> P.\n')
    file('root/lib/part.cd', 'P = "p".\n')
    file('root/a/side.cd', 'include "../common.cd";\nS = "s" <c> C.\n')
    symlinkSync(join(folder, 'outside.cd'), join(folder, 'root/link.cd'))
    const path = file('root/a/b/main.cd', 'include "../../common.cd"; include "side.cd";\nA = <c> C <s> S.\n')
    const root = join(folder, 'root')
    expect((await run('dictionary', 'check', path)).code).toBe(1)
    expect(await run('dictionary', 'check', path, '--root', root)).toMatchObject({ code: 0, stdout: `${path}: fine\n` })
    const nearer = JSON.parse((await run('dictionary', 'check', '--json', path, '--root', join(root, 'a'))).stdout) as {
      errors: { code: string }[]
    }
    expect(nearer.errors.map(({ code }) => code)).toEqual(['include-missing', 'include-missing'])
    expect((await run('dictionary', 'print', path, '--root', root)).code).toBe(0)
    expect((await run('dictionary', 'sample', path, '--class', 'A', '--root', root)).code).toBe(0)

    for (const name of ['../../../outside.cd', 'link.cd', '../../link.cd', join(folder, 'outside.cd')]) {
      const other = file('root/a/b/other.cd', `include "${name}";\nA = <o> O.\n`)
      expect((await run('dictionary', 'check', other, '--root', root)).code, name).toBe(1)
    }
    // A root that is not above the dictionary opens nothing.
    expect((await run('dictionary', 'check', path, '--root', join(root, 'lib'))).code).toBe(1)
    expect((await run('dictionary', 'check', path, '--root', join(folder, 'nowhere'))).code).toBe(2)
  })

  // The shapes of folders in which real dictionaries of the course lie: three of eleven include nothing from above their folder.
  test.each<
    readonly [shape: string, main: string, includes: string, more: Readonly<Record<string, string>>, alone: boolean]
  >([
    ['nothing included', 'a/main.cd', 'P = "p".', {}, true],
    ['a file beside', 'a/main.cd', 'include "part.cd";', { 'a/part.cd': 'P = "p".' }, true],
    ['a file below', 'a/main.cd', 'include "lib/part.cd";', { 'a/lib/part.cd': 'P = "p".' }, true],
    ['a file above', 'a/main.cd', 'include "../part.cd";', { 'part.cd': 'P = "p".' }, false],
    ['a file two folders above', 'a/b/main.cd', 'include "../../part.cd";', { 'part.cd': 'P = "p".' }, false],
    ['a file in the folder beside', 'a/main.cd', 'include "../lib/part.cd";', { 'lib/part.cd': 'P = "p".' }, false],
    ['a path from the root', 'a/b/main.cd', 'include "lib/part.cd";', { 'lib/part.cd': 'P = "p".' }, false],
    ['a bare name that lies above', 'a/b/main.cd', 'include "part.cd";', { 'part.cd': 'P = "p".' }, false],
    [
      'a file beside that includes one above',
      'a/main.cd',
      'include "side.cd";',
      { 'a/side.cd': 'include "../part.cd"; S = "s".', 'part.cd': 'P = "p".' },
      false,
    ],
    [
      'a file above that includes the first one again',
      'a/main.cd',
      'include "../part.cd";',
      { 'part.cd': 'include "a/main.cd"; P = "p".' },
      false,
    ],
    [
      'two files beside each other that include each other',
      'a/main.cd',
      'include "../lib/one.cd";',
      { 'lib/one.cd': 'include "two.cd"; P = "p" <q> Q.', 'lib/two.cd': 'include "one.cd"; Q = "q".' },
      false,
    ],
    [
      'one file by two ways',
      'a/main.cd',
      'include "../part.cd"; include "side.cd";',
      { 'a/side.cd': 'include "../part.cd"; S = "s".', 'part.cd': 'P = "p".' },
      false,
    ],
  ])('%s: without --root and with it', async (_, main, includes, more, alone) => {
    for (const name of ['a/b', 'a/lib', 'lib']) mkdirSync(join(folder, name), { recursive: true })
    for (const [name, text] of Object.entries(more)) file(name, `${text}\n`)
    const path = file(main, `${includes}\nA = "a" <p> P.\n`)
    const codes = [
      (await run('dictionary', 'check', path)).code,
      (await run('dictionary', 'check', path, '--root', folder)).code,
      (await run('dictionary', 'sample', path, '--class', 'A', '--root', folder)).code,
    ]
    expect(codes).toEqual([alone ? 0 : 1, 0, 0])
  })

  test('an include that is missing in a file beside is an error of that file, and links of folders lead nowhere outside', async () => {
    mkdirSync(join(folder, 'root/a'), { recursive: true })
    mkdirSync(join(folder, 'root/lib'))
    mkdirSync(join(folder, 'outside'))
    file('outside/part.cd', 'P = "p".\n')
    file('root/lib/part.cd', 'P = "p".\n')
    const side = file('root/a/side.cd', '\ninclude "../lib/gone.cd";\nS = "s".\n')
    const root = join(folder, 'root')
    const check = async (name: string): ReturnType<typeof run> =>
      run('dictionary', 'check', '--json', file('root/a/main.cd', `include "${name}";\nA = "a".\n`), '--root', root)
    const missing = JSON.parse((await check('side.cd')).stdout) as { errors: readonly object[] }
    expect(missing.errors).toMatchObject([{ file: side, line: 2, code: 'include-missing' }])
    symlinkSync(join(root, 'lib'), join(root, 'a/inside'), 'junction')
    symlinkSync(join(folder, 'outside'), join(root, 'a/out'), 'junction')
    expect([(await check('inside/part.cd')).code, (await check('out/part.cd')).code]).toEqual([0, 1])
  })

  test('an error in a file above names that file', async () => {
    mkdirSync(join(folder, 'root/a'), { recursive: true })
    const broken = file('root/part.cd', 'B = .. \n')
    const path = file('root/a/main.cd', 'include "part.cd";\nA = <b> B.\n')
    const { stdout } = await run('dictionary', 'check', path, '--root', join(folder, 'root'))
    expect(stdout).toContain(`${broken}:1:6:`)
  })

  test('--json has the code and the remedy of an error', async () => {
    const { stdout } = await run('dictionary', 'check', '--json', file('bad.cd', 'A = <x> Claus. Clause = "c".\n'))
    expect(JSON.parse(stdout)).toMatchObject({
      errors: [{ code: 'class-unknown', remedy: { from: 8, to: 13, text: 'Clause' } }],
    })
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
