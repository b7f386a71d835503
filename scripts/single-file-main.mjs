// The beginning of the single file that `npm run package:single` makes: unpacks the package and a plain Node into the user's cache, once,
// and starts the program there. It is bundled by nothing and reads nothing but its own assets.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { constants, homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { getRawAsset } from 'node:sea'
import { brotliDecompressSync } from 'node:zlib'

/** Node's mark of a single file: the digit behind it says that there is one. */
const fuse = Buffer.from(['NODE_SEA_FUSE', 'fce680ab2cc467b6e072b8b5df1996b2:'].join('_'))
const { env, platform } = process
/** The beginning of the names of folders that are being unpacked. */
const unfinished = 'new-'

function cacheFolder() {
  const shared = env.XDG_CACHE_HOME ?? ''
  if (isAbsolute(shared)) return join(shared, 'tartaglia')
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(home(), 'AppData', 'Local'), 'Tartaglia', 'Cache')
  if (platform === 'darwin') return join(home(), 'Library', 'Caches', 'Tartaglia')
  return join(home(), '.cache', 'tartaglia')
}

/** This user's home. A relative one would be that of whatever folder the file was started in, where others may have put a program. */
function home() {
  try {
    const folder = homedir()
    if (isAbsolute(folder)) return folder
  } catch {
    // A user of a container may be unknown to its system.
  }
  throw new Error(`this user has no home: set ${platform === 'win32' ? 'LOCALAPPDATA' : 'HOME or XDG_CACHE_HOME'}.`)
}

/** This file as the Node that it was made of. */
function plainNode() {
  const bytes = readFileSync(process.execPath)
  const at = bytes.indexOf(fuse)
  if (at === -1) throw new Error(`${process.execPath} has no mark of a single file`)
  bytes[at + fuse.length] = '0'.charCodeAt(0)
  return bytes
}

/** The files of the package: a line of JSON with their paths and sizes, and their bytes behind it. */
function* files(packed) {
  const bytes = brotliDecompressSync(packed)
  const end = bytes.indexOf('\n')
  let at = end + 1
  for (const [path, size] of JSON.parse(bytes.subarray(0, end).toString())) {
    yield [path, bytes.subarray(at, at + size)]
    at += size
  }
}

/** The folder with the program; a folder with this name was written whole. */
function unpacked() {
  const cache = cacheFolder()
  const packed = Buffer.from(getRawAsset('package'))
  const folder = join(cache, createHash('sha256').update(packed).digest('hex').slice(0, 32))
  if (existsSync(folder)) return folder
  process.stderr.write(`Unpacking Tartaglia into ${folder}, once.\n`)
  mkdirSync(cache, { recursive: true, mode: 0o700 })
  removeInterrupted(cache)
  const making = mkdtempSync(join(cache, unfinished))
  try {
    for (const [path, bytes] of files(packed)) {
      const file = join(making, 'package', path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, bytes)
    }
    const node = join(making, nodeName)
    writeFileSync(node, plainNode())
    chmodSync(node, 0o755)
    put(making, folder)
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
  return folder
}

/** Removes what starts have left that were interrupted while they unpacked: each holds a whole Node, and none takes an hour. */
function removeInterrupted(cache) {
  for (const name of readdirSync(cache))
    try {
      const folder = join(cache, name)
      if (name.startsWith(unfinished) && Date.now() - statSync(folder).mtimeMs > 3_600_000)
        rmSync(folder, { recursive: true, force: true })
    } catch {
      // Another start is removing it, or something holds it: the next one tries again.
    }
}

/** A start that was faster has made the same. On Windows a scanner may hold the new Node for a moment. */
function put(making, folder) {
  for (let tried = 1; !existsSync(folder); tried++)
    try {
      renameSync(making, folder)
    } catch (error) {
      if (existsSync(folder)) return
      if (platform !== 'win32' || tried === 20) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    }
}

const nodeName = platform === 'win32' ? 'node.exe' : 'node'

try {
  const folder = unpacked()
  const program = join(folder, 'package', 'scripts', 'tartaglia.mjs')
  const child = spawn(join(folder, nodeName), [program, ...process.argv.slice(2)], { stdio: 'inherit' })
  // A terminal sends Ctrl-C to both processes.
  process.on('SIGINT', () => process.stdin.isTTY === true || child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', failed)
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
} catch (error) {
  failed(error)
}

function failed(error) {
  process.stderr.write(`Tartaglia cannot be unpacked and started: ${error.message}\n`)
  process.exit(3)
}
