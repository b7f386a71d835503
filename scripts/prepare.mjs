// Comes before each start. A checkout is set up and built; a package that npm installed is ready as it is.
import { isCheckout, note, ownNode, setup } from './setup.mjs'

/** Resolves to the path of the Node that runs the app. Throws Plain. */
export async function prepare() {
  if (!isCheckout) return ownNode()
  const node = await setup()
  const { build } = await import('./build.mjs')
  if (await build()) note('Built dist/ from the sources.')
  return node
}
