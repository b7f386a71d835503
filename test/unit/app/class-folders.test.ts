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
  const { folders, asked, release } = disks(new Set(['/share/class']))
  expect([await folders.find('/share/class', SOON), await folders.find('/stick/class', SOON)]).toEqual([null, found])
  expect(await folders.find('/share/class', 600_000)).toBeNull()
  // A person waits for the answer that a list did not wait for.
  const sought = folders.seek('/share/class', 600_000)
  release.resolve(found)
  expect(await sought).toEqual(found)
  await expect.poll(() => folders.find('/share/class', SOON)).toEqual(found)
  expect(asked.slice(0, 2)).toEqual(['/share/class', '/stick/class'])
})

test('while two disks are silent no other is asked, since each keeps a thread; what was known of them is told', async () => {
  const shares = ['/one/class', '/two/class', '/three/class']
  const { folders, asked } = disks(new Set([...shares, '/four/class']))
  await folders.find('/stick/class', SOON)
  expect(await Promise.all(shares.map((each) => folders.find(each, SOON)))).toEqual([null, null, null])
  expect(asked).toEqual(['/stick/class', ...shares.slice(0, 2)])
  expect([await folders.find('/stick/class', SOON), await folders.find('/new/class', SOON)]).toEqual([found, null])
  // People may ask: the third disk that is silent is the last one.
  expect(await folders.seek('/new/class', 600_000)).toEqual(found)
  expect([await folders.seek('/three/class', SOON), await folders.seek('/four/class', SOON)]).toEqual([null, null])
  expect(asked.slice(3)).toEqual(['/new/class', '/three/class'])
})

test('two classes on a share that is gone cost one question, so that the next disk is asked', async () => {
  const { folders, asked } = disks(new Set(['/share/a', '/share/b', '/other/a']))
  expect([await folders.find('/share/a', SOON), await folders.find('/share/b', SOON)]).toEqual([null, null])
  expect([await folders.find('/other/a', SOON), asked.includes('/share/b')]).toEqual([null, false])

  // The others are kept if a folder answered beside a silent one, such as a link to a share.
  const links = disks(new Set(['/home/link']))
  for (const each of ['/home/a', '/home/link', '/home/new']) await links.folders.find(each, SOON)
  expect(links.asked).toEqual(['/home/a', '/home/link', '/home/new'])
  expect(await links.folders.find('/home/new', SOON)).toEqual(found)
})

test('the last classes of a program being on silent shares, those of its own folder are listed as they are', async () => {
  const home = await openClassFolder(join(folder, 'begun'))
  onTestFinished(() => home.close())
  const [shares, own] = [['/gone/a', '/away/b'], join(folder, 'begun-classes')]
  const { folders } = disks(new Set(shares))
  const shelf = createClassShelf({
    ...{ opens: 'here', home: own, makeSample: () => Promise.resolve(), show: () => Promise.resolve(null) },
    known: () => shares.map((each) => ({ folder: each, name: each })),
    folders: {
      ...folders,
      find: (each) => (each.startsWith(folder) ? createClassFolders().find(each) : folders.find(each, SOON)),
    },
  })
  const { folder: made } = await shelf.create('Made')
  const { others } = await shelf.get(home)
  expect(others.map((each) => [each.folder, each.answers])).toEqual([
    ...shares.map((each) => [each, false]),
    [made, true],
  ])
  await shelf.open(home, made)
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
  const disksHere = createClassFolders()
  const folders = { ...disksHere, seek: (each: string) => disksHere.seek(each, 500) }
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
