import type { JoinRequest, SignInRequest } from '../../../main/contract/people/sign-in.ts'

/** Why a request was refused. */
export interface SignInFailure {
  /** The code of the refusal; null: the server was not reached. */
  readonly reason: string | null
  readonly message: string
}

/** True for a text that can only be a one-time code: passwords have ten characters or more. */
export function isOneTimeCode(text: string): boolean {
  return /^[2-9a-hj-km-np-z]{8}$/i.test(text.replaceAll(/[\s-]/g, ''))
}

/** The request for a name and a password or code. `newPassword`: '' if none was chosen yet. */
export function signInWith(name: string, secret: string, newPassword: string): SignInRequest {
  if (!isOneTimeCode(secret)) return { name, password: secret }
  return newPassword === '' ? { name, code: secret } : { name, code: secret, newPassword }
}

/** Sends a request; null: it was accepted. */
export async function send(
  path: '/sign-in' | '/join' | '/sign-out',
  body: SignInRequest | JoinRequest | object,
): Promise<SignInFailure | null> {
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { ok, error } = (await answer.json()) as { readonly ok: boolean; readonly error?: SignInFailure }
    return ok ? null : (error ?? unreachable)
  } catch {
    return unreachable
  }
}

const unreachable: SignInFailure = {
  reason: null,
  message: 'The classroom cannot be reached: check your connection and try again.',
}
