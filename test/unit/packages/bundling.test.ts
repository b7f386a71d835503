import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { codeOf } from '../../../main/services/packages/codes.ts'
import { prepareAgent, readSubmission } from '../../../main/services/packages/prepare.ts'
import { sourceFiles } from '../../../main/services/packages/source-files.ts'
import type { UnpackedFolder } from '../../../main/services/packages/unpacked.ts'
import { filesOfTarGz, filesOfZip } from '../../../main/services/packages/archives.ts'
import { bundlerError } from '../../../main/services/packages/build.ts'
import { parsedJsonModules } from '../../../main/services/packages/json-modules.ts'
import { writeTar } from '../../../main/services/packages/tar.ts'
import { zip } from '../../conformance/service/zip.ts'
import { refusal } from '../../refusal.ts'

const isolation = () => Promise.resolve('permission' as const)
/** True for a submission that is bundled before it is an agent. */
const isBundled = async (fileName: string, content: string | Uint8Array): Promise<boolean> => {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return typeof (await readSubmission({ fileName, content: bytes, game: 'specker', isolation })).agent === 'function'
}
const script = 'module.exports = class { turn() { return [] } }'

test('a script is bundled if it imports or exports, alone and in a zip', async () => {
  const modules = [
    'export default class { turn() { return [] } }',
    'import data from "./data.json"\nmodule.exports = data',
    "import './first'\n",
    'import {\n  a,\n} from "./a"\n',
    'const x = 1\nexport { x }\n',
  ]
  for (const text of modules) {
    expect([text, await isBundled('agent.mjs', text), await isBundled('agent.js', text)]).toEqual([text, true, true])
    expect(await isBundled('agent.zip', zip({ 'agent.js': text, 'data.json': '{}' }))).toBe(true)
  }
  expect(await isBundled('agent.zip', zip({ 'agent.js': 'require("./data.json")', 'data.json': '{}' }))).toBe(true)
  const plain = [script, `// import x from "y"\n${script}`, `const important = 1, exported = 2\n${script}`]
  for (const text of plain) {
    expect([text, await isBundled('agent.mjs', text)]).toEqual([text, false])
    expect(await isBundled('agent.zip', zip({ 'agent.js': text, 'data.json': '{}' }))).toBe(false)
  }
})

test('an archive whose end is missing is called so', async () => {
  const whole = zip({ 'agent.js': script })
  const packed = gzipSync(writeTar([{ path: 'agent.js', bytes: Buffer.from(script.repeat(50)) }]))
  for (const part of [0.4, 0.9]) {
    expect(() => filesOfZip('a.zip', whole.subarray(0, whole.length * part))).toThrow(
      refusal('archive-cut-off', 'a.zip'),
    )
    await expect(filesOfTarGz('a.tgz', packed.subarray(0, packed.length * part))).rejects.toThrow(
      refusal('archive-cut-off', 'a.tgz'),
    )
  }
  expect(() => filesOfZip('a.zip', Buffer.from('PK'))).toThrow(refusal('not-a-zip', 'a.zip'))
})

test('decomposed names of files become composed', async () => {
  const [decomposed, composed] = ['u\u0308bung.py', '\u00fcbung.py']
  expect(filesOfZip('a.zip', zip({ [decomposed]: 'x' })).map(({ path }) => path)).toEqual([composed])
  const archive = gzipSync(writeTar([{ path: decomposed, bytes: Buffer.from('x') }]))
  expect((await filesOfTarGz('a.tgz', archive)).map(({ path }) => path)).toEqual([composed])
})

test.each([{ command: ['python3', './u\u0308bung.py'] }, { commands: { cop: ['python3', 'u\u0308bung.py'] } }])(
  'a command finds a file by its decomposed name: %j',
  async (how) => {
    const manifest = JSON.stringify({ name: 'a', game: 'cops', kind: 'program', ...how })
    const bytes = writeTar([
      { path: 'agent.json', bytes: Buffer.from(manifest) },
      { path: '\u00fcbung.py', bytes: Buffer.from('x') },
    ])
    const unpacked: UnpackedFolder[] = []
    const code = await codeOf('0'.repeat(64), { kind: 'program', bytes }, unpacked)
    for (const folder of unpacked) await folder.remove()
    expect(JSON.stringify(code)).toContain('\u00fcbung.py')
  },
)

test('a script that is handed in alone keeps its ending where its source is shown', async () => {
  const text = 'export default class { turn() { return [] } }'
  for (const [fileName, shown] of [
    ['anna.js', 'agent.js'],
    ['anna.mjs', 'agent.mjs'],
    ['anna.ts', 'agent.ts'],
  ] as const) {
    const { agent, source } = await prepareAgent({ fileName, content: Buffer.from(text), game: 'specker', isolation })
    const files = await sourceFiles(agent, source)
    expect(files.map(({ path, bytes }) => [path, String(Buffer.from(bytes))])).toEqual([[shown, text]])
  }
})

/** An output of esbuild. */
const log = (what: string): string => `\u2718 [ERROR] ${what}\n\n    lib/main.ts:1:20:\n      1 \u2502 import x\n`
const files = ['lib/main.ts', 'lib/plan.ts', 'data.json'].map((path) => ({ path, bytes: Buffer.from('') }))

test.each<[what: string, said: RegExp]>([
  ['Unexpected "}"', /^lib\/main\.ts:1:20: Unexpected "}"$/],
  ['Could not resolve "lodash"', /^lib\/main\.ts:1:20: .*"lodash": it is an npm package .*node_modules/],
  ['Could not resolve "@a/b"', /npm package/],
  ['Could not resolve "node:fs"', /"node:fs": it is a module of Node, which scripts cannot use/],
  ['Could not resolve "fs"', /a module of Node/],
  ['Could not resolve "./Plan"', /"\.\/Plan"; did you mean "\.\/plan\.ts"\?/],
  ['Cannot read file: /package/lib/Plan.ts', /"\.\/Plan\.ts"; did you mean "\.\/plan\.ts"\?/],
  ['Could not resolve "../Data.json"', /did you mean "\.\.\/data\.json"\?/],
  ['Could not resolve "./plans"', /"\.\/plans"; did you mean "\.\/plan\.ts"\?$/],
  ['Could not resolve "./other"', /"\.\/other": there is no such file in the package/],
])('%s: the remedy is named', (what, said) => {
  expect(bundlerError(log(what), files)).toMatch(said)
})

test('a file that a script without a package imports', () => {
  expect(bundlerError(log('Could not resolve "./other"'), files.slice(0, 1))).toContain('a .zip with both')
})

test('a large JSON file is parsed when the agent is loaded, unless something needs it as it is', () => {
  const large = Buffer.from(JSON.stringify({ __proto__: 1, text: 'x\u2028"'.repeat(100_000) }))
  const given = (script: string, json: Uint8Array = large) => [
    { path: 'main.ts', bytes: Buffer.from(script) },
    { path: 'data.json', bytes: json },
    { path: 'package.json', bytes: Buffer.from('{}') },
  ]
  const parsed = parsedJsonModules(given('import a from "./data.json"'))
  expect(parsed?.args).toEqual(['--loader:.json=js'])
  const [main, data, settings] = parsed?.files ?? []
  expect([main?.bytes, settings?.bytes].map(String)).toEqual(['import a from "./data.json"', '{}'])
  const module = { exports: null as unknown }
  runInNewContext(String(data?.bytes).replace(/^export default /, 'module.exports='), { module })
  expect(JSON.stringify(module.exports)).toBe(String(large))
  const beginningFor = (script: string): string | undefined =>
    String(parsedJsonModules(given(script))?.files[1]?.bytes).split('JSON.parse')[0]
  // esbuild would define a getter for each element of module.exports.
  for (const text of [
    'import a from "./data.json"',
    "import a from'./data'",
    'import a from "./data.json"; import("./b")',
  ])
    expect([text, beginningFor(text)]).toEqual([text, 'export default '])
  const others = [
    'import { a } from "./data.json"',
    'import * as a from "./data"',
    'const a = require("./data.json")',
    'const a = require(`./data`)',
    'import a from "./data.json"; import b, { c } from "./data.json"',
    'import a from "./data.json"; require("./" + a)',
    'import a from "./data.json"; import(`./${a}`)',
    'import a from "elsewhere"',
  ]
  for (const text of others) expect([text, beginningFor(text)]).toEqual([text, 'module.exports='])
  expect(parsedJsonModules(given('import a from "./data.json" with { type: "json" }'))).toBeNull()
  expect(parsedJsonModules(given('import a from "./package.json"'))).toBeNull()
  expect(parsedJsonModules(given('', large.subarray(1)))).toBeNull()
  expect(parsedJsonModules(given('', Buffer.from('{}')))).toBeNull()
})
