import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { closePeopleDatabase, openPeopleDatabase } from '../../../main/administrator/people/people-database.ts'
import { partsThat } from '../../../main/administrator/classroom/layout.ts'
import { importClass } from '../../../main/services/archive/import-class.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { contentsOf, rowsOf } from './made-class.ts'

// Archives as released versions have written them (make-archive.ts). 0.1.0 is not released yet: its archive may still be made again.
const archives = join('test/unit/archive/archives')

test.each(readdirSync(archives))('%s is imported, and opens as a class of the present version', async (name) => {
  const data = join(temporaryFolder('released'), 'data')
  const list = await importClass(join(archives, name), data, { identities: null })
  expect(list.program).toBe(/^tartaglia-(.+)\.tar\.gz$/.exec(name)![1])
  expect(Object.keys(contentsOf(data)).toSorted()).toEqual(list.files.map(({ path }) => path).toSorted())
  // A part of a data folder that later versions do not know would be refused.
  for (const part of new Set(list.files.map(({ path }) => path.split('/')[0]!)))
    expect(partsThat('moment', 'taken')).toContain(part)
  const home = await openClassFolder(data)
  expect(home.notices).toEqual([])
  expect(home.content.people.map((person) => person.name)).toEqual(['Ada Lovelace', '王小明'])
  expect(home.content.settings.school).toBe('Algebra')
  closePeopleDatabase(openPeopleDatabase(data))
  const { account, one_time_code: codes, session } = rowsOf(join(data, 'people.db'))
  expect([account!.length, codes!.length, session!.length]).toEqual([1, 1, 0])
  await home.close()
})
