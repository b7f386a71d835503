import type { ErrorCode } from '../../contract/error-codes.ts'

/** Why bytes are not accepted as a package: a phrase for the end of a sentence, and its code. */
export class PackageProblem {
  readonly code: ErrorCode
  readonly why: string

  constructor(code: ErrorCode, why: string) {
    this.code = code
    this.why = why
  }
}

/** A file of a package. */
export interface PackageFile {
  /** Relative, with forward slashes. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** The maximum number of a package's files and their maximum total size. */
export const FILES_MAX = 2_000
export const PACKAGE_BYTES_MAX = 64 * 1024 * 1024

/** Every path within these limits fits into the two name fields of a tar header. */
const pathBytesMax = 155
const segmentBytesMax = 100
/** Device names on Windows; anything may follow their first dot. */
const devices = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i
/** Control characters, characters that change the direction of text, line separators, and what Windows forbids. */
const forbidden = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}<>:"|?*\\]/u

/**
 * Why files with these paths cannot be stored in a folder on every system; null: they can. Refused are absolute paths,
 * paths that leave the folder, device names, names that some system reads differently, paths that differ only in case,
 * Unicode form or invisible characters, and a file that is also a folder.
 */
export function whyUnsafe(paths: readonly string[]): PackageProblem | null {
  const taken = new Map<string, string>()
  for (const path of paths) {
    const problem = whyUnsafePath(path)
    if (problem !== null) return problem
    const plain = plainOf(path)
    const twin = taken.get(plain)
    if (twin === path) return new PackageProblem('path-twice', `${shown(path)} occurs twice`)
    if (twin !== undefined)
      return new PackageProblem('paths-alike', `${shown(twin)} and ${shown(path)} are the same file on some systems`)
    taken.set(plain, path)
  }
  for (const path of paths) {
    const parts = plainOf(path).split('/')
    for (let depth = 1; depth < parts.length; depth++) {
      const file = taken.get(parts.slice(0, depth).join('/'))
      if (file !== undefined)
        return new PackageProblem('path-file-and-folder', `${shown(file)} is both a file and a folder`)
    }
  }
  return null
}

/**
 * Equal for paths that some file system does not distinguish. Lower and then upper case is full case folding: it makes
 * one of ß, ẞ and ss, of the three sigmas, and of i, dotted and dotless. HFS+ ignores characters that are invisible.
 */
function plainOf(path: string): string {
  const visible = path.replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  return visible.normalize('NFKD').toLowerCase().toUpperCase().normalize('NFKD')
}

function whyUnsafePath(path: string): PackageProblem | null {
  if (path === '') return new PackageProblem('path-not-plain', 'a file in it has no name')
  if (path.startsWith('/') || /^[a-z]:/i.test(path))
    return new PackageProblem('path-absolute', `${shown(path)} is an absolute path`)
  if (!path.isWellFormed() || path.includes('\ufffd') || forbidden.test(path)) {
    return new PackageProblem(
      'path-characters',
      `the name ${shown(path)} contains a character that some systems do not allow in names`,
    )
  }
  if (Buffer.byteLength(path) > pathBytesMax)
    return new PackageProblem('path-too-long', `the path ${shown(path)} is too long`)
  for (const segment of path.split('/')) {
    if (segment === '..') return new PackageProblem('path-leaves-package', `${shown(path)} leads out of the package`)
    if (segment === '' || segment === '.')
      return new PackageProblem('path-not-plain', `${shown(path)} is not a plain path`)
    if (Buffer.byteLength(segment) > segmentBytesMax)
      return new PackageProblem('path-too-long', `the name ${shown(segment)} is too long`)
    if (/[. ]$/.test(segment) || segment.startsWith(' '))
      return new PackageProblem('path-not-plain', `${shown(path)} begins with a space, or ends with a space or a dot`)
    if (devices.test(segment))
      return new PackageProblem('path-device-name', `${shown(path)} is the name of a device on some systems`)
  }
  return null
}

/** Quotes a path for a message, with misleading characters spelled out. */
function shown(path: string): string {
  const quoted = JSON.stringify(path.length > 80 ? `${path.slice(0, 79)}…` : path)
  return quoted.replace(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
