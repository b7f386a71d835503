// The software bill of materials of what is bundled, in CycloneDX 1.6: made of the folders that the bundlers took files from.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { licenseIn } from './licenses.mjs'
import { root } from './setup.mjs'

/**
 * The text of the bill for the packages in these folders, each once. It names no time and has no serial number, so that equal
 * sources give an equal file.
 */
export function sbomOf(folders) {
  const own = manifestIn(root)
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const components = folders.map((folder) => componentIn(folder, integrityOf(locked, folder)))
  const sorted = [...new Map(components.map((each) => [each.purl, each]))].sort(([a], [b]) => (a < b ? -1 : 1))
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...componentIn(root), type: 'application' } },
    components: sorted.map(([, each]) => each),
    dependencies: [{ ref: purlOf(own), dependsOn: sorted.map(([purl]) => purl) }],
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}

const manifestIn = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

const purlOf = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`

function componentIn(folder, integrity) {
  const { name, version } = manifestIn(folder)
  const license = licenseIn(folder)
  const purl = purlOf({ name, version })
  // An identifier of SPDX, or an expression of several.
  const licences = license === null ? [] : [/ /.test(license) ? { expression: license } : { license: { id: license } }]
  const hash = /^sha512-(.+)$/.exec(integrity ?? '')?.[1]
  return {
    ...{ type: 'library', 'bom-ref': purl, name, version, purl, licenses: licences },
    ...(hash === undefined
      ? {}
      : { hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] }),
  }
}

/** The hash of the package's archive that the lockfile has; undefined: the package is not from a registry. */
function integrityOf(locked, folder) {
  const path = folder.replaceAll('\\', '/')
  return locked[path.slice(path.indexOf('node_modules/'))]?.integrity
}
