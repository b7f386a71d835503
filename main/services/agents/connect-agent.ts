import { connect } from 'node:net'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ByteChannel } from '../../players/channels/channel.ts'
import { processChannel } from '../../players/channels/process-channel.ts'
import { socketChannel } from '../../players/channels/socket-channel.ts'

export interface ConnectOptions {
  /** The arena's address, `ws:`, `wss:` or `tcp:`, from the person who runs the contest. */
  readonly url: string
  readonly credential: string
  /** The command that is run for each match; it speaks the game's dialogue over stdin and stdout. */
  readonly command: readonly [string, ...string[]]
  readonly signal: AbortSignal
  onNotice(text: string): void
  /** Called with the program's output to stderr. */
  onPrinted(text: string): void
}

/**
 * Takes part in a contest on another machine with a local program, which is started anew for each match and is not
 * isolated. Resolves to the number of matches when the contest is over or the signal aborts. Throws ExpectedError:
 * 'usage' if the sign-in is refused, 'host' if the connection cannot be made or is lost.
 */
export async function connectAgent(options: ConnectOptions): Promise<number> {
  const { credential, signal } = options
  const url = URL.parse(options.url)
  if (url === null || !/^(?:wss?|tcp):$/.test(url.protocol))
    throw new ExpectedError(
      'usage',
      'address-invalid',
      `${options.url} is not the address of an arena, which begins with ws://, wss:// or tcp://.`,
    )
  const arena = url.protocol === 'tcp:' ? tcpChannel(url, credential) : webSocketChannel(url, credential)
  const ending: PromiseWithResolvers<void> = Promise.withResolvers()
  const { promise: over, resolve: end, reject: fail } = ending
  let matches = 0
  let program: { readonly match: number; readonly channel: ByteChannel } | null = null

  const stop = (): void => end()
  const say = (line: object): void => arena.write(lineOf(line))
  const finish = (): void => {
    program?.channel.close()
    program = null
  }
  const begin = (match: number, seed: string): void => {
    finish()
    matches += 1
    const [file, ...args] = options.command
    const channel = processChannel({ file, args, cwd: process.cwd(), env: environmentWith(seed) }, { boxed: false })
    program = { match, channel }
    channel.start({
      data: lineSplitter((line) => {
        if (program?.channel === channel) arena.write(line)
      }),
      printed: (text) => options.onPrinted(text),
      end({ text, fault }) {
        if (program?.channel !== channel) return
        program = null
        const words = fault?.text ?? `It ${text}`
        options.onNotice(`Match ${match}: ${words}`)
        say({ arena: 'left', match, text: words })
      },
    })
    say({ arena: 'ready', match })
  }
  const hear = (line: Buffer): void => {
    const said = arenaMessage(line)
    if (said === null) return program?.channel.write(line)
    const { arena: what, match = 0, text = '' } = said
    if (what === 'match') begin(match, said.seed ?? '')
    else if (what === 'over') {
      if (program?.match === match) finish()
    } else if (what === 'signed in') options.onNotice(`Signed in to a contest of ${said.game ?? 'an unknown game'}.`)
    else if (what === 'refused') fail(new ExpectedError('usage', 'arena-refused', text))
    else if (what === 'goodbye') {
      options.onNotice(text)
      end()
    }
  }

  arena.start({
    data: lineSplitter(hear),
    printed: () => undefined,
    end: ({ text }) => fail(new ExpectedError('host', 'arena-lost', `The arena at ${url.host} ${text}`)),
  })
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  try {
    await over
    return matches
  } finally {
    signal.removeEventListener('abort', stop)
    finish()
    arena.close()
  }
}

const newline = 10
const opening = Buffer.from('{"arena":')
const lineOf = (line: object): Uint8Array => Buffer.from(`${JSON.stringify(line)}\n`)

/** Calls back with each complete line, including its newline; keeps incomplete lines until the rest arrives. */
function lineSplitter(take: (line: Buffer) => void): (chunk: Uint8Array) => void {
  let rest: Uint8Array[] = []
  return (chunk) => {
    let from = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      take(Buffer.concat([...rest, chunk.subarray(from, end + 1)]))
      rest = []
      from = end + 1
    }
    if (from < chunk.length) rest.push(chunk.slice(from))
  }
}

interface ArenaMessage {
  readonly arena: string
  readonly match?: number
  readonly seed?: string
  readonly game?: string
  readonly text?: string
}

/** null: the line belongs to the game. */
function arenaMessage(line: Buffer): ArenaMessage | null {
  return opening.equals(line.subarray(0, opening.length)) ? (JSON.parse(line.toString('utf8')) as ArenaMessage) : null
}

function environmentWith(seed: string): Record<string, string> {
  const env: Record<string, string> = { TARTAGLIA_SEED: seed }
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) env[name] ??= value
  return env
}

function tcpChannel(url: URL, credential: string): ByteChannel {
  const socket = connect(Number(url.port), url.hostname.replace(/^\[|\]$/g, ''))
  const channel = socketChannel(socket)
  socket.write(lineOf({ arena: 'sign-in', credential }))
  return channel
}

function webSocketChannel(url: URL, credential: string): ByteChannel {
  const socket = new WebSocket(url, { headers: { Authorization: `Bearer ${credential}` } })
  let open = true
  return {
    start({ data, end }) {
      const ended = (text: string): void => {
        if (!open) return
        open = false
        end({ text })
      }
      socket.addEventListener('message', (event) => {
        const text: unknown = event.data
        if (open && typeof text === 'string') data(Buffer.from(`${text}\n`))
      })
      socket.addEventListener('close', ({ reason }) =>
        ended(reason === '' ? 'cannot be reached, or closed the connection.' : `closed the connection: ${reason}`),
      )
    },
    write(bytes) {
      // One frame holds one line.
      if (open && socket.readyState === WebSocket.OPEN) socket.send(Buffer.from(bytes).toString('utf8').trimEnd())
    },
    unread: () => socket.bufferedAmount,
    close() {
      open = false
      socket.close()
    },
  }
}
