import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import type { ContestId, MatchNumber } from '../../contract/ids.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { makeFolder } from '../../histories/durable.ts'
import { exportName } from '../../contract/histories/match-link.ts'
import { parseKeyText, type PublicKey } from '../../histories/keys.ts'
import { readHistoryLine } from '../../histories/read-line.ts'
import { codeOf, machineErrorFrom } from '../../histories/machine-error.ts'

/** The file name of the class's public key among exported matches. */
export const KEY_FILE = 'class.pub'

/**
 * The owner of files that may be replaced: a contest and the key of its class, as in the proof at the end of each
 * exported match.
 */
export interface ExportOwner {
  /** null: a contest that has not begun and so has no files. */
  readonly contest: ContestId | null
  readonly key: PublicKey
}

/**
 * The number of bytes at the end of an exported match in which its last line, the proof, is found. Its size grows with
 * log(matches).
 */
const END_BYTES = 64 * 1024

/**
 * Creates the folder for exported matches and makes sure that no files of others are replaced there. `wanted`: selects
 * the matches that will be written. Throws ExpectedError 'conflict' that names the first file in the way, and
 * MachineError if the folder cannot be written; in both cases nothing has been written.
 */
export function openExportFolder(to: string, owner: ExportOwner, wanted: (match: MatchNumber) => boolean): string {
  const folder = resolve(to)
  const names = filesIn(folder)
    .filter((name) => name === KEY_FILE || isMatch(name, wanted))
    // A link has no content of its own: it is replaced, and its target is not changed.
    .filter((name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.isSymbolicLink() === false)
  const refuse = (name: string, what: string): never => {
    throw new ExpectedError(
      'conflict',
      'file-exists',
      `${join(folder, name)} ${what}, and will not be replaced. Choose another folder.`,
    )
  }
  for (const name of names.filter((each) => each !== KEY_FILE)) {
    const found = contestOf(join(folder, name))
    if (found === null) refuse(name, 'is not an exported match')
    else if (found.key !== owner.key) refuse(name, `belongs to a contest of another class, ${found.contest}`)
    else if (found.contest !== owner.contest) refuse(name, `belongs to another contest, ${found.contest}`)
  }
  if (names.includes(KEY_FILE) && parseKeyText(endOf(join(folder, KEY_FILE))) !== owner.key)
    refuse(KEY_FILE, 'is not the public key of this class')
  tryToWrite(folder)
  return folder
}

function isMatch(name: string, wanted: (match: MatchNumber) => boolean): boolean {
  const match = Number(/^match-(\d{4,9})\.jsonl$/.exec(name)?.[1] ?? NaN)
  return exportName({ match }) === name && wanted(match)
}

/** Sorted; empty if there is no such folder. */
function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw machineErrorFrom(error, 'write in the folder', folder)
  }
}

/** The contest that an exported match names; null: the file is not an exported match. */
function contestOf(file: string): { readonly contest: ContestId; readonly key: PublicKey } | null {
  const last = endOf(file).split('\n').at(-2) ?? ''
  const read = readHistoryLine(Buffer.from(last))
  return read.ok && read.body.k === 'proof' ? { contest: read.body.contest, key: read.body.key } : null
}

/** The end of a file's text; empty if it is not a file or cannot be read. */
function endOf(file: string): string {
  try {
    // O_NONBLOCK: do not wait for pipes and other special files.
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const { size } = fstatSync(descriptor)
      const bytes = Buffer.alloc(Math.min(size, END_BYTES))
      const read = readSync(descriptor, bytes, 0, bytes.length, size - bytes.length)
      return bytes.subarray(0, read).toString('utf8')
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return ''
  }
}

/** Creates the folder if necessary. */
function tryToWrite(folder: string): void {
  try {
    makeFolder(folder)
  } catch (error) {
    throw machineErrorFrom(error, 'make the folder', folder)
  }
  const probe = join(folder, `.tartaglia-${process.pid}.tmp`)
  try {
    writeFileSync(probe, '', { flag: 'wx' })
    rmSync(probe)
  } catch (error) {
    throw machineErrorFrom(error, 'write in the folder', folder)
  }
}
