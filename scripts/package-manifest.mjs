// The package.json of the packaged app, and the environment in which it is packaged.
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

/**
 * The environment of electron-builder: without keys for signing that are empty, as workflows give secrets that are not set. On macOS it would look
 * for an empty key's file.
 */
export function packagingEnvironment(env) {
  return Object.fromEntries(
    Object.entries(env).filter(([name, value]) => value !== '' || !/^(?:CSC|WIN_CSC|APPLE)_/.test(name)),
  )
}
