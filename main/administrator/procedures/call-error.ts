import type * as z from 'zod'
import type { CallError } from '../../contract/procedures/procedures.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { plainSentence, withoutHashes } from '../../contract/plain-sentence.ts'
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

/** One sentence for an input that does not match the procedure's schema: `contests.get: contest: ...`. */
export function malformed(name: string, { issues }: z.ZodError): CallError {
  const [issue] = issues
  const place = issue === undefined || issue.path.length === 0 ? '' : ` ${issue.path.map(String).join('.')}:`
  return { code: 'malformed', reason: 'input-invalid', message: `${name}:${place} ${issue?.message ?? 'not valid'}.` }
}
