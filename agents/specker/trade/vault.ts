import type { Json } from '../../../main/contract/json.ts'
import { commitmentOf } from '../../../main/referees/specker/secrets.ts'
import type { Secret } from '../../../main/referees/specker/messages.ts'

/** A seller's solution of its own raw material; `quality` as "p/q". */
export interface KnownSecret {
  readonly solution: Json
  readonly quality: string
}

/** Committed solutions that must be revealed, by challenge. */
export class Vault {
  readonly #opened = new Map<number, { readonly solution: Json; readonly nonce: string }>()

  /** Stores a solution and returns the secret to deliver with the raw material. */
  close(challenge: number, { solution, quality }: KnownSecret): Secret {
    const nonce = Array.from({ length: 64 }, () => Math.floor(Math.random() * 16).toString(16)).join('')
    this.#opened.set(challenge, { solution, nonce })
    return { quality, commitment: commitmentOf(solution, nonce) }
  }

  open(challenge: number): { readonly solution: Json; readonly nonce: string } | undefined {
    return this.#opened.get(challenge)
  }

  forget(challenge: number): void {
    this.#opened.delete(challenge)
  }
}
