import { hash } from 'node:crypto'

/** What everybody may know of a client: the lower-case hex MD5 of its id. The id itself is a password. */
export type Identity = string

/** Lower-case as Node gives it. */
const header = 'x-hola-challenge-id'

/** A header's text as HTTP has it: ISO 8859-1 without control characters. */
const sensible = /^[\x20-\x7e\xa0-\xff]{1,256}$/

/** Who is connecting, or why nobody is: a sentence for the client. The id is needed for the proof of work, and nowhere else. */
export function readId(headers: NodeJS.Dict<string[]>): { readonly id: string } | { readonly refusal: string } {
  const [id, ...more] = headers[header] ?? []
  if (id === undefined || id === '')
    return { refusal: 'An id is needed: the header X-Hola-Challenge-ID (option --id).' }
  if (more.length > 0) return { refusal: 'There is more than one header X-Hola-Challenge-ID.' }
  if (!sensible.test(id)) return { refusal: 'The id must be 1 to 256 printable characters.' }
  return { id }
}

export function identityOf(id: string): Identity {
  return hash('md5', id)
}
