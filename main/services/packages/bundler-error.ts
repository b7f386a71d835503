import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { nearMiss } from '../../contract/near-miss.ts'
import { packageRoot } from './package-files.ts'
import type { PackageFile } from './files.ts'

/**
 * The first error in the bundler's log, such as `main.ts:1:20: Unexpected "}"`, with a remedy for an import that is not in the
 * package; null: there is none.
 */
export function bundlerError(log: string, files: readonly PackageFile[]): string | null {
  const [, what] = /\[ERROR\] (.*)/.exec(log) ?? []
  const [, place] = /^ {4}(\S.*:\d+:\d+):$/m.exec(log) ?? []
  if (what === undefined) return null
  const at = place === undefined ? '' : `${place}: `
  const from = place?.replace(/:\d+:\d+$/, '') ?? ''
  // esbuild finds a name in a folder by its lower case, and then cannot open it.
  const [, unread] = /^Cannot read file: (.*?)\.?$/.exec(what) ?? []
  if (unread !== undefined)
    return `${at}${unresolved(relativeTo(from, posix.relative(packageRoot, unread)), from, files)}`
  const [, wanted] = /^Could not resolve "(.*)"$/.exec(what) ?? []
  if (wanted === undefined) return `${at}${what.replace(/\.$/, '')}`
  return `${at}${unresolved(wanted, from, files)}`
}

/** `wanted`: what the file `from` imports. */
function unresolved(wanted: string, from: string, files: readonly PackageFile[]): string {
  const missing = `Could not resolve "${wanted}"`
  if (wanted.startsWith('/') || wanted.startsWith('file:'))
    return `${missing}; import files of the package by relative paths, such as "./strategy"`
  if (isBuiltin(wanted))
    return `${missing}: it is a module of Node, which scripts cannot use; write a program if the agent needs it`
  if (!wanted.startsWith('.'))
    return `${missing}: it is an npm package and not in the file; hand in a .zip that has it in node_modules, or write the code without it`
  const path = posix.join(posix.dirname(from), wanted)
  const like = files.find((file) => bare(file.path) === bare(path))
  if (like !== undefined)
    return `${missing}; did you mean "${relativeTo(from, like.path)}"? Names differ by upper and lower case`
  const near = nearMiss(
    bare(path),
    files.map((file) => bare(file.path)),
  )
  const meant = near === null ? undefined : files.find((file) => bare(file.path) === near)
  if (meant !== undefined) return `${missing}; did you mean "${relativeTo(from, meant.path)}"?`
  return files.length === 1
    ? `${missing}: the script was handed in without that file; hand in a .zip with both`
    : `${missing}: there is no such file in the package`
}

/** A path without its ending and the difference of upper and lower case. */
const bare = (path: string): string => path.replace(/\.[cm]?[jt]sx?$/i, '').toLowerCase()

function relativeTo(from: string, path: string): string {
  const relative = posix.relative(posix.dirname(from), path)
  return relative.startsWith('.') ? relative : `./${relative}`
}
