import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { platform } from 'node:process'
import { beforeEach, describe, expect, test } from 'vitest'
import { writeExports } from '../../../main/services/histories/export-histories.ts'
import { writeFileDurably } from '../../../main/histories/durable.ts'
import { scanContest, type ContestScan } from '../../../main/histories/segments/contest-scan.ts'
import { segmentName } from '../../../main/histories/segments/seal-texts.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { openToy, playToy, testKey } from '../../unit/histories/toy.ts'
import { refusal } from '../../refusal.ts'

const key = testKey()
let folder: string
let dir = ''
beforeEach(() => {
  folder = temporaryFolder('histories')
  dir = join(folder, 'contest')
})

const scan = () => scanContest({ dir, contest: 'toy-1', key: key.publicKey })
const sound = async (): Promise<ContestScan> => {
  const result = await scan()
  if (!result.ok) throw new Error(result.damage.message)
  return result
}

/** A segment a match, each sealed. */
async function play(...matches: readonly number[]): Promise<void> {
  for (const match of matches) {
    const { scan: before, writer } = await openToy(dir, key)
    writer.append(playToy(match, before.nextRun))
    await writer.commit()
    await writer.close()
  }
}

describe.skipIf(platform === 'win32')('links that somebody has planted are replaced, not written through', () => {
  test('in a folder that gets exported matches', async () => {
    await play(0, 1)
    const to = join(folder, 'export')
    mkdirSync(to)
    const precious = join(folder, 'precious')
    writeFileSync(precious, 'precious')
    const names = ['match-0000.jsonl', 'match-0001.jsonl', 'class.pub']
    for (const name of names) {
      symlinkSync(precious, join(to, name))
      symlinkSync(precious, join(to, `${name}.${process.pid}.tmp`))
    }
    const { files } = await writeExports(await sound(), key, to, 'none')
    expect(readFileSync(precious, 'utf8')).toBe('precious')
    expect([...files.values()].map((file) => lstatSync(file).isFile())).toEqual([true, true])
    expect(readdirSync(to).sort()).toEqual([...names].sort())
    expect(lstatSync(join(to, 'class.pub')).isFile()).toBe(true)
  })

  test('where a small file is replaced', () => {
    const [file, precious] = [join(folder, 'file'), join(folder, 'precious')]
    writeFileSync(precious, 'precious')
    symlinkSync(precious, file)
    symlinkSync(precious, `${file}.${process.pid}.tmp`)
    writeFileDurably(file, 'new', 0o600)
    expect(readFileSync(precious, 'utf8')).toBe('precious')
    expect([lstatSync(file).isFile(), readFileSync(file, 'utf8')]).toEqual([true, 'new'])
  })
})

test.skipIf(platform !== 'linux')(
  'an export into a folder that can never be made is refused, not tried for ever',
  async () => {
    await play(0)
    await expect(writeExports(await sound(), key, '/proc/nowhere/export', 'none')).rejects.toThrow(
      refusal('path-unusable', '/proc/nowhere/export'),
    )
  },
)

describe('segments moved about', () => {
  const path = (segment: number): string => join(dir, segmentName(segment))

  test('two exchanged', async () => {
    await play(0, 1, 2)
    renameSync(path(1), path(9))
    renameSync(path(2), path(1))
    renameSync(path(9), path(2))
    expect(await scan()).toMatchObject({ ok: false, damage: { segment: 1, line: 1 } })
  })

  test('an older state of one put back under those after it', async () => {
    const { writer } = await openToy(dir, key)
    writer.append(playToy(0, 1))
    await writer.commit()
    copyFileSync(path(1), join(folder, 'old'))
    writer.append(playToy(1, 2))
    await writer.commit()
    await writer.close()
    await play(2)
    expect((await sound()).finished.size).toBe(3)
    copyFileSync(join(folder, 'old'), path(1))
    expect(await scan()).toMatchObject({ ok: false, damage: { segment: 1 } })
  })

  test('one copied to the end', async () => {
    await play(0, 1)
    copyFileSync(path(1), path(3))
    expect(await scan()).toMatchObject({ ok: false, damage: { segment: 3, line: 1 } })
  })

  /*
   * Missing ends back to a seal cannot be seen in the folder alone. A root that was published, with its
   * count of matches, tells; so does an exported match that is there no more.
   */
  test('the end taken away, back to a seal, is an earlier state and looks like one', async () => {
    const { writer } = await openToy(dir, key)
    writer.append(playToy(0, 1))
    await writer.commit()
    const { length } = readFileSync(path(1))
    writer.append(playToy(1, 2))
    await writer.commit()
    await writer.close()
    truncateSync(path(1), length)
    const after = await sound()
    expect([...after.finished.keys()]).toEqual([0])
    expect(after.repairs).toEqual([])
  })
})
