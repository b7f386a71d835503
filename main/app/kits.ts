import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import type { KitName } from '../contract/kits.ts'
import { Trouble } from '../contract/trouble.ts'
import { writeNewFile } from './out-file.ts'
import { writeZip } from './packages/write-zip.ts'
import { resources } from './resources.ts'

/** What was written. */
export interface Kit {
  readonly kit: KitName
  readonly out: string
  readonly files: number
  readonly bytes: number
}

/**
 * Writes a kit with its runner, all that a student needs beside Node and npm: into the file `out` where that ends with
 * `.zip`, else into a folder that is not there yet or is empty. Throws Trouble.
 */
export async function writeKit(kit: KitName, out: string): Promise<Kit> {
  const files = await kitFiles(kit)
  if (/\.zip$/i.test(out)) {
    const zip = zipOf(kit, files)
    writeNewFile(out, zip)
    return { kit, out, files: files.size, bytes: zip.length }
  }
  const there = await readdir(out).catch(() => [])
  if (there.length > 0) throw new Trouble('conflict', `The folder ${out} is not empty.`)
  let bytes = 0
  for (const [path, contents] of files) {
    writeNewFile(join(out, path), contents)
    bytes += contents.length
  }
  return { kit, out, files: files.size, bytes }
}

/** A kit as a file to download: its name, and the zip. Throws Trouble. */
export async function packKit(kit: KitName): Promise<{ readonly fileName: string; readonly zip: Uint8Array }> {
  return { fileName: `${folderOf(kit)}.zip`, zip: zipOf(kit, await kitFiles(kit)) }
}

const folderOf = (kit: KitName): string => `tartaglia-${kit}`

const zipOf = (kit: KitName, files: ReadonlyMap<string, Uint8Array>): Uint8Array =>
  writeZip(new Map([...files].map(([path, bytes]) => [`${folderOf(kit)}/${path}`, bytes])))

/** The pages that a kit's own point at, which lie elsewhere in the project. */
const pages = { 'specker/README.md': 'BEAT-THE-BABY.md', 'docs/agents.md': 'AGENTS.md' } as const

/** By path: the kit's folder, and what it takes to run it. */
async function kitFiles(kit: KitName): Promise<ReadonlyMap<string, Uint8Array>> {
  const dist = dirname(resources.kits)
  const files = new Map<string, Uint8Array>()
  for (const path of await filesBelow(join(resources.kits, kit))) {
    const bytes = await readFile(join(resources.kits, kit, path))
    files.set(path, path.endsWith('.md') ? Buffer.from(withOwnPages(bytes.toString())) : bytes)
  }
  for (const page of Object.values(pages)) files.set(page, await readFile(join(resources.kits, page)))
  files.set('tartaglia.mjs', await readFile(join(resources.kits, 'tartaglia.mjs')))
  files.set('package.json', Buffer.from(`${JSON.stringify(packageOf(kit), null, 2)}\n`))
  files.set('dist/package.json', Buffer.from('{ "type": "module" }\n'))
  files.set('dist/cli.js', await readFile(join(dist, 'cli.js')))
  files.set('dist/worker.js', await readFile(resources.worker))
  files.set('dist/host.cjs', await readFile(resources.agentHost))
  files.set('dist/THIRD-PARTY-LICENSES.txt', await readFile(resources.licenses))
  for (const folder of [resources.agents, resources.challenges]) {
    for (const path of await filesBelow(folder)) {
      files.set(`dist/${relative(dist, folder)}/${path}`, await readFile(join(folder, path)))
    }
  }
  return files
}

function withOwnPages(text: string): string {
  return Object.entries(pages).reduce(
    (said, [from, to]) => said.replaceAll(new RegExp(`(\\.\\./)+${from}`, 'g'), to),
    text,
  )
}

/** `npm install` brings the Node that Tartaglia runs on, for whatever machine, and what bundles TypeScript. */
function packageOf(kit: KitName): object {
  const { version, optionalDependencies, devDependencies } = manifest
  return {
    name: 'tartaglia',
    version,
    private: true,
    description: `A kit for agents: ${kit}.`,
    bin: { tartaglia: 'tartaglia.mjs' },
    ...(kit === 'python' ? {} : { scripts: { test: 'node --test' } }),
    dependencies: { esbuild: devDependencies.esbuild },
    optionalDependencies,
  }
}

/** Paths from the folder, with forward slashes, sorted. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { withFileTypes: true, recursive: true })
  return found
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/'))
    .sort()
}
