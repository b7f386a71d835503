// Runs the command line under the project's own Node.
import { spawn, spawnSync } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { prepare } from './prepare.mjs'
import { missingLibrary, ownEnvironment, Plain, root } from './setup.mjs'

/** Long texts make much that dies young: with V8's usual room for it, half of their reading is moving what has not died yet. */
export const memory = ['--max-semi-space-size=64']

/** Runs `tartaglia ...args`. Resolves to its exit code. Throws Plain. */
export async function launch(args) {
  const node = await prepare()
  return begun(node, await run(node, [...memory, join(root, 'dist', 'cli.js'), ...args]))
}

/** Gives the exit code of a program of this Node. Throws Plain if the Node did not even start, since the system lacks a library. */
export function begun(node, code) {
  // The loader of Linux ends with it.
  const why = code === 127 ? missingLibrary(spawnSync(node, ['--version'], { encoding: 'utf8' }).stderr ?? '') : null
  if (why !== null) throw new Plain(why)
  return code
}

/** Runs a program with our input, output and signals. Resolves to its exit code. */
function run(command, args) {
  // Through the channel the command line notices when this process is killed, and ends too.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  const child = spawn(command, args, { stdio, env: ownEnvironment() })
  // A terminal sends Ctrl-C to both processes; passing it on would make it two.
  const terminal = process.stdin.isTTY === true
  process.on('SIGINT', () => terminal || child.kill('SIGINT'))
  // SIGUSR1 asks "serve" for a new address.
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGUSR1']) process.on(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]))
  })
}
