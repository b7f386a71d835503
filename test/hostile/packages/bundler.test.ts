import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bundleScript } from '../../../main/services/packages/build.ts'
import { readOrder, writeBundleOrder } from '../../../main/services/packages/bundle-order.ts'
import { packageFiles } from '../../../main/services/packages/package-files.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { refusal } from '../../refusal.ts'

/** Targets of a package: files of this machine that its user can read. */
const secret = 'the secret of this machine'
const outside = temporaryFolder('bundler')
writeFileSync(join(outside, 'secret.txt'), secret)
writeFileSync(join(outside, 'secret.js'), `export default ${JSON.stringify(secret)}`)
writeFileSync(join(outside, 'secret.json'), JSON.stringify({ secret }))
mkdirSync(join(outside, 'node_modules/secret'), { recursive: true })
writeFileSync(join(outside, 'node_modules/secret/index.js'), `module.exports = ${JSON.stringify(secret)}`)
// The effect of a tsconfig.json: a word that the bundle would then contain.
const factory = { compilerOptions: { jsx: 'react', jsxFactory: 'theSecretOfThisMachine' } }
writeFileSync(join(outside, 'tsconfig.json'), JSON.stringify(factory))
symlinkSync(outside, join(outside, 'link'))

type Files = Readonly<Record<string, string>>
const bundle = async (files: Files, main = 'main.ts'): Promise<string> => {
  const given = Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) }))
  return Buffer.from((await bundleScript({ fileName: 'mine.zip', files: given, main })).bytes).toString()
}
const file = (name: string): string => join(outside, name)
/** From wherever a bundler might take the package to lie. */
const climbing = (name: string): string => `${'../'.repeat(20)}${file(name).slice(1)}`
const importing = (what: string): string => `import x from ${JSON.stringify(what)}\nexport default x`

describe('a package gets nothing of this machine by', () => {
  test.each<[string, Files]>([
    ['the path of a text', { 'main.ts': importing(file('secret.txt')) }],
    ['the path of a script', { 'main.ts': importing(file('secret.js')) }],
    ['climbing', { 'main.ts': importing(climbing('secret.json')) }],
    ['a link of this machine', { 'main.ts': importing(file('link/secret.json')) }],
    ['an address', { 'main.ts': importing(`file://${file('secret.json')}`) }],
    ['a name in a folder of packages', { 'main.ts': importing('secret'), 'node_modules/x/index.js': '' }],
    [
      'the system',
      { 'main.ts': `import a from '/etc/passwd'\nimport b from '/proc/self/environ'\nexport default a + b` },
    ],
    [
      'the main of a package',
      {
        'main.ts': importing('x'),
        'node_modules/x/package.json': JSON.stringify({ main: climbing('secret.js'), module: file('secret.js') }),
      },
    ],
    [
      "a package's map of its parts",
      {
        'main.ts': importing('x'),
        'node_modules/x/package.json': JSON.stringify({ exports: { '.': `./${climbing('secret.js')}` } }),
      },
    ],
    [
      'a package that stands in for another',
      {
        'main.ts': importing('x'),
        'package.json': JSON.stringify({ browser: { x: file('secret.js') }, imports: { '#x': file('secret.js') } }),
      },
    ],
    [
      'the paths of a tsconfig.json',
      {
        'main.ts': importing('x'),
        'tsconfig.json': JSON.stringify({ compilerOptions: { baseUrl: outside, paths: { x: [file('secret.js')] } } }),
      },
    ],
    ['a style', { 'main.ts': importing('./a.css'), 'a.css': `@import ${JSON.stringify(file('secret.txt'))};` }],
  ])('%s', async (_what, files) => {
    await expect(bundle(files)).rejects.toThrow(refusal('not-bundled', 'mine.zip'))
  })

  test.each<[string, Files, RegExp]>([
    [
      'what its tsconfig.json extends',
      { 'tsconfig.json': JSON.stringify({ extends: file('tsconfig.json') }), 'main.tsx': 'export default <a />' },
      /React\.createElement/,
    ],
    [
      'the map of its source',
      { 'main.tsx': `export default 1\n//# sourceMappingURL=${climbing('secret.json')}` },
      /main_default = 1/,
    ],
    ['a call that is left as it is', { 'main.tsx': `export default (name) => require(name)` }, /require/],
  ])('%s', async (_what, files, holds) => {
    const text = await bundle(files, 'main.tsx')
    expect(text).toMatch(holds)
    expect(text).not.toMatch(/secret of this machine|theSecretOfThisMachine/)
  })
})

test('what a package may do, it can: several files, text, JSON, packages and a tsconfig.json of its own', async () => {
  const text = await bundle({
    'main.ts': `import a from './lib/a.ts'; import b from './b.txt'; import c from 'c'; import { d } from '~/d'
      export default [a, b, c, d]`,
    'lib/a.ts': 'export default 1 as number',
    'b.txt': 'zwei',
    'node_modules/c/package.json': '{ "main": "made/c.js" }',
    'node_modules/c/made/c.js': 'module.exports = 3',
    'tsconfig.json': '{ "extends": "./base.json" }',
    'base.json': '{ "compilerOptions": { "paths": { "~/*": ["./lib/*"] } } }',
    'lib/d.json': '{ "d": 4 }',
  })
  const module = { exports: null as unknown }
  new Function('module', text)(module)
  expect(module.exports).toEqual([1, 'zwei', 3, 4])
})

describe("the bundler's files", () => {
  const open = (): ReturnType<typeof packageFiles> =>
    packageFiles([{ path: 'a/b.ts', bytes: Buffer.from('text') }], () => undefined)
  /** The result of a call: its value, or its error's code. */
  const told = (call: (done: (error: Error | null, value?: unknown) => void) => void): Promise<unknown> =>
    new Promise((resolve) => {
      call((error, value) => resolve(error === null ? value : (error as NodeJS.ErrnoException).code))
    })

  test('are those of the package, read only', async () => {
    const files = open()
    expect(await told((done) => files.readdir('/', done))).toEqual(['out', 'package'])
    expect(await told((done) => files.readdir('/package/a/..', done))).toEqual(['a'])
    for (const path of [
      '/etc/passwd',
      '../etc/passwd',
      '/package/../../etc',
      '/package/a/b.ts/c',
      `${outside}/secret.txt`,
    ])
      for (const ask of [files.stat, files.lstat, files.readdir, files.readlink])
        expect([path, await told((done) => ask(path, done))]).toEqual([path, 'ENOENT'])
    const { O_CREAT, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY } = files.constants
    for (const flags of [O_WRONLY, O_RDWR, O_CREAT, O_TRUNC])
      expect(await told((done) => files.open('/package/a/b.ts', flags, 0, done))).toBe('EROFS')
    const fd = (await told((done) => files.open('a/b.ts', O_RDONLY, 0, done))) as number
    const into = Buffer.alloc(6, '-')
    expect(await told((done) => files.read(fd, into, 1, 3, null, done))).toBe(3)
    expect(await told((done) => files.read(fd, into, 4, 2, null, done))).toBe(1)
    expect(await told((done) => files.read(fd, into, 0, 1, null, done))).toBe(0)
    expect(into.toString()).toBe('-text-')
    expect(await told((done) => files.write(fd, into, 0, 1, null, done))).toBe('EBADF')
    expect(await told((done) => files.read(99, into, 0, 1, null, done))).toBe('EBADF')
  })

  test('of which only those for output can be written, in their own folder', async () => {
    const files = open()
    const writing = files.constants.O_WRONLY | files.constants.O_CREAT | files.constants.O_TRUNC
    for (const path of ['/out/../package/x', '/out/a/b', '/x', 'x', '/outside/x'])
      expect(await told((done) => files.open(path, writing, 0, done))).toBe('EROFS')
    const fd = (await told((done) => files.open('/out/made', writing, 0, done))) as number
    for (const text of ['two ', 'parts'])
      expect(await told((done) => files.write(fd, Buffer.from(text), 0, text.length, null, done))).toBe(text.length)
    expect(Buffer.from(files.written('made')!).toString()).toBe('two parts')
    expect(files.written('../package/a/b.ts')).toBeNull()
    expect(files.written('other')).toBeNull()
  })

  test('come through a pipe as they are, in whatever pieces', async () => {
    const order = { wasm: Buffer.from([1, 2, 3]), args: ['ä'], files: [{ path: 'ü', bytes: Buffer.from([4]) }] }
    const bytes = writeBundleOrder(order)
    const pieces = async function* (size: number): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
      await Promise.resolve()
    }
    for (const size of [1, 5, 1_000]) expect(await readOrder(pieces(size))).toEqual(order)
    await expect(readOrder([bytes.subarray(0, -1)] as never)).rejects.toThrow('cut off')
  })
})
