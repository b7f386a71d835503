import type { NetworkPost } from '../contract/players/arena.ts'
import type { NativeClaim } from '../contract/game/native-dialogue.ts'
import type { Guest, PostLine, ConnectionKind } from './post-line.ts'
import type { RateLimit } from './rate-limit.ts'
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** The sign-in of connections, which say which post they are for. */
export interface SignIn {
  /** Binds the connection that is made to the post that the claim is for; else the sentence with which it is sent away. */
  signIn(claim: NativeClaim, address: string, way: ConnectionKind, guest: (post: NetworkPost) => Guest): string | null
}

/** A post and the connection that it has. */
export type ConnectedPost = NetworkPost & { readonly postLine: PostLine }

export interface SignInOptions {
  readonly keyring: Keyring<ConnectedPost>
  /** In the order in which those who come without a credential get them. */
  readonly places: readonly ConnectedPost[]
  /** ms in which a client without a name may come back to its post, before another one gets it. */
  readonly graceMs: number
  /** Limit of wrong credentials: for a post, or from an address where no post is named. */
  readonly guesses: RateLimit
  /** There were too many wrong credentials of late. `whose`: in words. */
  onGuesses(whose: string): void
}

/** Nobody is kept out for what somebody else has got wrong: a right credential is good at any time, whatever came before it. */
export function createSignIn({ keyring, places, graceMs, guesses, onGuesses }: SignInOptions): SignIn {
  /** The last clients at the posts that were given without a credential. */
  const owners = new Map<ConnectedPost, Owner>()

  const arrived = (owner: Owner, way: ConnectionKind): ConnectedPost | undefined => {
    const vacant = places.flatMap((place) => {
      const vacancy = place.postLine.vacancy(way)
      return vacancy === null ? [] : [{ place, vacancy, last: owners.get(place) }]
    })
    const own = vacant.find(({ last }) => last?.id === owner.id)
    const isGivenUp = ({ last, vacancy }: (typeof vacant)[number]): boolean =>
      !vacancy.played || (last?.named !== true && vacancy.ms >= graceMs)
    const { place } = own ?? vacant.find(({ last }) => last === undefined) ?? vacant.find(isGivenUp) ?? {}
    if (place !== undefined) owners.set(place, owner)
    return place
  }
  const guessed = (user: string | undefined, address: string): string => {
    const post = places.find((place) => postName(place) === user)
    const whose = post === undefined ? `from ${address}` : `for ${postName(post)}, the last one from ${address}`
    const key = post === undefined ? `address ${address}` : `post ${postName(post)}`
    if (guesses.wait(key) === 0) {
      guesses.count(key)
      if (guesses.wait(key) > 0) onGuesses(whose)
      return 'This is not a credential of this contest.'
    }
    return 'There were too many wrong credentials.'
  }
  return {
    signIn(claim, address, way, guest) {
      if (claim.by === 'arrival') {
        const place = arrived(ownerOf(claim.name, address), way)
        if (place === undefined) return 'There is no free place in this contest.'
        return place.postLine.join(way, () => guest(place))
      }
      const place = keyring.ownerOf(claim.password)
      if (place === null || (claim.user !== undefined && claim.user !== postName(place)))
        return guessed(claim.user, address)
      return place.postLine.join(way, () => guest(place))
    },
  }
}

/** A client without a credential, known by the name that it says, or by its address. */
interface Owner {
  readonly id: string
  readonly named: boolean
}

function ownerOf(name: string | undefined, address: string): Owner {
  return name === undefined ? { id: `address ${address}`, named: false } : { id: `name ${name}`, named: true }
}

/** A post in words. */
export function postName({ entrant, line }: NetworkPost): string {
  return line === 0 ? entrant : `${entrant} (post ${line})`
}

/** Bytes of chance in a credential. */
const size = 32

/** Credentials and their owners. The credentials themselves are not kept, only their hashes. */
export interface Keyring<T> {
  /** A new credential for somebody, to be shown once. */
  issue(owner: T): string
  /** Lets somebody in with a credential that they have, by its SHA-256 in hexadecimal digits. */
  accept(owner: T, print: string): void
  /** The owner of a credential; null: it is not one. Takes equally long for every text. */
  ownerOf(credential: string): T | null
}

export function createKeyring<T>(): Keyring<T> {
  const keys: { readonly print: Buffer; readonly owner: T }[] = []
  return {
    issue(owner) {
      const credential = randomBytes(size).toString('base64url')
      keys.push({ print: printOf(credential), owner })
      return credential
    },
    accept: (owner, print) => void keys.push({ print: Buffer.from(print, 'hex'), owner }),
    ownerOf(credential) {
      const print = printOf(credential)
      let found: T | null = null
      // To the last one, so that nothing is told by the time that it takes.
      for (const { print: other, owner } of keys) if (timingSafeEqual(print, other)) found = owner
      return found
    },
  }
}

const printOf = (credential: string): Buffer => hash('sha256', credential, 'buffer')
