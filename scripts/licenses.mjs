// Lists the packages that a bundle is made of, and the texts of their licences. Nothing is listed by hand: bundlers say which files they
// took, and a package without a licence ends the build.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Plain, root } from './setup.mjs'

/** Modules that bundlers make up themselves: code of theirs that is in the bundle. */
const made = [
  [/^\0?(\/?@id\/)?(__x00__)?vite\//, 'vite'],
  [/^\0?rolldown\//, 'rolldown'],
]

/** Files of a package that hold its licence or must be handed on with it. */
const legal = /^(licen[cs]es?|copying|notice|ofl)\b/i

const line = '-'.repeat(80)

/** The folder of the package that a module is of; null: the module is the project's own. `from`: what paths are relative to. */
export function packageFolder(module, from = root) {
  const path = module.split('?', 1)[0].replaceAll('\\', '/')
  const maker = made.find(([pattern]) => pattern.test(path))?.[1]
  if (maker !== undefined) return join(root, 'node_modules', maker)
  if (path.startsWith('\0'))
    throw new Plain(`${JSON.stringify(module)} is bundled, and scripts/licenses.mjs does not know whose it is.`)
  // The innermost package.
  const folder = /^(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]
  return folder === undefined ? null : resolve(from, folder)
}

/** Modules of which something is in the bundles that esbuild has made. */
export function modulesOfEsbuild(metafile) {
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([module, { bytesInOutput }]) => (bytesInOutput > 0 ? [module] : [])),
  )
}

/** The same of vite, with the files that it has taken along, such as fonts. Styles are in files of their own by then. */
export function modulesOfVite(output) {
  return output.flatMap((file) =>
    file.type === 'chunk'
      ? Object.entries(file.modules).flatMap(([module, { renderedLength }]) =>
          renderedLength > 0 || /\.css\b/.test(module) ? [module] : [],
        )
      : file.originalFileNames,
  )
}

/**
 * The licences of the packages in these folders, by name, each once. Throws Plain, a sentence, where a package has none.
 */
export function licensesOf(folders) {
  const packages = [...new Set(folders)].map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const license = licenseIn(folder)
    const text = [textsIn(folder), supplied(name)].filter((each) => each !== '').join('\n\n')
    if (text === '') {
      const where = `scripts/licenses/${fileNameOf(name)}`
      throw new Plain(`${name} ${version} is bundled, and its package has no licence file: put the text into ${where}.`)
    }
    return [`${name} ${version}${license === null ? '' : ` (${license})`}`, text]
  })
  // A package may lie in several places.
  const sorted = [...new Map(packages)].sort(([a], [b]) => (a < b ? -1 : 1))
  const head = [
    'Tartaglia is made with these packages. Their licences follow.',
    '',
    ...sorted.map(([title]) => `  ${title}`),
  ]
  return `${[head.join('\n'), ...sorted.map(([title, text]) => `${title}\n\n${text}`)].join(`\n\n${line}\n\n`)}\n`
}

/** The licence of the package in a folder as SPDX names it: by its manifest, or else by the title of its text; null: neither says it. */
export function licenseIn(folder) {
  const { license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (typeof license === 'string') return license
  return /^(?:The )?MIT License\b/i.test(textsIn(folder)) ? 'MIT' : null
}

/** The licence that a package should contain and does not, if it is known. */
function supplied(name) {
  const file = join(root, 'scripts', 'licenses', fileNameOf(name))
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
}

const fileNameOf = (name) => `${name.replace('/', '__')}.txt`

function textsIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((item) => item.isFile() && legal.test(item.name))
    .map((item) => readFileSync(join(folder, item.name), 'utf8').replaceAll('\r\n', '\n').trim())
    .filter((text) => text !== '')
    .join('\n\n')
}
