import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { verbOutputs } from '../../../main/contract/outputs/verb-outputs.ts'
import { KIT_FILES, kitFilesText } from '../../../main/services/agents/update-kit.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'
import { install, type } from './kit.ts'

// A kit of an older shape, as it was unpacked and worked in, is brought to the present one by its own runner.

const folder = temporaryFolder('kit-update')
const home = join(folder, 'tartaglia-haggle-javascript')
const zip = join(folder, 'newer.zip')

/** The files below a folder but for what npm installs, by their paths with forward slashes. */
function filesIn(root: string): ReadonlyMap<string, Uint8Array> {
  const found = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && !each.parentPath.includes('node_modules'))
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).split(sep).join('/'))
  return new Map(found.map((path) => [path, readFileSync(join(root, path))]))
}

beforeAll(async () => {
  await install('haggle', 'javascript', home)
  expect(await run('kit', 'javascript', '--game', 'haggle', '--out', zip)).toMatchObject({ code: 0 })
  // The older release: other pages, a program in other chunks, a file that is gone since, and one that it did not have.
  writeFileSync(join(home, 'README.md'), 'How it was.\n')
  writeFileSync(join(home, 'API.md'), 'The old messages.\n')
  writeFileSync(join(home, 'OLD.md'), 'Gone since.\n')
  writeFileSync(join(home, 'dist', 'cli-OLDCHUNK.js'), '// old\n')
  rmSync(join(home, 'RULES.md'))
  const shipped = new Map(filesIn(home))
  shipped.delete(KIT_FILES)
  writeFileSync(join(home, KIT_FILES), kitFilesText(shipped))
  // The student's work in it.
  const agent = readFileSync(join(home, 'agent.cjs'), 'utf8')
  writeFileSync(join(home, 'agent.cjs'), `// mine\n${agent}`)
  writeFileSync(join(home, 'API.md'), 'The old messages, with notes of mine.\n')
  writeFileSync(join(home, 'plan.txt'), 'Win.\n')
  rmSync(join(home, 'BEAT-THE-BABY.md'))
})

test('an older kit is updated by its own runner, and what is the student’s stays and is told', () => {
  const before = filesIn(home)
  expect(type(home, 'npx tartaglia run')).toMatchObject({ status: 0 })
  // Saved as a browser does at a second download.
  copyFileSync(zip, join(home, 'tartaglia-haggle-javascript (1).zip'))
  // The kits of another language and another game were saved later.
  for (const other of ['haggle-java', 'cows-javascript', 'haggle-javascriptx'])
    writeFileSync(join(home, `tartaglia-${other}.zip`), '')
  const { status, stdout, stderr } = type(home, 'npx tartaglia update --json')
  expect([status, stderr]).toEqual([0, ''])
  const updated = verbOutputs.update.parse(JSON.parse(stdout))
  expect(updated).toMatchObject({ conflicts: ['API.md'] })
  expect(updated.kept.toSorted()).toEqual(['API.md', 'BEAT-THE-BABY.md', 'agent.cjs'])
  expect(updated.removed.toSorted()).toEqual(['OLD.md', 'dist/cli-OLDCHUNK.js'])
  expect(updated.written.toSorted()).toEqual(['README.md', 'RULES.md', KIT_FILES].toSorted())
  for (const path of ['agent.cjs', 'API.md', 'plan.txt'])
    expect([path, readFileSync(join(home, path))]).toEqual([path, before.get(path)])
  expect(readFileSync(join(home, 'README.md'), 'utf8')).toContain('npm install')
  expect(readFileSync(join(home, '.newer', 'API.md'), 'utf8')).not.toContain('notes of mine')
  expect(existsSync(join(home, 'BEAT-THE-BABY.md'))).toBe(false)
  expect(existsSync(join(home, 'matches', 'match-1.history'))).toBe(true)
})

test('the kit still works after that, a second update changes nothing, and what an update leaves behind is not handed in', () => {
  expect(type(home, 'npx tartaglia run')).toMatchObject({ status: 0 })
  const again = verbOutputs.update.parse(JSON.parse(type(home, 'npx tartaglia update --json').stdout))
  expect(again).toMatchObject({ written: [], removed: [], conflicts: ['API.md'] })
  expect(readFileSync(join(home, '.newer', 'API.md'), 'utf8')).not.toContain('notes of mine')
  const told = type(home, 'npx tartaglia update')
  expect(told.stdout).toContain('agent.cjs')
  writeFileSync(
    join(home, 'agent.json'),
    JSON.stringify({ name: 'a', game: 'haggle', kind: 'script', main: 'agent.cjs' }),
  )
  const packed = verbOutputs.pack.parse(JSON.parse(type(home, 'npx tartaglia pack --name anna --json').stdout))
  expect(packed.files.toSorted()).toEqual(['agent.cjs', 'agent.json', 'plan.txt'])
})
