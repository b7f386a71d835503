import type { NetworkPost } from '../contract/arena.ts'
import type { GameId } from '../contract/ids.ts'
import { arenaLine } from '../players/arena-wire.ts'
import type { Keyring, Tries } from './credentials.ts'
import type { Link } from './socket-link.ts'
import type { PostLine } from './post-line.ts'

/** Where connections say who they are. */
export interface SignIn {
  /** Why nobody is heard from this address now, in a sentence; null: let it say who it is. */
  closedTo(address: string): string | null
  /** Binds a connection to the post that the credential is for and greets it; else the sentence with which it is sent away. */
  signIn(credential: string, address: string, link: () => Link): string | null
}

export interface SignInOptions {
  readonly game: GameId
  readonly keyring: Keyring<NetworkPost & { readonly postLine: PostLine }>
  readonly tries: Tries
  /** An address has failed so often that it is not heard for a while. */
  onClosed(address: string): void
}

export function createSignIn({ game, keyring, tries, onClosed }: SignInOptions): SignIn {
  const closedTo = (address: string): string | null => {
    const ms = tries.wait(address)
    if (ms === 0) return null
    return `Too many wrong credentials came from this address: try again in ${Math.ceil(ms / 1_000)} s.`
  }
  return {
    closedTo,
    signIn(credential, address, link) {
      const closed = closedTo(address)
      if (closed !== null) return closed
      const found = keyring.ownerOf(credential)
      if (found === null) {
        tries.failed(address)
        if (tries.wait(address) > 0) onClosed(address)
        return 'This is no credential of this contest.'
      }
      const { entrant, line, postLine } = found
      return postLine.join(link, arenaLine({ arena: 'signed in', game, entrant, line }))
    },
  }
}

/** A post in words. */
export function postName({ entrant, line }: NetworkPost): string {
  return line === 0 ? entrant : `${entrant} (post ${line})`
}
