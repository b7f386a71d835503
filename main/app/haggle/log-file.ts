import { Trouble } from '../../contract/trouble.ts'
import { readBytes } from '../files.ts'
import { writeOutFile, type OutFile } from '../out-file.ts'
import { logText, readSessionLog, type SessionLog } from './session-log.ts'

/** Logs are small, whatever a script notes. */
const LOG_BYTES_MAX = 64 * 1024 * 1024

/** Reads a logged session. Throws Trouble 'usage', a sentence that names the file. */
export async function readLogFile(file: string): Promise<SessionLog> {
  const bytes = await readBytes(file, LOG_BYTES_MAX)
  const read = readSessionLog(bytes.toString('utf8').replace(/^\uFEFF/, ''))
  if (typeof read === 'string') throw new Trouble('usage', `${file} is no log of a session. ${read}`)
  return read.log
}

/** Writes a session where the original's --log would have. Throws as `writeOutFile`. */
export function writeLogFile(file: OutFile, log: SessionLog): void {
  writeOutFile(file, logText(log))
}
