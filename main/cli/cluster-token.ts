import { ExpectedError } from '../contract/expected-error.ts'

export const tokenHelp =
  'the word that workers and classroom share (default: $TARTAGLIA_TOKEN, or what this user has used last with this Redis)'

const LENGTH_MAX = 200

/** The token that an option or the environment gives; undefined: neither. Throws ExpectedError 'usage'. */
export function clusterToken(option: string | undefined): string | undefined {
  const token = option ?? process.env['TARTAGLIA_TOKEN']
  if (token === undefined) return undefined
  if (token === '' || token.length > LENGTH_MAX)
    throw new ExpectedError(
      'usage',
      'input-invalid',
      `A token has 1 to ${LENGTH_MAX} characters; this one has ${token.length}.`,
    )
  return token
}
