// The package.json of the packaged app.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

/** The folder of the deb, with the app and its licences. */
const installed = 'file:///opt/Tartaglia/resources/'

/** The app's manifest for electron-builder. */
export function packageManifest(platform = process.platform) {
  const { name, version, description, license, type, main, homepage } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  const author = 'The Tartaglia authors'
  // A deb must have one. As long as the project has no page, it is the folder that the deb itself installs: no host is made up.
  const page = homepage ?? (platform === 'linux' ? installed : undefined)
  return { name, version, description, license, author, homepage: page, type, main }
}
