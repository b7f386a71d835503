import { Trouble } from '../../contract/trouble.ts'

/** A file that is no agent; `why` follows a colon. */
export function refused(fileName: string, why: string): Trouble {
  return new Trouble('usage', `${fileName} cannot be taken: ${why}.`)
}
