import { ExpectedError } from '../../../contract/expected-error.ts'
import { readBytes } from '../../files/read-file.ts'
import { writeOutFile, type OutFile } from '../../files/output-file.ts'
import { logText, readSessionLog, type SessionLog } from './session-log.ts'

/** Logs are much smaller than this. */
const LOG_BYTES_MAX = 64 * 1024 * 1024

/** Reads a logged session. Throws ExpectedError 'usage' that names the file. */
export async function readLogFile(file: string): Promise<SessionLog> {
  const bytes = await readBytes(file, LOG_BYTES_MAX)
  const read = readSessionLog(bytes.toString('utf8').replace(/^\uFEFF/, ''))
  if (typeof read === 'string')
    throw new ExpectedError('usage', 'file-invalid', `${file} is not a session log. ${read}`)
  return read.log
}

/** Writes a session in the format of the original's --log. Throws like `writeOutFile`. */
export function writeLogFile(file: OutFile, log: SessionLog): void {
  writeOutFile(file, logText(log))
}
