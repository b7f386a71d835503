import type { NetworkPost, OpenArena, PostState } from '../contract/players/arena.ts'
import type { GameId } from '../contract/ids.ts'
import type { NativeEntry } from '../contract/game/native-dialogue.ts'
import type { ByteTransport } from '../contract/players/seat-transport.ts'
import { createKeyring, createSignIn, postName, type ConnectedPost } from './sign-in.ts'
import { createNoticeLimit, createRateLimit } from './rate-limit.ts'
import { createDoor, type DoorDialogue } from './door.ts'
import type { Gate, GateLimits, Listen } from './gate.ts'
import { ownDialogue } from './own-dialogue.ts'
import { closingText } from './closing.ts'
import { createPostLine, type PostLine, type ConnectionKind } from './post-line.ts'
import { everythingRead } from './reading-turns.ts'
import { openTcpGate } from './tcp-gate.ts'
import { openWebSocketGate } from './web-socket-gate.ts'

const usualLimits: GateLimits = {
  signInMs: 10_000,
  waiting: 64,
  heartbeatMs: 15_000,
  goodbyeMs: 500,
  graceMs: 60_000,
  strayMs: 1_000,
}
/** Wrong credentials, before somebody is told. */
const usualGuesses = { most: 10, everyMs: 6_000, keys: 10_000 }
/** Limits of a game's own sign-in. */
const nativeFirst = { bytes: 4_096, tooMuch: 'More than 4096 bytes arrived before the sign-in.' }

export interface NetworkArenaOptions {
  readonly game: GameId
  readonly posts: readonly NetworkPost[]
  /** SHA-256 of the credential that the owner of a post has already; null: it gets one of this arena. Absent: all do. */
  known?(post: NetworkPost): string | null
  /** An agent that drops out of a match may come back into it. */
  readonly rejoins: boolean
  /** Size of one message; the same bound holds for everything that comes outside of a match. */
  readonly messageBytes: number
  readonly webSocket: Listen
  /** Plain TCP as well, where the game's protocol is plain; null: not. */
  readonly tcp: Listen | null
  /** The game's own protocol, on a port of its own; absent: not. */
  readonly native?: (Listen & { readonly dialogue: NativeEntry }) | undefined
  readonly limits?: Partial<GateLimits>
  /** Something that the educator should know, in one sentence. */
  onNotice(text: string): void
  onUnexpected(error: unknown, doing: string): void
}

/** Connections of the agents of one contest from other machines, each to its post and for the whole contest. */
export interface NetworkArena {
  readonly addresses: OpenArena['addresses']
  /** The address for the game's own clients. */
  readonly native: OpenArena['native']
  /** A credential a post, made for this arena, except for those that have theirs already. They are told here and nowhere else: the arena keeps their hashes. */
  readonly credentials: OpenArena['credentials']
  /** The posts and who is here now, in their order. */
  posts(): readonly (NetworkPost & { readonly state: PostState })[]
  /**
   * Waits until everybody is here. Gives who is missing when the time is over or somebody has left again; nobody: all are here,
   * or the signal has come.
   */
  everybody(waitMs: number, signal: AbortSignal): Promise<readonly NetworkPost[]>
  readonly byteTransport: ByteTransport
  /** Sends everybody home and frees the ports. */
  close(): Promise<void>
}

/** Opens an arena for a contest. Throws ExpectedError when a port cannot be had. */
export async function openNetworkArena(options: NetworkArenaOptions): Promise<NetworkArena> {
  const { game, posts, rejoins, messageBytes, webSocket, tcp, native, onNotice, onUnexpected } = options
  const limits = { ...usualLimits, ...options.limits }
  const notices = createNoticeLimit(onNotice)
  const keyring = createKeyring<ConnectedPost>()
  const lines = new Map<string, PostLine>()
  let closing = false
  /** Called when somebody has come or gone. */
  let look = (): void => undefined

  const places = posts.map((post): ConnectedPost => {
    const postLine = createPostLine({
      rejoins,
      idleBytes: messageBytes,
      strayMs: limits.strayMs,
      onChange(change) {
        if (closing) return
        const name = postName(post)
        notices.notice(name, change.came ? `${name} has signed in.` : `${name} has left: it ${change.text}`)
        look()
      },
    })
    lines.set(keyOf(post), postLine)
    return { ...post, postLine }
  })
  const credentials = places.flatMap((place) => {
    const { entrant, line } = place
    const print = options.known?.(place) ?? null
    if (print === null) return { entrant, line, credential: keyring.issue(place) }
    keyring.accept(place, print)
    return []
  })
  const desk = createSignIn({
    keyring,
    places,
    graceMs: limits.graceMs,
    guesses: createRateLimit(usualGuesses),
    onGuesses: (whose) => notices.notice('wrong credentials', `There were many wrong credentials ${whose}.`),
  })
  const gates: Gate[] = []
  const close = async (): Promise<void> => {
    closing = true
    notices.close()
    for (const line of lines.values()) line.close(closingText)
    await Promise.all(gates.map((gate) => gate.close()))
  }
  const open = async (transport: keyof typeof openers, listen: Listen, dialogue: DoorDialogue, way: ConnectionKind) => {
    const { host, port } = listen
    const door = createDoor({ dialogue, way, desk, messageBytes, limits })
    const gate = await openers[transport]({ host, port, posts: posts.length, messageBytes, door, limits, onUnexpected })
    gates.push(gate)
    return gate.address
  }
  const addresses: string[] = []
  let nativeAddress: OpenArena['native']
  try {
    const own = ownDialogue(game)
    addresses.push(await open('web-socket', webSocket, own, 'own'))
    if (tcp !== null) addresses.push(await open('tcp', tcp, own, 'own'))
    if (native !== undefined) {
      const { dialogue } = native
      const { transport, connection, guide } = dialogue
      const address = await open(transport, native, { ...dialogue, first: nativeFirst }, connection)
      nativeAddress = { address, guide }
    }
  } catch (error) {
    await close()
    throw error
  }

  const stateOf = (post: NetworkPost): PostState => lines.get(keyOf(post))!.state()
  const missing = (): readonly NetworkPost[] => posts.filter((post) => stateOf(post) !== 'here')

  return {
    addresses,
    native: nativeAddress,
    credentials,
    posts: () => posts.map((post) => ({ ...post, state: stateOf(post) })),
    everybody(waitMs, signal) {
      // A post that has gone does not come back: nobody needs to wait for the others.
      const decided = (): readonly NetworkPost[] | null => {
        const who = missing()
        return who.length === 0 || who.some((post) => stateOf(post) === 'gone') ? who : null
      }
      return untilDecided({ waitMs, signal, decided, missing, onLook: (next) => (look = next) })
    },
    byteTransport: (place, call, hear) => lines.get(keyOf(place))?.transport(place.run, call, hear),
    close,
  }
}

/** Resolves with `decided`, asked whenever the function given to `onLook` is called; with `missing` when the time is over; with nobody on the signal. */
function untilDecided({
  waitMs,
  signal,
  decided,
  missing,
  onLook,
}: {
  readonly waitMs: number
  readonly signal: AbortSignal
  decided(): readonly NetworkPost[] | null
  missing(): readonly NetworkPost[]
  onLook(look: () => void): void
}): Promise<readonly NetworkPost[]> {
  return new Promise((resolve) => {
    const end = (who: readonly NetworkPost[]): void => {
      onLook(() => undefined)
      clearTimeout(late)
      signal.removeEventListener('abort', stop)
      resolve(who)
    }
    const stop = (): void => end([])
    const late = setTimeout(() => void everythingRead().then(() => end(missing())), waitMs)
    signal.addEventListener('abort', stop)
    const look = (): void => {
      const who = decided()
      if (who !== null) end(who)
    }
    onLook(look)
    if (signal.aborted) stop()
    else look()
  })
}

const keyOf = ({ entrant, line }: NetworkPost): string => `${line} ${entrant}`

const openers = { 'web-socket': openWebSocketGate, tcp: openTcpGate } as const
