// `npm run pictures`: every screen in its states into .cache/pictures, from the built program in a real browser, and one contact
// sheet a screen into .cache/pictures/sheets. The pictures are for review. `npm run pictures -- -g "contest huge"` takes some
// of them. Those that README and docs show are written into docs/images as well; `npm run pictures -- --docs` takes these alone.
// `npm run pictures -- --check` takes them into .cache/pictures-check and fails if one in docs/images does not show the same.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build.mjs'
import { entry, note, ownEnvironment, root, setup } from './setup.mjs'

const shown = join(root, 'docs', 'images')
const made = join(root, '.cache', 'pictures-check')

await entry(async () => {
  const node = await setup()
  await build()
  const words = process.argv.slice(2)
  if (words.includes('--check')) return check(node)
  const rest = words.filter((word) => word !== '--docs')
  return take(node, rest, rest.length === words.length ? {} : { TARTAGLIA_PICTURES: shown })
})

/** Takes pictures by Playwright, with these arguments. Returns its exit code. */
function take(node, args, variables) {
  const cli = join(root, 'node_modules', '@playwright', 'test', 'cli.js')
  const words = [cli, 'test', '--config', join('test', 'e2e', 'pictures'), ...args]
  return spawnSync(node, words, { cwd: root, stdio: 'inherit', env: ownEnvironment(variables) }).status ?? 1
}

/** Leaves the new pictures in `made` if one is stale; the workflow of a release keeps them. */
async function check(node) {
  rmSync(made, { recursive: true, force: true })
  mkdirSync(made, { recursive: true })
  const status = take(node, [], { TARTAGLIA_PICTURES: made })
  const { stalePictures } = await import('../test/e2e/pictures/stale-pictures.ts')
  const stale = status === 0 ? stalePictures(shown, made) : []
  for (const { name, part } of stale) {
    const why = part === null ? 'it was not taken again' : `${(100 * part).toFixed(2)} % of it differ`
    console.log(`docs/images/${name} is stale: ${why}.`)
  }
  if (stale.length > 0) {
    note(`Look at the new ones in ${made}, take them with "npm run pictures -- --docs", and commit them.`)
    return 1
  }
  rmSync(made, { recursive: true })
  if (status === 0) note('The pictures of the docs show what the program shows.')
  return status
}
