import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { kitFilesText, KIT_FILES, updateKit } from '../../../main/services/agents/update-kit.ts'
import { writeNewFile } from '../../../main/services/files/output-file.ts'
import { writeZip } from '../../../main/services/packages/zip.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const home = temporaryFolder('update-kit')

const manifest = (kit: string): string => JSON.stringify({ tartaglia: { game: 'haggle', kit } })
function kit(texts: Readonly<Record<string, string>>): ReadonlyMap<string, Uint8Array> {
  const files = new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]))
  return files.set(KIT_FILES, Buffer.from(kitFilesText(files)))
}
function zipped(name: string, texts: Readonly<Record<string, string>>): string {
  const file = join(home, name)
  writeFileSync(file, writeZip(new Map([...kit(texts)].map(([path, bytes]) => [`tartaglia-haggle/${path}`, bytes]))))
  return file
}
const older = {
  'package.json': manifest('javascript'),
  ...{
    'README.md': 'one',
    'API.md': 'one',
    'agent.cjs': 'baby',
    'gone.md': 'one',
    'mine.md': 'one',
    'cases/a.json': '{}',
  },
  ...{ 'dist/cli.js': 'one', 'dist/cli-old-1.js': 'one' },
}
const newer = {
  'package.json': manifest('javascript'),
  ...{ 'README.md': 'two', 'API.md': 'two', 'agent.cjs': 'better baby', 'new.md': 'two', 'cases/a.json': '{"v":2}' },
  ...{ 'dist/cli.js': 'two', 'dist/cli-new-2.js': 'two' },
}

test('a kit is updated, and files that the student has changed, deleted or added stay', async () => {
  const folder = join(home, 'kit')
  for (const [path, bytes] of kit(older)) writeNewFile(join(folder, path), bytes)
  const own = { 'agent.cjs': 'my agent', 'API.md': 'one, with my notes', 'mine.md': 'changed', 'plan.txt': 'mine' }
  for (const [path, text] of Object.entries(own)) writeFileSync(join(folder, path), text)
  rmSync(join(folder, 'cases/a.json'))
  const updated = await updateKit(folder, zipped('newer.zip', newer))
  expect({ ...updated, written: updated.written.toSorted(), kept: updated.kept.toSorted() }).toEqual({
    folder,
    written: ['README.md', 'dist/cli-new-2.js', 'dist/cli.js', KIT_FILES, 'new.md'].toSorted(),
    kept: ['API.md', 'agent.cjs', 'cases/a.json'],
    conflicts: ['API.md', 'agent.cjs'],
    removed: ['gone.md', 'dist/cli-old-1.js'],
  })
  for (const [path, text] of Object.entries(own)) expect(readFileSync(join(folder, path), 'utf8')).toBe(text)
  expect(['README.md', 'new.md', 'dist/cli.js'].map((path) => readFileSync(join(folder, path), 'utf8'))).toEqual(
    Array(3).fill('two'),
  )
  expect(['gone.md', 'dist/cli-old-1.js', 'cases/a.json'].map((path) => existsSync(join(folder, path)))).toEqual(
    Array(3).fill(false),
  )
  // The newer versions of files that both have changed are there for a comparison.
  expect(['API.md', 'agent.cjs'].map((path) => readFileSync(join(folder, '.newer', path), 'utf8'))).toEqual([
    'two',
    'better baby',
  ])
  // Once more there is nothing to do, the own files are still own, and a conflict stays until its newer version is deleted.
  rmSync(join(folder, '.newer/agent.cjs'))
  const again = await updateKit(folder, join(home, 'newer.zip'))
  expect(again).toMatchObject({ written: [], removed: [], conflicts: ['API.md'] })
  expect(readFileSync(join(folder, '.newer/API.md'), 'utf8')).toBe('two')
  writeFileSync(join(folder, 'API.md'), 'two')
  expect(await updateKit(folder, join(home, 'newer.zip'))).toMatchObject({ written: [], conflicts: [] })
  expect(existsSync(join(folder, '.newer/API.md'))).toBe(false)
})

test('a folder without a kit, another kit and a file without one are refused, and nothing changes', async () => {
  const folder = join(home, 'other')
  const file = zipped('newest.zip', newer)
  const refused = { kind: 'usage', code: 'kit-unavailable' }
  await expect(updateKit(folder, file)).rejects.toMatchObject(refused)
  for (const [path, bytes] of kit({ ...older, 'package.json': manifest('python') }))
    writeNewFile(join(folder, path), bytes)
  await expect(updateKit(folder, file)).rejects.toMatchObject(refused)
  writeFileSync(join(home, 'no.zip'), 'not a zip')
  await expect(updateKit(folder, join(home, 'no.zip'))).rejects.toMatchObject(refused)
  const unreadable = { kind: 'usage', code: 'file-unreadable' }
  for (const path of [join(home, 'missing.zip'), home])
    await expect(updateKit(folder, path)).rejects.toMatchObject(unreadable)
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe('one')
})

test('a kit whose list of files was changed removes nothing outside its folder', async () => {
  const folder = join(home, 'planted')
  const victim = join(home, 'victim.txt')
  writeFileSync(victim, 'one')
  const planted = new Map([...kit(older)])
  for (const [path, bytes] of planted) writeNewFile(join(folder, path), bytes)
  const hashes = JSON.parse(readFileSync(join(folder, KIT_FILES), 'utf8')) as Record<string, string>
  writeFileSync(join(folder, KIT_FILES), JSON.stringify({ ...hashes, '../victim.txt': hashes['README.md'] }))
  await updateKit(folder, zipped('again.zip', newer))
  expect(readFileSync(victim, 'utf8')).toBe('one')
})
