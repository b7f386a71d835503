// `npm run package:single`: makes one file of the package for npm and the Node of the lockfile, in release/, that runs without Node and without a
// network. For the system on which it runs. `--out FILE`: another place.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { brotliCompressSync, constants } from 'node:zlib'
import { entry, note, ownNode, Plain, root } from './setup.mjs'

const { platform, arch, execPath } = process

await entry(async () => {
  // The plain Node that the file leaves behind would lose its signature.
  if (platform === 'darwin')
    throw new Plain('A single file is made on Linux and Windows; on macOS install the package.')
  const { values } = parseArgs({ options: { out: { type: 'string' } } })
  execFileSync(execPath, [join(root, 'scripts', 'npm-package.mjs')], { stdio: ['ignore', 'ignore', 'inherit'] })
  const staging = join(root, '.cache', 'npm-package')
  const { version } = JSON.parse(readFileSync(join(staging, 'package.json'), 'utf8'))
  const ending = platform === 'win32' ? '.exe' : ''
  const out = resolve(values.out ?? join(root, 'release', `tartaglia-${version}-${platform}-${arch}${ending}`))
  mkdirSync(dirname(out), { recursive: true })
  const work = mkdtempSync(join(tmpdir(), 'tartaglia-single-'))
  try {
    writeFileSync(join(work, 'package'), packed(staging))
    const config = {
      main: join(root, 'scripts', 'single-file-main.mjs'),
      mainFormat: 'module',
      output: out,
      disableExperimentalSEAWarning: true,
      // An agent's Node options are not for the part that unpacks.
      execArgvExtension: 'none',
      assets: { package: join(work, 'package') },
    }
    writeFileSync(join(work, 'config.json'), JSON.stringify(config))
    execFileSync(ownNode(), [`--build-sea=${join(work, 'config.json')}`], { stdio: ['ignore', 'ignore', 'pipe'] })
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  note(`One file: ${(statSync(out).size / 1e6).toFixed(0)} MB.`)
  console.log(out)
})

/** All files of a folder in one: a line of JSON with their paths and sizes, and their bytes behind it; compressed. */
function packed(folder) {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
  const contents = paths.map((path) => readFileSync(path))
  const index = paths.map((path, at) => [relative(folder, path).split(sep).join('/'), contents[at].length])
  const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...contents])
  return brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_LGWIN]: 24 },
  })
}
