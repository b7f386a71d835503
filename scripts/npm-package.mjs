// `npm run package:npm`: makes the package `tartaglia` for npm, in release/: bundled and built, so that an install compiles nothing.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from './build.mjs'
import { withLock } from './lock.mjs'
import { entry, note, npmCommand, ownNode, Plain, root, setup } from './setup.mjs'

const staging = join(root, '.cache', 'npm-package')
const release = join(root, 'release')
/** The scripts that start an installed package. */
const launcher = [
  ...['tartaglia', 'launch', 'prepare', 'setup', 'lock', 'npm-output'],
  ...['open-classroom', 'choose-window', 'find-windows', 'app-window', 'sample-term-folder'],
]
/** Maps, which nobody reads there, and the desktop app, which is a package of its own. */
const left = /^(\.stamp|.*\.map|desktop.*\.js|preload\.cjs)$/

await entry(async () => {
  await setup()
  if (await build()) note('Built dist/ from the sources.')
  return withLock('package', async () => {
    await stage()
    const file = join(release, pack())
    note(`Packed: ${(statSync(file).size / 1e6).toFixed(1)} MB.`)
    console.log(file)
  })
})

async function stage() {
  rmSync(staging, { recursive: true, force: true })
  const dist = join(staging, 'dist')
  // A build that begins meanwhile would mix its files with these.
  await withLock('build', async () =>
    cpSync(join(root, 'dist'), dist, { recursive: true, filter: (path) => !left.test(basename(path)) }),
  )
  withoutTwins(join(dist, 'renderer', 'assets'))
  withoutTwins(join(dist, 'renderer', 'help'))
  copyFileSync(packedEsbuild(), join(dist, 'esbuild.wasm.br'))
  mkdirSync(join(staging, 'scripts'))
  for (const name of launcher)
    copyFileSync(join(root, 'scripts', `${name}.mjs`), join(staging, 'scripts', `${name}.mjs`))
  for (const name of ['LICENSE', 'CHANGELOG.md']) copyFileSync(join(root, name), join(staging, name))
  copyFileSync(join(root, 'docs', 'installing.md'), join(staging, 'README.md'))
  mkdirSync(join(staging, 'schemas'))
  // In one process: there are more than a hundred.
  const schemas = JSON.parse(output([join(root, 'scripts', 'schemas.mjs')]))
  for (const [name, schema] of Object.entries(schemas))
    writeFileSync(join(staging, 'schemas', `${name}.schema.json`), `${JSON.stringify(schema, null, 2)}\n`)
  mkdirSync(join(staging, 'man'))
  writeFileSync(join(staging, 'man', 'tartaglia.1'), output([join(root, 'scripts', 'man-page.mjs')]))
  writeFileSync(join(staging, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
}

/** The server unpacks what is there with Brotli alone, for the browsers that want it whole. */
function withoutTwins(folder) {
  for (const name of readdirSync(folder, { recursive: true }))
    if (name.endsWith('.br')) rmSync(join(folder, name.slice(0, -'.br'.length)), { force: true })
}

/**
 * The file of it that Brotli has made, a quarter smaller than npm does: a quarter of the package. That takes longer than all the rest, so it is
 * made once.
 */
function packedEsbuild() {
  const bytes = readFileSync(join(root, 'node_modules', 'esbuild-wasm', 'esbuild.wasm'))
  const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_LGWIN]: 24 }
  const name = createHash('sha256').update(bytes).update(JSON.stringify(params)).digest('hex')
  const file = join(root, '.cache', `esbuild-${name.slice(0, 16)}.br`)
  if (!existsSync(file)) {
    writeFileSync(`${file}.new`, brotliCompressSync(bytes, { params }))
    renameSync(`${file}.new`, file)
  }
  return file
}

/** Node comes as one of the optional packages, the one for the platform; everything else is bundled. */
function manifest() {
  const { name, version, description, license, type, bin, engines, homepage, optionalDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  const man = 'man/tartaglia.1'
  return { name, version, description, license, homepage, type, bin, man, engines, optionalDependencies }
}

/** The output of a program under the project's own Node. */
function output([file, ...args]) {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64_000_000 }
  const { status, stdout, stderr } = spawnSync(ownNode(), [file, ...args], options)
  if (status !== 0) throw new Plain(`${file} ended with ${String(status)}: ${String(stderr).split('\n')[0]}`)
  return stdout
}

/** The name of the file. */
function pack() {
  mkdirSync(release, { recursive: true })
  const [command, first, shell] = npmCommand()
  const { status, stdout, stderr } = spawnSync(command, [...first, 'pack', '--json', '--pack-destination', release], {
    cwd: staging,
    shell,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  })
  if (status !== 0) throw new Plain(`npm could not pack: ${String(stderr).trim().split('\n')[0]}`)
  const made = JSON.parse(stdout)
  return Object.values(made)[0].filename
}
