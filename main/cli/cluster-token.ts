import { ExpectedError } from '../contract/expected-error.ts'
import { isStrongToken } from '../services/cluster/kept-token.ts'

export const tokenHelp =
  'the token that workers and classroom share, as the classroom makes it (default: $TARTAGLIA_TOKEN, or what this user has used last with this Redis)'

/** The token that an option or the environment gives; undefined: neither. Throws ExpectedError 'usage'. */
export function clusterToken(option: string | undefined): string | undefined {
  const token = option ?? process.env['TARTAGLIA_TOKEN']
  if (token === undefined || isStrongToken(token)) return token
  throw new ExpectedError(
    'usage',
    'token-weak',
    'This token can be guessed: a token is 32 or more random hexadecimal digits. Leave it out once, and `contest run --redis` makes one and prints it.',
  )
}
