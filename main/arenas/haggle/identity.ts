import { hash } from 'node:crypto'

/** The public name of a client: the lower-case hex MD5 of its id. The id itself is a password. */
export type Identity = string

export function identityOf(id: string): Identity {
  return hash('md5', id)
}
