import { readFile } from 'node:fs/promises'
import { Trouble } from '../contract/trouble.ts'
import { readPublicKey } from '../histories/key-files.ts'
import { showMatch } from '../histories/show.ts'
import { troubleOf } from '../histories/trouble.ts'
import { verifyMatch, type VerifiedMatch } from '../histories/verify.ts'
import { games } from '../referees/games.ts'

/** What the verification of one file gave. `line`: of the first fault, from 1. */
export type HistoryVerdict =
  | ({ readonly file: string; readonly ok: true } & VerifiedMatch)
  | { readonly file: string; readonly ok: false; readonly line: number; readonly message: string }

/**
 * Makes a verifier of exported matches. `key`: the class's public key as text, or a file that holds it; without it a
 * signature is checked against the key in the file itself. Throws Trouble 'usage' on a wrong key; the verifier throws it when
 * a file cannot be read.
 */
export function historyVerifier(key: string | undefined): (file: string) => Promise<HistoryVerdict> {
  const read = key === undefined ? null : readPublicKey(key)
  if (read !== null && !read.ok) throw new Trouble('usage', `--key: ${read.message}`)
  const options = { games: (id: string) => games.get(id), ...(read === null ? {} : { key: read.key }) }
  return async (file) => {
    const verdict = verifyMatch(await bytesOf(file), options)
    return verdict.ok ? { file, ok: true, ...verdict.match } : { file, ...verdict }
  }
}

/** A history for people: a line an event, safe to print. Throws Trouble 'usage' when the file cannot be read. */
export async function showHistory(file: string): Promise<readonly string[]> {
  return showMatch(await bytesOf(file))
}

async function bytesOf(file: string): Promise<Buffer> {
  return readFile(file).catch((error: unknown) => {
    throw new Trouble('usage', troubleOf(error, 'read', file).message)
  })
}
