import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import * as z from 'zod'
import { ExpectedError } from '../../contract/expected-error.ts'
import { makeFolder } from '../../histories/durable.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { homeFolder } from '../../players/isolation/home-folder.ts'
import { writeOutFile } from '../files/output-file.ts'
import { certificatePin } from './certificate-pin.ts'

/** A class in which somebody has signed in this terminal. */
const keptSignIn = z.strictObject({
  /** The secret of the terminal's session. */
  token: z.string().min(1).max(200),
  /** The name of the person. */
  name: z.string().max(500),
  /** null: this system knows the issuer of the class's certificate, or the class is on this machine. */
  certificate: certificatePin.nullable(),
})
export type KeptSignIn = z.infer<typeof keptSignIn>

const keptSignIns = z.strictObject({ format: z.literal(1), classes: z.record(z.string(), keptSignIn) })
type KeptSignIns = z.infer<typeof keptSignIns>

/** For their owner alone. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/** The folder of a user's settings: `$XDG_CONFIG_HOME/tartaglia`, `~/.config/tartaglia`, or on Windows `%APPDATA%\Tartaglia`. Throws ExpectedError 'host' if it would lie in the home of a user who has none. */
export function configFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
  home = homeFolder(),
): string {
  const shared = env['XDG_CONFIG_HOME'] ?? ''
  // The XDG Base Directory Specification says to ignore relative paths.
  if (isAbsolute(shared)) return join(shared, 'tartaglia')
  if (platform === 'win32') return join(env['APPDATA'] ?? join(needed(home), 'AppData', 'Roaming'), 'Tartaglia')
  return join(needed(home), '.config', 'tartaglia')
}

function needed(home: string | null): string {
  if (home !== null) return home
  throw new ExpectedError(
    'host',
    'path-unusable',
    'This user has no home for kept sign-ins: set HOME or XDG_CONFIG_HOME.',
  )
}

const fileIn = (folder: string): string => join(folder, 'tokens.json')

/**
 * The sign-in that is kept for the class at an origin; null: none. A file that others can read is closed to them first. Throws
 * ExpectedError if the file is damaged, MachineError if it cannot be read.
 */
export function keptSignInAt(folder: string, origin: string): KeptSignIn | null {
  const { classes } = read(folder)
  return Object.hasOwn(classes, origin) ? classes[origin]! : null
}

/** The origin of the only class in which this user has signed in a terminal; null: there are none or several. Throws like `keptSignInAt`. */
export function onlyKeptOrigin(folder: string): string | null {
  const [origin, ...others] = Object.keys(read(folder).classes)
  return others.length === 0 ? (origin ?? null) : null
}

/** Keeps a sign-in in place of the former one at the same origin. Throws like `keptSignInAt`. */
export function keepSignIn(folder: string, origin: string, signIn: KeptSignIn): void {
  const { classes } = read(folder)
  makeFolder(folder, FOLDER_MODE)
  closeToOthers(folder, FOLDER_MODE)
  const kept: KeptSignIns = { format: 1, classes: { ...classes, [origin]: signIn } }
  writeOutFile({ path: fileIn(folder), overwrite: true, mode: FILE_MODE }, `${JSON.stringify(kept, null, 2)}\n`)
}

function read(folder: string): KeptSignIns {
  const path = fileIn(folder)
  if (!existsSync(path)) return { format: 1, classes: {} }
  closeToOthers(path, FILE_MODE)
  const text = reading(path, () => readFileSync(path, 'utf8'))
  const parsed = keptSignIns.safeParse(jsonOf(text))
  if (parsed.success) return parsed.data
  throw new ExpectedError(
    'usage',
    'json-invalid',
    `${path} is damaged or was written by a newer version: delete it, and sign in again at your classes.`,
  )
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** On Windows modes say nothing: the folder of a user's settings is theirs. */
function closeToOthers(path: string, mode: number): void {
  reading(path, () => {
    if (process.platform !== 'win32' && (statSync(path).mode & 0o777 & ~mode) !== 0) chmodSync(path, mode)
  })
}

function reading<T>(path: string, how: () => T): T {
  try {
    return how()
  } catch (error) {
    throw machineErrorFrom(error, 'read', path)
  }
}
