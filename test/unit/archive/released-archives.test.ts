import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageFile from '../../../package.json' with { type: 'json' }
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { closePeopleDatabase, openPeopleDatabase } from '../../../main/administrator/people/people-database.ts'
import { partsThat } from '../../../main/administrator/classroom/layout.ts'
import { importClass } from '../../../main/services/archive/import-class.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../cli/environment.ts'
import { contentsOf, rowsOf } from './made-class.ts'
import { readingsOf } from './readings.ts'

// Archives of a sample term as released versions have written them, and what those versions read in it (make-archive.ts). 0.1.0 is not released
// yet: its archive may still be made again.
const archives = join('test/unit/archive/archives')
const names = readdirSync(archives).filter((name) => name.endsWith('.tar.gz'))

test('the present version has an archive', () => {
  expect(names).toContain(`tartaglia-${packageFile.version}.tar.gz`)
})

test.each(names)('%s is imported, opens as a class of the present version, and reads as it did then', async (name) => {
  const data = join(temporaryFolder('released'), 'data')
  const list = await importClass(join(archives, name), data, { identities: null })
  expect(list.program).toBe(/^tartaglia-(.+)\.tar\.gz$/.exec(name)![1])
  expect(Object.keys(contentsOf(data)).toSorted()).toEqual(list.files.map(({ path }) => path).toSorted())
  // A part of a data folder that later versions do not know would be refused.
  for (const part of new Set(list.files.map(({ path }) => path.split('/')[0]!)))
    expect(partsThat('moment', 'taken')).toContain(part)
  const home = await openClassFolder(data)
  const { content, notices } = home
  expect([notices, content.people.length, content.teams.length]).toEqual([[], 21, 8])
  expect(content.settings.school).toBe('Algebra')
  closePeopleDatabase(openPeopleDatabase(data))
  expect(rowsOf(join(data, 'people.db'))['attempt']).not.toEqual([])
  await home.close()

  // Later versions may tell more.
  expect(await readingsOf(data)).toMatchObject(
    JSON.parse(readFileSync(join(archives, name.replace('.tar.gz', '.txt')), 'utf8')) as object,
  )
  const key = join(data, 'keys/class.pub')
  for (const id of readdirSync(join(data, 'cases')))
    expect([id, (await run('case', 'verify', id, '--key', key, '--data', data)).code]).toEqual([id, 0])
  for (const { id, state } of content.contests.filter((each) => each.state === 'ended')) {
    const out = join(data, '..', `${id}.tar.gz`)
    expect([state, (await run('history', 'export', id, '--archive', out, '--data', data)).code]).toEqual([state, 0])
    expect([id, existsSync(out), (await run('history', 'verify', out, '--key', key)).code]).toEqual([id, true, 0])
  }
})
