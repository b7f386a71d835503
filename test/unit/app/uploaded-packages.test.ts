import { readdirSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  archiveLimits,
  createUploadedPackages,
  type UploadedPackage,
} from '../../../main/services/packages/uploaded-packages.ts'
import { UPLOAD_BYTES_MAX } from '../../../main/contract/procedures/uploads.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

let folder = ''
beforeEach(() => {
  folder = temporaryFolder('uploads-test')
  vi.stubEnv('TMPDIR', folder)
})
afterEach(() => void vi.unstubAllEnvs())

const limits = { files: 3, bytes: 100, fileBytes: 40, openBytes: 60, openBytesOfOne: 40 }
async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}
const textOf = ({ path }: UploadedPackage): Promise<string> => readFile(path, 'utf8')
/** The files that are on disk. */
const kept = (): readonly string[] => readdirSync(folder).flatMap((each) => readdirSync(join(folder, each)))

test('a package is sent once, read as often as it is wanted, and gone after it was handed in', async () => {
  const uploads = createUploadedPackages(limits)
  const handle = await uploads.add('a.zip', pieces('one ', 'two'))
  expect(await uploads.read(handle, textOf)).toBe('one two')
  const refuse = () => Promise.reject(new Error('refused'))
  await expect(uploads.use(handle, refuse)).rejects.toThrow('refused')
  expect(await uploads.use(handle, async ({ fileName, path }) => [fileName, (await readFile(path)).length])).toEqual([
    'a.zip',
    7,
  ])
  await expect(uploads.read(handle, textOf)).rejects.toMatchObject({ kind: 'usage' })
  expect(kept()).toEqual([])
  await uploads.close()
  expect(readdirSync(folder)).toEqual([])
})

test('of a package that is too large, or breaks off, nothing remains', async () => {
  const uploads = createUploadedPackages(limits)
  const large = uploads.add('a.zip', pieces('x'.repeat(40), 'y'))
  await expect(large).rejects.toMatchObject({ kind: 'usage', message: expect.stringContaining('a.zip') as string })
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('half')
    await Promise.reject(new Error('broken off'))
  }
  await expect(uploads.add('b.zip', broken())).rejects.toThrow('broken off')
  expect(kept()).toEqual([])
  expect(await uploads.add('c.zip', pieces('x'.repeat(40)))).not.toBe('')
})

test('an export of a class may be larger than a package', async () => {
  const piece = Buffer.alloc(8 * 1024 * 1024)
  async function* large(): AsyncGenerator<Uint8Array> {
    for (let sent = 0; sent <= UPLOAD_BYTES_MAX; sent += piece.length) yield await Promise.resolve(piece)
  }
  const [packages, archives] = [createUploadedPackages(), createUploadedPackages(archiveLimits)]
  await expect(packages.add('a.tar.gz', large())).rejects.toMatchObject({ code: 'too-large' })
  const handle = await archives.add('a.tar.gz', large())
  const size = await archives.read(handle, async ({ path }) => (await stat(path)).size)
  expect(size).toBe(UPLOAD_BYTES_MAX + piece.length)
  await Promise.all([packages.close(), archives.close()])
})

test('the oldest packages go when there are too many, or too large ones', async () => {
  const uploads = createUploadedPackages(limits)
  const [first, second] = [await uploads.add('1', pieces('1')), await uploads.add('2', pieces('2'))]
  await uploads.add('3', pieces('3'))
  await uploads.add('4', pieces('4'))
  await expect(uploads.read(first, textOf)).rejects.toMatchObject({ kind: 'usage' })
  expect(await uploads.read(second, textOf)).toBe('2')
  for (const name of ['5', '6', '7']) await uploads.add(name, pieces('x'.repeat(40)))
  expect(kept()).toHaveLength(2)
})

test('packages that are being worked on leave no room for more in memory', async () => {
  const uploads = createUploadedPackages(limits)
  const [one, two] = [await uploads.add('1', pieces('x'.repeat(40))), await uploads.add('2', pieces('y'.repeat(40)))]
  const [begun, finished] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
  const working = uploads.read(one, () => {
    begun.resolve(undefined)
    return finished.promise
  })
  await begun.promise
  // The other one waits.
  let read = ''
  const waiting = uploads.read(two, textOf).then((text) => (read = text))
  await nextTurn()
  expect(read).toBe('')
  finished.resolve(undefined)
  await Promise.all([working, waiting])
  expect(read).toHaveLength(40)
})

test('a file is lent before there is room to read it, so that its arrival can be kept', async () => {
  const uploads = createUploadedPackages(limits)
  const [one, two] = [await uploads.add('1', pieces('x'.repeat(40))), await uploads.add('2', pieces('y'.repeat(40)))]
  const finished = Promise.withResolvers<undefined>()
  const working = uploads.read(one, () => finished.promise)
  const steps: string[] = []
  const other = uploads.useInRoom(two, async (file, inRoom) => {
    steps.push((await textOf(file)).slice(0, 1))
    await inRoom(async () => steps.push('read'))
  })
  await expect.poll(() => steps).toEqual(['y'])
  finished.resolve(undefined)
  await Promise.all([working, other])
  expect(steps).toEqual(['y', 'read'])
  await expect(uploads.read(two, textOf)).rejects.toMatchObject({ code: 'file-not-open' })
})

test('a team that works on many files holds up nobody but itself, and too many of it are refused', async () => {
  const uploads = createUploadedPackages({ ...limits, files: 100, bytes: 1_000 })
  const [mine, theirs] = [
    await uploads.add('1', pieces('x'.repeat(30))),
    await uploads.add('2', pieces('y'.repeat(20))),
  ]
  const finished = Promise.withResolvers<undefined>()
  const begun: string[] = []
  const work = (name: string) => async (): Promise<void> => {
    begun.push(name)
    await finished.promise
  }
  const all = Array.from({ length: 11 }, (_, i) => uploads.read(mine, work(`red ${i}`), 'red'))
  const refused = uploads.read(mine, work('red too many'), 'red')
  await expect(refused).rejects.toMatchObject({ code: 'busy' })
  const other = uploads.read(theirs, work('blue'), 'blue')
  await nextTurn()
  expect(begun).toEqual(['red 0', 'blue'])
  finished.resolve(undefined)
  await Promise.all([...all, other])
  expect(begun).toHaveLength(12)
  expect(await uploads.read(mine, textOf)).toHaveLength(30)
})

test('a file that is being worked on stays until the last one is done with it', async () => {
  const uploads = createUploadedPackages(limits)
  const first = await uploads.add('1', pieces('one'))
  const [begun, finished] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
  const slow = uploads.use(first, async (file) => {
    begun.resolve(undefined)
    await finished.promise
    return textOf(file)
  })
  await begun.promise
  // It is the oldest one, but in use.
  const second = await uploads.add('2', pieces('2'))
  for (const name of ['3', '4']) await uploads.add(name, pieces(name))
  await expect(uploads.read(second, textOf)).rejects.toMatchObject({ code: 'file-not-open' })
  // Another one who hands it in is done first.
  expect(await uploads.use(first, textOf)).toBe('one')
  await expect(uploads.read(first, textOf)).rejects.toMatchObject({ code: 'file-not-open' })
  expect(kept()).toHaveLength(3)
  finished.resolve(undefined)
  expect(await slow).toBe('one')
  expect(kept()).toHaveLength(2)
})

test('one person cannot push out the packages of others, nor send many at once', async () => {
  const uploads = createUploadedPackages(limits, { files: 2, bytes: 60, arriving: 1 })
  const [anna, bruno] = ['a'.repeat(16), 'b'.repeat(16)]
  const other = await uploads.add('other', pieces('b'), bruno)
  const mine = await uploads.add('1', pieces('1'), anna)
  for (const name of ['2', '3', '4']) await uploads.add(name, pieces(name), anna)
  await expect(uploads.read(mine, textOf)).rejects.toMatchObject({ kind: 'usage' })
  expect(await uploads.read(other, textOf)).toBe('b')
  const large = await uploads.add('5', pieces('x'.repeat(40)), anna)
  await uploads.add('6', pieces('x'.repeat(30)), anna)
  await expect(uploads.read(large, textOf)).rejects.toMatchObject({ kind: 'usage' })
  const held = Promise.withResolvers<undefined>()
  async function* slow(): AsyncGenerator<Uint8Array> {
    await held.promise
    yield Buffer.from('late')
  }
  const first = uploads.add('slow', slow(), anna)
  await expect(uploads.add('7', pieces('7'), anna)).rejects.toMatchObject({ code: 'busy' })
  await uploads.add('8', pieces('8'), bruno)
  held.resolve(undefined)
  expect(await uploads.read(await first, textOf)).toBe('late')
  expect(await uploads.add('9', pieces('9'), anna)).not.toBe('')
})
