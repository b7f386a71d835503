// `npm run pictures`: every screen in its states into .cache/pictures, from the built program in a real browser, and one contact
// sheet a screen into .cache/pictures/sheets. The pictures are for review. `npm run pictures -- -g "contest huge"` takes some
// of them. Those that README and docs show are written into docs/images as well.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from './build.mjs'
import { entry, ownEnvironment, root, setup } from './setup.mjs'

await entry(async () => {
  const node = await setup()
  await build()
  const cli = join(root, 'node_modules', '@playwright', 'test', 'cli.js')
  const args = [cli, 'test', '--config', join('test', 'e2e', 'pictures'), ...process.argv.slice(2)]
  return spawnSync(node, args, { cwd: root, stdio: 'inherit', env: ownEnvironment() }).status ?? 1
})
