import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConditions, readContest } from '../../../main/services/contests/descriptions/contest-file.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const folder = temporaryFolder('schema-link')
const entrants = ['a', 'b'].map((name) => ({ name, agent: 'baby' }))
const contest = { title: 'Week 1', game: 'haggle', format: { type: 'single' }, seed: 'x', entrants }

function written(fields: object): string {
  const file = join(folder, 'contest.json')
  writeFileSync(file, JSON.stringify({ ...fields, ...contest }))
  return file
}

test('a contest file may name the schema by which an editor checks it, and is the contest that it is without', async () => {
  const plain = await readContest(written({}), folder)
  expect(await readContest(written({ $schema: 'contest.schema.json' }), folder)).toEqual(plain)
  expect(plain.written).toMatchObject({ title: 'Week 1' })
  const conditions = await readConditions(written({ $schema: '' }), folder)
  expect(conditions).toEqual(await readConditions(written({}), folder))
})

test.each([7, null, ['contest.schema.json']])('the name of the schema is a text, and not %j', async (link) => {
  const file = written({ $schema: link })
  for (const read of [readContest, readConditions])
    await expect(read(file, folder)).rejects.toThrow(refusal('json-invalid', ':1:12: $schema: expected text, found'))
})

test('only the file itself may name a schema', async () => {
  await expect(readContest(written({ config: { $schema: 'x' } }), folder)).rejects.toThrow(refusal('settings-invalid'))
  await expect(readContest(written({ limits: { $schema: 'x' } }), folder)).rejects.toThrow(
    refusal('json-invalid', '"$schema"'),
  )
})
