import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openClassFolder, type ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { contestDescription } from '../../../main/contract/contests/contests.ts'
import { newContest } from '../../../main/services/contests/descriptions/new-contest.ts'
import { backUp } from '../../../main/services/archive/back-up.ts'
import { recordFiles } from '../../../main/services/record/contest-record.ts'
import { keptContest } from '../../../main/services/record/kept-contest.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

async function newClass(): Promise<{ readonly data: string; readonly home: ClassFolder }> {
  const data = join(temporaryFolder('kept'), 'data')
  return { data, home: await openClassFolder(data) }
}

test('a backup leaves out the databases of contests, which can be built again', async () => {
  const { data, home } = await newClass()
  const description = contestDescription.parse({
    ...{ title: 'Week 1', game: 'specker', format: { type: 'single' }, seed: 'x' },
    entrants: [{ name: 'anna', agent: 'a'.repeat(64) }],
  })
  await home.change((content) => void newContest(content, data, description, { nonce: '0'.repeat(64) }))
  const [{ id: contest } = { id: '' }] = home.content.contests
  const folder = join(data, 'contests', contest)
  mkdirSync(folder, { recursive: true })
  for (const name of [...recordFiles, 'segment-000001.jsonl']) writeFileSync(join(folder, name), name)
  const { folder: copy } = await backUp(home)
  expect(readdirSync(join(copy, 'contests', contest))).toEqual(['segment-000001.jsonl'])
  await home.close()
})

test('an unknown contest and an unknown folder are refused', async () => {
  const { data, home } = await newClass()
  await expect(keptContest(data, 'week-9')).rejects.toThrow(refusal('contest-unknown', 'week-9'))
  await expect(keptContest(join(data, 'none'), 'week-9')).rejects.toThrow(refusal('data-folder-unknown'))
  await home.close()
})
