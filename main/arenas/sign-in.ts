import type { NetworkPost } from '../contract/arena.ts'
import type { NativeClaim } from '../contract/native-dialogue.ts'
import type { Keyring, Tries } from './credentials.ts'
import type { Guest, PostLine, Way } from './post-line.ts'

/** Where connections say which post they are for. */
export interface SignIn {
  /** Why nobody is heard from this address now, in a sentence; null: let it say who it is. */
  closedTo(address: string): string | null
  /** Binds the connection that is made to the post that the claim is for; else the sentence with which it is sent away. */
  signIn(claim: NativeClaim, address: string, way: Way, guest: (post: NetworkPost) => Guest): string | null
}

/** A post and the connection that it has. */
export type Place = NetworkPost & { readonly postLine: PostLine }

export interface SignInOptions {
  readonly keyring: Keyring<Place>
  /** In the order in which those who come without a credential get them. */
  readonly places: readonly Place[]
  readonly tries: Tries
  /** An address has failed so often that it is not heard for a while. */
  onClosed(address: string): void
}

export function createSignIn({ keyring, places, tries, onClosed }: SignInOptions): SignIn {
  /** What those called themselves who came without a credential; whoever has not said it has none. */
  const names = new Map<Place, string>()

  const closedTo = (address: string): string | null => {
    const ms = tries.wait(address)
    if (ms === 0) return null
    return `Too many wrong credentials came from this address: try again in ${Math.ceil(ms / 1_000)} s.`
  }
  const arrived = (name: string | undefined, way: Way): Place | undefined => {
    const free = places.filter(({ postLine }) => postLine.free(way))
    const own = name === undefined ? undefined : free.find((place) => names.get(place) === name)
    // Before the post of somebody else, who may still come back.
    const found = own ?? free.find((place) => !names.has(place)) ?? free[0]
    if (found !== undefined && name !== undefined) names.set(found, name)
    return found
  }
  return {
    closedTo,
    signIn(claim, address, way, guest) {
      const closed = closedTo(address)
      if (closed !== null) return closed
      if (claim.by === 'arrival') {
        const place = arrived(claim.name, way)
        if (place === undefined) return 'There is no free place in this contest.'
        return place.postLine.join(way, () => guest(place))
      }
      const place = keyring.ownerOf(claim.password)
      if (place === null || (claim.user !== undefined && claim.user !== postName(place))) {
        tries.failed(address)
        if (tries.wait(address) > 0) onClosed(address)
        return 'This is no credential of this contest.'
      }
      return place.postLine.join(way, () => guest(place))
    },
  }
}

/** A post in words. */
export function postName({ entrant, line }: NetworkPost): string {
  return line === 0 ? entrant : `${entrant} (post ${line})`
}
