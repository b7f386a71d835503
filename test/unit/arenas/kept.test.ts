import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { openHaggleArenas, type HaggleArenas } from '../../../main/services/games/haggle/arena.ts'
import { play } from '../../conformance/arenas/client.ts'
import { soft } from '../../conformance/arenas/scripts.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { refusal } from '../../refusal.ts'

let data: string
beforeEach(() => {
  data = temporaryFolder('arenas')
})

const open = (port = 0): Promise<HaggleArenas> =>
  openHaggleArenas({
    host: '127.0.0.1',
    port,
    proofBits: 0,
    data,
    onUnexpected: (error) => {
      throw error
    },
  })

async function playOne({ address }: HaggleArenas, arena = 'standard'): Promise<void> {
  const url = `ws://${address}/${arena}`
  await Promise.all(['ann', 'bob'].map((id) => play({ url, id, script: soft })))
}

const scores = async ({ address }: HaggleArenas, arena = 'standard'): Promise<Record<string, Record<string, object>>> =>
  (await (await fetch(`http://${address}/scores/${arena}`)).json()) as Record<string, Record<string, object>>

const file = (): string => join(data, 'arenas', 'haggle-scores.json')

test('statistics outlive the arenas, each arena has its own, and no id is in the file', async () => {
  const first = await open()
  await playOne(first)
  await playOne(first, 'large')
  await first.close()
  const second = await open()
  await playOne(second)
  const ann = (await scores(second))[hash('md5', 'ann')]!
  expect(ann['all']).toMatchObject({ sessions: 2, agreements: 2 })
  expect((await scores(second, 'large'))[hash('md5', 'ann')]!['all']).toMatchObject({ sessions: 1 })
  expect(await scores(second, 'large_1s')).toEqual({})
  await second.close()
  const text = readFileSync(file(), 'utf8')
  expect(text).not.toMatch(/ann|bob/)
  expect(readdirSync(join(data, 'arenas')).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

test('nothing is written where nothing was played', async () => {
  await (await open()).close()
  expect(existsSync(file())).toBe(false)
})

test('a file without statistics is named, and left as it is', async () => {
  await (await open()).close()
  writeFileSync(file(), '{\n  "standard": { "ann@example.org": {} }\n}\n')
  await expect(open()).rejects.toThrow(refusal('json-invalid', 'haggle-scores.json:2'))
  expect(readFileSync(file(), 'utf8')).toContain('ann@example.org')
  rmSync(file())
  await (await open()).close()
})

test('two servers never write the same file', async () => {
  const first = await open()
  await expect(open()).rejects.toThrow(refusal('data-folder-in-use'))
  await first.close()
  await (await open()).close()
})

test('a port that is taken is named, and the folder is free again', async () => {
  const first = await openHaggleArenas({
    host: '127.0.0.1',
    port: 0,
    proofBits: 0,
    data: null,
    onUnexpected: () => undefined,
  })
  const port = Number(first.address.split(':')[1])
  await expect(open(port)).rejects.toThrow(refusal('port-unavailable', port))
  await first.close()
  await (await open()).close()
})

test('an address that is not of this machine is named', async () => {
  const options = { port: 0, proofBits: 0, data: null, onUnexpected: () => undefined }
  await expect(openHaggleArenas({ ...options, host: '203.0.113.7' })).rejects.toThrow(
    refusal('address-invalid', '203.0.113.7'),
  )
})
