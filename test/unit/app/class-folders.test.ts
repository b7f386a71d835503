import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { createClassFolders, type FoundFolder } from '../../../main/app/class-folders.ts'
import { createClassShelf } from '../../../main/app/class-shelf.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const folder = temporaryFolder('class-folders')
const found: FoundFolder = { place: '/somewhere', hasClass: true }
const SOON = 5

/** Disks of which some do not answer, until they are released. */
function disks(silent: ReadonlySet<string>) {
  const asked: string[] = []
  const release = Promise.withResolvers<FoundFolder>()
  const folders = createClassFolders((path) => {
    asked.push(path)
    return silent.has(path) ? release.promise : Promise.resolve(found)
  })
  return { folders, asked, release }
}

test('a disk that does not answer is waited for once and asked once, and answers when it is back', async () => {
  const { folders, asked, release } = disks(new Set(['share']))
  expect([await folders.find('share', SOON), await folders.find('stick', SOON)]).toEqual([null, found])
  expect(await folders.find('share', 600_000)).toBeNull()
  release.resolve(found)
  await release.promise
  await expect.poll(() => folders.find('share', SOON)).toEqual(found)
  expect(asked.slice(0, 2)).toEqual(['share', 'stick'])
})

test('while two disks are silent no other is asked, since each keeps a thread; what was known of them is told', async () => {
  const { folders, asked } = disks(new Set(['one', 'two', 'three']))
  await folders.find('stick', SOON)
  expect(await Promise.all(['one', 'two', 'three'].map((each) => folders.find(each, SOON)))).toEqual([null, null, null])
  expect(asked).toEqual(['stick', 'one', 'two'])
  expect([await folders.find('stick', SOON), await folders.find('unknown', SOON)]).toEqual([found, null])
})

test('the disks of this machine tell folders with and without a class, also through links', async () => {
  const data = join(folder, 'with')
  mkdirSync(data)
  writeFileSync(join(data, 'class.json'), '{}')
  symlinkSync(data, join(folder, 'link'))
  const { find } = createClassFolders()
  const place = await realpath(data)
  expect([await find(data), await find(join(folder, 'link'))]).toEqual([
    { place, hasClass: true },
    { place, hasClass: true },
  ])
  expect(await find(folder)).toMatchObject({ hasClass: false })
  expect(await find(join(folder, 'nothing'))).toEqual({ place: null, hasClass: false })
})

/** A file system of which nobody answers any question, as of a share whose server is gone; null: this machine lets nobody make one. */
function hangingFolder(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null
  const path = join(folder, 'share')
  mkdirSync(path)
  let device: number
  try {
    device = openSync('/dev/fuse', 'r+')
  } catch {
    return null
  }
  const options = 'fd=3,rootmode=40000,user_id=0,group_id=0'
  const stdio = ['ignore', 'ignore', 'ignore', device] as const
  const mounted = spawnSync('mount', ['-i', '-t', 'fuse', '-o', options, 'none', path], { stdio: [...stdio] })
  onTestFinished(() => {
    // Whoever waits for an answer gets an error.
    closeSync(device)
    if (mounted.status === 0) execFileSync('umount', ['-l', path])
  })
  return mounted.status === 0 ? path : null
}

test('a class on a share that hangs holds up neither the list of classes nor other files, and is not opened', async (context) => {
  const share = hangingFolder()
  if (share === null) return context.skip('needs root and FUSE')
  const home = await openClassFolder(join(folder, 'here'))
  onTestFinished(() => home.close())
  const folders = createClassFolders()
  const shown: string[] = []
  const shelf = createClassShelf({
    ...{ opens: 'here', home: join(folder, 'here-classes'), folders },
    known: () => [{ folder: share, name: 'Far away' }],
    makeSample: () => Promise.resolve(),
    async show(each) {
      shown.push(each)
      return null
    },
  })
  const { folder: other } = await shelf.create('Near')
  expect((await shelf.get(home)).others).toEqual([
    { folder: share, name: 'Far away', answers: false, closes: false },
    { folder: other, name: 'class-near', answers: true, closes: false },
  ])
  await expect(shelf.open(home, share)).rejects.toEqual(refusal('path-unusable', share))
  await shelf.open(home, other)
  expect(shown).toEqual([other])
})
