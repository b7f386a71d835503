import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openClassFolder, type ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { contestDescription, type ContestDescription } from '../../../main/contract/contests/contests.ts'
import { openContests, type Contests } from '../../../main/services/contests/kept/class-contests.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../cli/environment.ts'

let data = ''
let home: ClassFolder
let contests: Contests
const open = async (): Promise<void> => {
  home = await openClassFolder(data)
  contests = openContests(home)
}
beforeEach(async () => {
  data = temporaryFolder('put-away')
  await open()
})
afterEach(() => home.close())

const ids = (): readonly string[] => home.content.contests.map(({ id }) => id)

async function add(more: Partial<ContestDescription> = {}): Promise<string> {
  const entrants = [{ name: 'anna', agent: 'a'.repeat(64) }]
  const description = contestDescription.parse({
    ...{ title: 'Week 1', game: 'specker', format: { type: 'single' }, seed: 'x', entrants },
    ...more,
  })
  return (await contests.add(description)).id
}
/** One that is over. */
async function addEnded(): Promise<string> {
  const id = await add()
  await contests.settle(id, 'ended')
  mkdirSync(contests.folder(id), { recursive: true })
  writeFileSync(join(contests.folder(id), 'segment-000001.jsonl'), '')
  return id
}

test('a contest that is over is deleted with its folder, and nothing else gets its name', async () => {
  const [first, second] = [await addEnded(), await addEnded()]
  const { consequences, refusal } = await contests.deletion(first)
  expect(refusal).toBeNull()
  const said = consequences.join(' ')
  for (const part of ['0 matches are deleted for good', '1 entrants', 'backups stay', '1 other contest stays'])
    expect(said).toContain(part)
  await contests.delete(first)
  expect(ids()).toEqual([second])
  expect(readdirSync(join(data, 'contests'))).toEqual([second])
  expect(await add()).toBe('week-1-3')
  await home.close()
  await open()
  expect(ids()).toEqual([second, 'week-1-3'])
  // Neither a lost index nor a folder that was put back brings it back by itself.
  expect(home.content.deleted).toEqual([first])
})

test('an open contest and one that another continues or repeats are not deleted', async () => {
  const opened = await add()
  await expect(contests.delete(opened)).rejects.toMatchObject({ code: 'contest-not-over' })
  await expect(contests.archive(opened, true)).rejects.toMatchObject({ code: 'contest-not-over' })
  const first = await addEnded()
  const next = await add({ phase: { after: first, weights: [1, 1] } })
  expect((await contests.deletion(first)).refusal).toContain(next)
  await expect(contests.delete(first)).rejects.toMatchObject({ code: 'contest-needed' })
  expect(ids()).toEqual([opened, first, next])
})

test('a deletion that was interrupted is finished, or has not begun', async () => {
  const [listed, gone] = [await addEnded(), await addEnded()]
  await home.change((content) => {
    content.contests = content.contests.filter(({ id }) => id !== gone)
    content.deleted.push(gone)
  })
  await home.close()
  for (const id of [listed, gone]) renameSync(join(data, 'contests', id), join(data, 'contests', `.deleted-${id}`))
  await open()
  expect(ids()).toEqual([listed])
  expect(readdirSync(join(data, 'contests'))).toEqual([listed])
  expect(existsSync(join(contests.folder(listed), 'segment-000001.jsonl'))).toBe(true)
})

test('an archived contest is not listed unless that is asked for', async () => {
  const [kept, away] = [await addEnded(), await addEnded()]
  await home.close()
  const listed = async (...options: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await run('contest', 'list', '--data', data, '--json', ...options)
    return (JSON.parse(stdout) as { contests: readonly { contest: string }[] }).contests.map(({ contest }) => contest)
  }
  expect(await run('contest', 'archive', away, '--data', data)).toMatchObject({ code: 0 })
  expect([await listed(), await listed('--archived')]).toEqual([[kept], [away]])
  expect(await run('contest', 'archive', away, '--restore', '--data', data)).toMatchObject({ code: 0 })
  expect(await listed()).toEqual([kept, away])
  const asked = await run('contest', 'delete', away, '--data', data)
  expect(asked.stdout).toContain('Nothing was deleted: --yes deletes it.')
  expect(await listed()).toEqual([kept, away])
  expect(await run('contest', 'delete', away, '--yes', '--data', data)).toMatchObject({ code: 0 })
  expect(await listed()).toEqual([kept])
  await open()
})
