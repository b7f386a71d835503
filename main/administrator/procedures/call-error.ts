import type * as z from 'zod'
import type { CallError } from '../../contract/procedures/procedures.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { machineErrorOf } from '../../histories/machine-error.ts'

/** The message for a person about an expected error; null for an unexpected one, whose message is not for screens. */
export function expectedError(error: unknown): CallError | null {
  if (error instanceof ExpectedError) {
    const code = error.kind === 'host' || error.kind === 'conflict' ? error.kind : 'refused'
    return {
      code,
      reason: error.code,
      // Somebody who has to mend this machine needs the places of files.
      message: code === 'host' ? withoutHashes(error.message) : plainSentence(error.message),
      ...(error.details === null ? {} : { details: error.details }),
    }
  }
  const machine = machineErrorOf(error, 'a file')
  return machine === null ? null : { code: 'host', reason: machine.code, message: machine.message }
}

/** An absolute path of two folders and more, at the beginning of a word; its last part is the second group. */
const PATH = /(^|[\s"“(])(?:[A-Za-z]:)?(?:[\\/][^\s"”:,;()\\/]+)+[\\/]([^\s"”:,;()\\/]+)/g
/** The hash of a package, a key or a seed. Fingerprints stay whole, because people compare them. */
const HASH = /(?<!fingerprint (?:is )?)\b([0-9a-f]{8})[0-9a-f]{56}\b/g

const withoutHashes = (message: string): string => message.replace(HASH, '$1…')

/** A sentence for a person: files by their names alone, hashes by their first eight digits. */
export function plainSentence(message: string): string {
  return withoutHashes(message.replace(PATH, '$1$2'))
}

/** One sentence for an input that does not match the procedure's schema: `contests.get: contest: ...`. */
export function malformed(name: string, { issues }: z.ZodError): CallError {
  const [issue] = issues
  const place = issue === undefined || issue.path.length === 0 ? '' : ` ${issue.path.map(String).join('.')}:`
  return { code: 'malformed', reason: 'input-invalid', message: `${name}:${place} ${issue?.message ?? 'not valid'}.` }
}
