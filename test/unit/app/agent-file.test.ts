import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { prepareAgent, readAgentFile } from '../../../main/services/packages/prepare.ts'
import { writeTar } from '../../../main/services/packages/tar.ts'
import { zip } from '../../conformance/service/zip.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../cli/environment.ts'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'
import { refusal, refusedCommand, type Fact } from '../../refusal.ts'

const folder = temporaryFolder('agent-file')

const script = 'module.exports = class {}'
const isolation = () => Promise.resolve('permission' as const)
/** As a drop in the window is taken. */
const dropped = (fileName: string, content: Uint8Array) =>
  prepareAgent({ fileName, content, game: 'specker', isolation })
/** As command line and contest files take it. */
const named = (fileName: string, content: Uint8Array) => {
  const file = join(folder, fileName)
  writeFileSync(file, content)
  return readAgentFile(file, { game: 'specker', isolation })
}

/** The refusal of a file of another language, with the command that makes a package for one. */
const otherLanguage = [
  'package-form-unknown',
  '.zip',
  'agent.json',
  'command',
  'tartaglia kit python --game GAME --out kit.zip',
] as const
const agentJson = JSON.stringify({ name: 'a', game: 'specker', kind: 'script' })
const program = JSON.stringify({ name: 'a', game: 'specker', kind: 'program', command: ['python3', 'agent.py'] })

describe('an invalid agent is refused with one sentence, in the window and wherever a file is named:', () => {
  test.each<[string, string | Uint8Array, ErrorCode, ...Fact[]]>([
    ['agent.py', 'print(1)', ...otherLanguage],
    ['agent.PY', 'print(1)', ...otherLanguage],
    ['agent.rb', 'puts 1', ...otherLanguage],
    ['agent.exe', 'MZ', ...otherLanguage],
    ['agent', script, ...otherLanguage],
    ['.js', script, ...otherLanguage],
    ['agent.js.txt', script, ...otherLanguage],
    ['empty.js', '', 'package-empty'],
    ['empty.zip', '', 'package-empty'],
    ['binary.js', Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0), 'package-not-text', '.zip', 'agent.json'],
    ['late.js', `${script}\n//\0`, 'package-not-text'],
    ['packed.js', zip({ 'a.js': script }), 'package-form-unknown', 'zip file', 'end in .zip'],
    ['wide.js', Buffer.from(`\ufeff${script}`, 'utf16le'), 'not-utf8', 'UTF-16', 'UTF-8'],
    ['wider.js', Buffer.from(`\ufeff${script}`, 'utf16le').swap16(), 'not-utf8', 'UTF-16'],
    ['bare.ts', Buffer.from(script, 'utf16le'), 'not-utf8', 'UTF-16'],
    ['agent.json', program, 'kind-not-accepted', 'program', 'web application', '.zip'],
    ['script.zip', zip({ 'agent.json': agentJson, 'agent.py': 'x' }), 'script-missing', 'no script', 'agent.json'],
    ['python.zip', zip({ 'agent.py': 'x' }), 'script-missing', 'no script', 'agent.json', 'command'],
    [
      'many.zip',
      zip({ 'a/agent.js': script, 'b/agent.js': script }),
      'script-ambiguous',
      '2 scripts',
      '"main"',
      'agent.json',
    ],
    [
      'class.zip',
      zip({ 'a/agent.json': agentJson, 'b/agent.json': agentJson }),
      'manifest-misplaced',
      '2 agents',
      'a/agent.json',
      'b/agent.json',
    ],
    ['deep.zip', zip({ 'a/agent.json': program, 'b.py': 'x' }), 'manifest-misplaced', 'a/agent.json', 'top level'],
    ['wide.zip', zip({ 'a.js': Buffer.from(`\ufeff${script}`, 'utf16le') }), 'not-utf8', 'a.js', 'UTF-16'],
    [
      'name.zip',
      zip({ 'agent.json': agentJson.replace('"a"', '"a  b"'), 'a.js': script }),
      'manifest-invalid',
      'agent.json: name: ',
      'two spaces',
    ],
  ])('%s', async (fileName, content, code, ...facts) => {
    const bytes = Buffer.from(content)
    const why = await dropped(fileName, bytes).catch((error: unknown) => error)
    expect(why).toEqual(refusal(code, fileName, ...facts))
    expect(await named(fileName, bytes).catch((error: unknown) => error)).toEqual(why)
  })

  test('a folder, and a file that is not there', async () => {
    const inside = join(folder, 'inside.js')
    mkdirSync(inside)
    const read = (file: string) => readAgentFile(file, { game: 'specker', isolation })
    await expect(read(inside)).rejects.toThrow(refusal('package-is-folder', '.zip', 'agent.json'))
    await expect(read(join(folder, 'none.py'))).rejects.toThrow(refusal('file-unreadable', 'none.py'))
  })
})

describe('agent.json may name the schema by which an editor checks it', () => {
  const script = { name: 'a', game: 'specker', kind: 'script', main: 'a.js' }
  const linked = (manifest: object, link: unknown = './agent.schema.json'): string =>
    JSON.stringify({ $schema: link, ...manifest })

  test('and the agent does not depend on it', async () => {
    const program = { name: 'a', game: 'specker', kind: 'program', command: ['python3', 'agent.py'] }
    const web = { name: 'a', game: 'specker', kind: 'web', address: 'http://10.0.0.7:8080/a' }
    const plain = await dropped('a.zip', zip({ 'agent.json': JSON.stringify(program, null, 2) + '\n', 'agent.py': '' }))
    const same = await dropped('a.zip', zip({ 'agent.json': linked(program), 'agent.py': '' }))
    expect([same.manifest, same.agent]).toEqual([plain.manifest, plain.agent])
    // A tar that somebody made in the form of stored programs.
    const stored = writeTar([
      { path: 'agent.json', bytes: Buffer.from(linked(program)) },
      { path: 'agent.py', bytes: new Uint8Array() },
    ])
    expect((await dropped('a.tar', stored)).agent).toEqual(plain.agent)
    const page = await dropped('agent.json', Buffer.from(linked(web)))
    expect(page).toEqual(await dropped('agent.json', Buffer.from(JSON.stringify(web))))
    const file = await dropped('s.zip', zip({ 'agent.json': linked(script), 'a.js': 'module.exports = class {}' }))
    expect(file.manifest).toEqual(script)
  })

  test.each([7, null, ['agent.schema.json'], { $id: 'x' }])('as text, and not as %j', async (link) => {
    const refused = dropped('s.zip', zip({ 'agent.json': linked(script, link), 'a.js': '' }))
    await expect(refused).rejects.toThrow(refusal('manifest-invalid', 'agent.json:1:12: $schema: expected text, found'))
  })

  test('at its top alone', async () => {
    const nested = { ...script, kind: 'program', main: undefined, commands: { $schema: ['x'] } }
    await expect(dropped('s.zip', zip({ 'agent.json': JSON.stringify(nested) }))).rejects.toThrow(
      refusal('manifest-invalid', 'commands'),
    )
  })
})

test('what lies in one folder, however deep, lies on top', async () => {
  const { manifest } = await dropped('x.zip', zip({ 'a/b/agent.json': agentJson, 'a/b/agent.js': script }))
  expect(manifest.name).toBe('a')
})

test('a file gives its agent the name that it has, in any script', async () => {
  expect((await dropped('Łukasz O’Brien.js', Buffer.from(script))).manifest.name).toBe('Łukasz O’Brien')
})

const python = join(folder, 'mine.py')
const contest = join(folder, 'contest.json')
test.each([
  ['agent check', ['agent', 'check', python]],
  ['match play', ['match', 'play', python, 'baby']],
  ['contest run', ['contest', 'run', contest, '--data', join(folder, 'data')]],
])('%s says it of Python', async (_verb, args) => {
  writeFileSync(python, 'print("ready")')
  const entrants = ['José', '张伟'].map((name) => ({ name, agent: 'mine.py' }))
  writeFileSync(
    contest,
    JSON.stringify({ title: 'x', game: 'haggle', format: { type: 'single' }, seed: 'x', entrants }),
  )
  const { code, stdout } = await run(...args, '--isolation', 'permission', '--json')
  expect([code, JSON.parse(stdout)]).toEqual([2, refusedCommand(...otherLanguage)])
})
