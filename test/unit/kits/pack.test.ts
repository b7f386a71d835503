import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { isKitName, ownName } from '../../../main/contract/players/kit-names.ts'
import { meaningOf, namedOpponents, triedOpponent } from '../../../main/services/contests/command/try-agent.ts'
import { gameOfKit, packAgent } from '../../../main/services/packages/pack.ts'
import { readSubmission } from '../../../main/services/packages/prepare.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const home = temporaryFolder('pack')
/** A folder with these files; its place. */
function folder(name: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    const file = join(home, name, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return join(home, name)
}
const manifest = (name: string): string =>
  JSON.stringify({ name, game: 'haggle', kind: 'program', command: ['python3', 'agent.py'] })
const kitFiles = {
  'package.json': '{"tartaglia":{"game":"haggle","kit":"python"}}',
  'tartaglia.mjs': '',
  'dist/cli.js': '',
  'node_modules/x/agent.py': '',
  '__pycache__/agent.pyc': '',
  '.git/config': '',
  'README.md': '',
  'match.history': '',
  'match.html': '',
  'agent_test.py': '',
  'cases/one.json': '',
}
const read = (fileName: string, content: Uint8Array) =>
  readSubmission({ fileName, content, game: 'haggle', isolation: () => Promise.reject(new Error('nothing is built')) })

test('a folder with an agent.json becomes a zip of what belongs to the agent, under its name', async () => {
  const at = folder('python', { ...kitFiles, 'agent.json': manifest('my-agent'), 'agent.py': 'x', 'lib/more.py': 'y' })
  expect(gameOfKit(join(at, 'lib'))).toBe('haggle')
  writeFileSync(join(at, 'agent.tar.gz'), '')
  const packed = await packAgent(at, 'haggle', 'anna')
  expect(packed).toMatchObject({ name: 'anna', fileName: 'anna.zip', files: ['agent.json', 'agent.py', 'lib/more.py'] })
  expect(packed.leftOut).toEqual(expect.arrayContaining(['dist/', 'node_modules/', '.git/', 'cases/', 'match.history']))
  expect((await read('anna.zip', packed.bytes)).manifest).toMatchObject({ name: 'anna', kind: 'program' })
  // The folder's own name is better than the kit's.
  expect((await packAgent(at, 'haggle')).name).toBe('python')
})

test('a package does not name the schema by which an editor checked its agent.json', async () => {
  const fields = JSON.parse(manifest('anna')) as object
  const linked = (link: unknown) =>
    folder('linked', { 'agent.json': JSON.stringify({ $schema: link, ...fields }), 'agent.py': 'x' })
  const plain = await packAgent(folder('unlinked', { 'agent.json': manifest('anna'), 'agent.py': 'x' }), 'haggle')
  expect((await packAgent(linked('./agent.schema.json'), 'haggle')).bytes).toEqual(plain.bytes)
  await expect(packAgent(linked(7), 'haggle')).rejects.toThrow(
    refusal('manifest-invalid', '$schema: expected text, found 7'),
  )
})

test('the results of a build are left out of a program that is built, and stay in others', async () => {
  const results = ['agent', 'agent.exe', 'agent.pdb', 'lib/part.o', 'target/debug/agent', 'classes/A.class', 'a.dSYM/x']
  const files = Object.fromEntries(['agent.cpp', 'lib/target/x.hpp', ...results].map((path) => [path, '']))
  const built = { ...(JSON.parse(manifest('my-agent')) as object), build: ['sh', '-c', 'g++ -o agent agent.cpp'] }
  const at = folder('built', { ...files, 'agent.json': JSON.stringify(built) })
  expect((await packAgent(at, 'haggle')).files).toEqual(['agent.json', 'agent.cpp', 'lib/target/x.hpp'])
  const plain = folder('plain', { ...files, 'agent.json': manifest('my-agent') })
  expect((await packAgent(plain, 'haggle')).files.toSorted()).toEqual(['agent.json', ...Object.keys(files)].toSorted())
})

test('a script alone stays as it is; one that imports files beside it becomes a zip with them', async () => {
  const alone = folder('cleo', { 'agent.cjs': "// require('./x')\nmodule.exports = 1", 'agent.test.mjs': '' })
  expect(await packAgent(alone, 'haggle')).toMatchObject({ name: 'cleo', fileName: 'cleo.cjs', files: ['agent.cjs'] })
  const types = "import type { A } from './haggle.d.ts'\nexport default 1"
  expect(await packAgent(folder('dora', { 'agent.ts': types }), 'haggle')).toMatchObject({ fileName: 'dora.ts' })
  const several = folder('bert', { 'agent.ts': "import { a } from './a.ts'", 'a.ts': '', 'haggle.d.ts': '' })
  const packed = await packAgent(join(several, 'agent.ts'), 'haggle')
  expect(packed).toMatchObject({ fileName: 'bert.zip', files: ['agent.json', 'a.ts', 'agent.ts'] })
  expect((await read('bert.zip', packed.bytes)).manifest).toMatchObject({ name: 'bert', main: 'agent.ts' })
})

test('the folder of a script alone is not read, however large it is; that of another has a limit', async () => {
  const many = Object.fromEntries(Array.from({ length: 2_001 }, (_, at) => [`notes/${at}.txt`, '']))
  const at = folder('downloads', { ...many, 'anna.js': 'module.exports = 1', 'bert.js': "require('./anna.js')" })
  const packed = await packAgent(join(at, 'anna.js'), 'haggle')
  expect(packed).toMatchObject({ fileName: 'anna.js', files: ['anna.js'], leftOut: [] })
  await expect(packAgent(join(at, 'bert.js'), 'haggle')).rejects.toMatchObject({ code: 'too-large' })
})

test('nothing that still has the name of the kit is packed, nor a folder without an agent', async () => {
  const kit = folder('tartaglia-haggle-python', { 'agent.json': manifest('my-agent'), 'agent.py': 'x' })
  await expect(packAgent(kit, 'haggle')).rejects.toMatchObject({ code: 'name-missing' })
  await expect(packAgent(kit, 'haggle', 'My-Agent')).rejects.toMatchObject({ code: 'name-missing' })
  await expect(packAgent(kit, 'haggle', 'a/b')).rejects.toMatchObject({ code: 'input-invalid' })
  await expect(packAgent(folder('empty', { x: '' }), 'haggle', 'a')).rejects.toMatchObject({ code: 'script-missing' })
  await expect(packAgent(join(home, 'nowhere'), 'haggle')).rejects.toMatchObject({ code: 'file-unreadable' })
  const broken = folder('broken', { 'agent.json': '{' })
  await expect(packAgent(broken, 'haggle', 'a')).rejects.toMatchObject({ code: 'manifest-invalid' })
})

test('a name that every kit has gives way to that of the file, and any other name stays', async () => {
  const content = (await packAgent(folder('zoe', { 'agent.json': manifest('Zoë'), 'agent.py': '' }), 'haggle')).bytes
  expect((await read('hand-in.zip', content)).manifest.name).toBe('Zoë')
  expect(['my-agent', 'Agent', 'agent (1)', 'agent copy', 'tartaglia-cops-python-2'].filter(isKitName)).toHaveLength(5)
  expect(['anna', 'agent smith', 'my-agents', 'tartaglia', 'agentless'].filter(isKitName)).toEqual([])
  // A name of a stranger, which a pattern with nested repetitions would search for years.
  expect(isKitName(`agent${'1'.repeat(58)}x`)).toBe(false)
  expect(ownName('my-agent', ['agent (1)', 'tartaglia-cops-python', 'José'])).toBe('José')
  expect(ownName(null, ['agent'])).toBeNull()
})

test('opponents of one name are numbered', () => {
  const names = namedOpponents('Agent', ['v1/agent.cjs', 'v2/agent.cjs', 'baby', 'old/Baby.ts'])
  expect(names.map(({ opponent }) => opponent)).toEqual(['agent 2', 'agent 3', 'baby', 'Baby 2'])
})

test('a share of wins means something where its interval leaves one half', () => {
  const row = { matches: 10, wins: 6, faults: 0, removals: 0 }
  const tried = triedOpponent('baby', { ...row, shareInterval: [0.51, 0.9] }, 2)
  expect(tried).toMatchObject({ won: 6, tied: 2, lost: 2, share: 0.7 })
  expect(meaningOf(tried)).toBe('better')
  expect(meaningOf({ interval: [0.1, 0.49] })).toBe('worse')
  expect(meaningOf({ interval: [0.4, 0.9] })).toBe('no difference is shown')
  expect(meaningOf({ interval: null })).toBe('too few matches to tell')
})
