import {
  closeSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { codeOf, machineErrorFrom } from '../../histories/machine-error.ts'

/** The size in bytes at which a file is put away, and the number of files that are kept besides it. */
export interface Rotation {
  readonly bytes: number
  readonly files: number
}

const usual: Rotation = { bytes: 10_000_000, files: 5 }

type Level = 'info' | 'warn' | 'error'

/** A log of one JSON object a line, as programs that collect logs read it. */
export interface LogFile {
  /**
   * Appends a line with `time` (ISO 8601, UTC), `level`, `event` and the facts. A line that cannot be written is lost as a whole: a full disk must
   * not end a class, nor leave a part of a line to which the next one would be joined.
   */
  write(level: Level, event: string, facts?: Readonly<Record<string, string | number | boolean | null>>): void
  /** The number of lines that were lost. */
  lost(): number
}

/**
 * Opens a log. At `rotation.bytes` FILE becomes FILE.1, FILE.1 becomes FILE.2, and the oldest is removed. No handle stays open, so other
 * programs may move the file, too. Throws MachineError if it cannot be written.
 */
export function openLogFile(path: string, now: () => Date = () => new Date(), rotation = usual): LogFile {
  try {
    append(path, '')
  } catch (error) {
    throw machineErrorFrom(error, 'write', path)
  }
  let lost = 0
  return {
    write(level, event, facts = {}) {
      const line = `${visible(JSON.stringify({ time: now().toISOString(), level, event, ...facts }))}\n`
      try {
        if (sizeOf(path) + Buffer.byteLength(line) > rotation.bytes) putAway(path, rotation.files)
        append(path, line)
      } catch {
        lost += 1
      }
    },
    lost: () => lost,
  }
}

/** JSON whose strings a terminal shows as they are: characters that steer one are spelled. */
function visible(json: string): string {
  return json.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/** Appends whole lines, or nothing. For its owner only: it tells when the class is used. */
function append(path: string, text: string): void {
  const file = openSync(path, 'a+', 0o600)
  try {
    const { size } = fstatSync(file)
    try {
      writeFileSync(file, endsLine(file, size) ? text : `\n${text}`)
    } catch (error) {
      // Windows cuts no file by a handle that appends.
      truncateSync(path, size)
      throw error
    }
  } finally {
    closeSync(file)
  }
}

/** False: a program that was killed has left a part of a line. */
function endsLine(file: number, size: number): boolean {
  if (size === 0) return true
  const last = Buffer.alloc(1)
  readSync(file, last, 0, 1, size - 1)
  return last.toString('latin1') === '\n'
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** If another program holds one of the files open, as on Windows, the log goes on in the file that it has. */
function putAway(path: string, files: number): void {
  try {
    rotate(path, files)
  } catch {
    return
  }
}

function rotate(path: string, files: number): void {
  rmSync(`${path}.${files}`, { force: true })
  for (let number = files - 1; number >= 0; number--) {
    const from = number === 0 ? path : `${path}.${number}`
    try {
      renameSync(from, `${path}.${number + 1}`)
    } catch (error) {
      // Some are missing until the log has been put away so often.
      if (codeOf(error) !== 'ENOENT') throw error
    }
  }
}
