// `npm run bench`: measures, and prints a table in which each row stands beside its baseline of the same run.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from './build.mjs'
import { memory } from './launch.mjs'
import { entry, ownEnvironment, root, setup } from './setup.mjs'

await entry(async () => {
  const node = await setup()
  await build()
  const args = [...memory, '--expose-gc', join(root, 'test', 'bench', 'main.ts'), ...process.argv.slice(2)]
  return spawnSync(node, args, { cwd: root, stdio: 'inherit', env: ownEnvironment() }).status ?? 1
})
