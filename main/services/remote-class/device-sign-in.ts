import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { ExpectedError } from '../../contract/expected-error.ts'
import { ask, type RemoteClass } from './class-requests.ts'

const deviceCode = z.object({
  deviceCode: z.string().min(1).max(200),
  userCode: z.string().min(1).max(40),
  until: z.iso.datetime(),
  interval: z.number().min(0.01).max(60),
})
const deviceToken = z.union([
  z.object({ token: z.null() }),
  z.object({ token: z.string().min(1).max(200), name: z.string().max(500) }),
])

/** A terminal that waits to be confirmed. */
export interface WaitingSignIn {
  /** For the person, in two groups. */
  readonly userCode: string
  /** ISO 8601. */
  readonly until: string
}

/**
 * Signs this terminal in: a person confirms its code in their browser. `onCode` shows the code. The terminal asks as often as the class
 * says. Throws ExpectedError like `ask`, and `device-unknown` if nobody has confirmed the code in time.
 */
export async function signInTerminal(
  remote: RemoteClass,
  onCode: (waiting: WaitingSignIn) => void,
): Promise<{ readonly token: string; readonly name: string }> {
  const { signal } = remote
  remote.token = null
  const post = <T>(path: string, body: object, value: z.ZodType<T>): Promise<T> =>
    ask(remote, { path, type: 'application/json', body: JSON.stringify(body) }, value)
  const begun = await post('/device', {}, deviceCode).catch(noPeople)
  onCode({ userCode: begun.userCode.replace(/^(.{4})(.{4})$/, '$1-$2'), until: begun.until })
  for (;;) {
    await sleep(begun.interval * 1_000, undefined, { signal }).catch(() => {
      throw new ExpectedError('stopped', 'stopped', 'Stopped: this terminal was not signed in.')
    })
    const answer = await post('/device/token', { deviceCode: begun.deviceCode }, deviceToken).catch(busyOrOver)
    if (answer.token !== null) return answer
  }
}

/** A class without people does not let strangers in at all. */
function noPeople(error: unknown): never {
  if (error instanceof ExpectedError && error.code === 'sign-in-needed')
    throw new ExpectedError('usage', 'sign-in-needed', 'The class has no people who could sign in.')
  throw error
}

function busyOrOver(error: unknown): { readonly token: null } {
  if (error instanceof ExpectedError && error.code === 'too-many') return { token: null }
  if (error instanceof ExpectedError && error.code === 'device-unknown')
    throw new ExpectedError('usage', 'device-unknown', 'The code is no longer valid: run the command again.')
  throw error
}
