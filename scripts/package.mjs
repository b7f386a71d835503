// `npm run package`: makes the app for this platform, in release/. Arguments after `--` go to electron-builder:
// `npm run package -- --dir` makes the app's folder only.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { build } from './build.mjs'
import { withLock } from './lock.mjs'
import { packageManifest, packagingEnvironment } from './package-manifest.mjs'
import { entry, note, ownEnvironment, Plain, root, setup } from './setup.mjs'

const dist = join(root, 'dist')
const staging = join(root, '.cache', 'package')
/** Not for the desktop app: maps that nobody reads there. The command line is in every kit for students. */
const left = /^(\.stamp|.*\.map)$/

await entry(async () => {
  const node = await setup()
  if (await build()) note('Built dist/ from the sources.')
  return withLock('package', async () => {
    stage(node)
    const args = [
      join(root, 'node_modules', 'electron-builder', 'cli.js'),
      '--publish',
      'never',
      ...process.argv.slice(2),
    ]
    return run(node, args)
  })
})

/** Puts together what goes into the package: app/ into the archive, node/ beside it. */
function stage(node) {
  if (dirname(dirname(dirname(node))) !== join(root, 'node_modules')) {
    throw new Plain('A package needs the Node that the lockfile pins, and there is none for this platform.')
  }
  rmSync(staging, { recursive: true, force: true })
  const app = join(staging, 'app')
  cpSync(dist, join(app, 'dist'), { recursive: true, filter: (path) => !left.test(basename(path)) })
  const shipped = join(staging, 'node', basename(node))
  mkdirSync(dirname(shipped))
  copyFileSync(node, shipped)
  chmodSync(shipped, 0o755)
  copyFileSync(join(node, '..', '..', 'LICENSE'), join(staging, 'node', 'LICENSE'))
  // The bundler runs it, in a process that plain Node starts.
  copyFileSync(join(root, 'node_modules', 'esbuild-wasm', 'esbuild.wasm'), join(app, 'dist', 'esbuild.wasm'))
  const spawner = join(dist, `spawner-${process.arch}`)
  const hashes = {
    node: hashOf(shipped),
    worker: hashOf(join(dist, 'worker.js')),
    reader: hashOf(join(dist, 'reader.js')),
    agentHost: hashOf(join(dist, 'host.cjs')),
    bundler: hashOf(join(dist, 'bundler.cjs')),
    esbuild: hashOf(join(app, 'dist', 'esbuild.wasm')),
    // There is none without a C compiler.
    ...(existsSync(spawner) ? { spawner: hashOf(spawner) } : {}),
  }
  writeFileSync(join(app, 'dist', 'hashes.json'), JSON.stringify(hashes, null, 2))
  writeFileSync(join(app, 'package.json'), JSON.stringify(packageManifest(), null, 2))
  copyFileSync(join(root, 'LICENSE'), join(app, 'LICENSE'))
  // Beside the archive, where people can read them without the app.
  const legal = join(staging, 'legal')
  mkdirSync(legal)
  copyFileSync(join(root, 'LICENSE'), join(legal, 'LICENSE'))
  for (const name of ['THIRD-PARTY-LICENSES.txt', 'sbom.cdx.json']) copyFileSync(join(dist, name), join(legal, name))
}

function hashOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

function run(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: packagingEnvironment(ownEnvironment()),
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
}
