/** A file of a package. */
export interface PackageFile {
  /** Relative, with forward slashes. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** Limits on the unpacked size of a package. */
export const FILES_MAX = 2_000
export const PACKAGE_BYTES_MAX = 64 * 1024 * 1024

/** With this, every path fits into the two fields of an archive. */
const pathBytesMax = 155
const segmentBytesMax = 100
/** Names that are devices on Windows, whatever follows their first dot. */
const devices = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const forbidden = /[\u0000-\u001f\u007f<>:"|?*\\]/

/**
 * Why files with these paths cannot lie in a folder of any system; null: they can. Refused are absolute and climbing paths,
 * device names, what some system reads differently, paths that are equal but for case or spelling, and a file that is a
 * folder of another.
 */
export function whyUnsafe(paths: readonly string[]): string | null {
  const taken = new Map<string, string>()
  for (const path of paths) {
    const problem = whyUnsafePath(path)
    if (problem !== null) return problem
    const plain = plainOf(path)
    const twin = taken.get(plain)
    if (twin === path) return `${shown(path)} is in it twice`
    if (twin !== undefined) return `${shown(twin)} and ${shown(path)} are one file on some systems`
    taken.set(plain, path)
  }
  for (const path of paths) {
    const parts = plainOf(path).split('/')
    for (let depth = 1; depth < parts.length; depth++) {
      const file = taken.get(parts.slice(0, depth).join('/'))
      if (file !== undefined) return `${shown(file)} is a file and a folder`
    }
  }
  return null
}

const plainOf = (path: string): string => path.normalize('NFKC').toLowerCase()

function whyUnsafePath(path: string): string | null {
  if (path === '') return 'a file in it has no name'
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return `${shown(path)} is an absolute path`
  if (!path.isWellFormed() || path.includes('\ufffd') || forbidden.test(path)) {
    return `the name ${shown(path)} has a character that some systems do not have in names`
  }
  if (Buffer.byteLength(path) > pathBytesMax) return `the path ${shown(path)} is too long`
  for (const segment of path.split('/')) {
    if (segment === '..') return `${shown(path)} leads out of the package`
    if (segment === '' || segment === '.') return `${shown(path)} is no plain path`
    if (Buffer.byteLength(segment) > segmentBytesMax) return `the name ${shown(segment)} is too long`
    if (/[. ]$/.test(segment) || segment.startsWith(' '))
      return `${shown(path)} begins with a space, or ends in one or in a dot`
    if (devices.test(segment)) return `${shown(path)} is the name of a device on some systems`
  }
  return null
}

/** A path for a sentence. */
const shown = (path: string): string => JSON.stringify(path.length > 80 ? `${path.slice(0, 79)}…` : path)
