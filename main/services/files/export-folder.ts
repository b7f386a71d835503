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
import { exportName } from '../../histories/export.ts'
import { parseKeyText, type PublicKey } from '../../histories/keys.ts'
import { readLine } from '../../histories/read-line.ts'
import { codeOf, machineErrorFrom } from '../../histories/machine-error.ts'

/** The file name of the class's public key among exported matches. */
export const KEY_FILE = 'class.pub'

/** Whose files may be replaced: a contest is known by its name and by the key of its class, which each of its files ends with. */
export interface ExportOwner {
  /** null: one that is still to begin, which has no file anywhere. */
  readonly contest: ContestId | null
  readonly key: PublicKey
}

/** How many bytes at the end of an exported match are searched for its proof, the last line, whose size grows with log(matches). */
const END_BYTES = 64 * 1024

/**
 * Makes the folder that exported matches go into, and sees to it that nothing of others is replaced there. `wanted`: the matches
 * that will be written. Throws ExpectedError 'conflict', a sentence that names the first file in the way, and MachineError where
 * nothing can be written; then nothing has been.
 */
export function openExportFolder(to: string, owner: ExportOwner, wanted: (match: MatchNumber) => boolean): string {
  const folder = resolve(to)
  const names = filesIn(folder)
    .filter((name) => name === KEY_FILE || isMatch(name, wanted))
    // A link holds nothing: it is replaced, and what it leads to stays as it is.
    .filter((name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.isSymbolicLink() === false)
  const refuse = (name: string, what: string): never => {
    throw new ExpectedError(
      'conflict',
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

/** Sorted; none where there is no such folder. */
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
  const read = readLine(Buffer.from(last))
  return read.ok && read.body.k === 'proof' ? { contest: read.body.contest, key: read.body.key } : null
}

/** The end of a file's text; empty if it is not a file or cannot be read. */
function endOf(file: string): string {
  try {
    // Does not wait for pipes and other special files.
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
