import type { ChannelOptions } from 'birpc'

/** A connection to the program. `closed` resolves when either side has closed it. */
export interface Channel {
  readonly options: Pick<ChannelOptions, 'post' | 'on' | 'serialize' | 'deserialize'>
  readonly closed: Promise<void>
}

/** The program answers but does not know this browser, because it has been restarted. */
export class LockedOut extends Error {}

/** True in a browser that `tartaglia serve` has let in, false in the desktop window. */
export function isServed(): boolean {
  return location.protocol !== 'app:'
}

/** In the desktop window: the port that the preload script passes. Elsewhere: a WebSocket to the page's origin. */
export function connectToProgram(): Promise<Channel> {
  return isServed() ? connectBySocket() : connectByPort()
}

const ports: MessagePort[] = []
let awaited: ((port: MessagePort) => void) | null = null

// Listens from the start: the port may arrive before it is needed.
window.addEventListener('message', ({ data, ports: [port], source }) => {
  if (source !== window || data !== 'tartaglia-port' || port === undefined) return
  if (awaited === null) ports.push(port)
  else awaited(port)
  awaited = null
})

async function connectByPort(): Promise<Channel> {
  const port = ports.shift() ?? (await new Promise<MessagePort>((resolve) => (awaited = resolve)))
  return {
    options: {
      post: (message) => port.postMessage(message),
      on: (listener) => {
        port.addEventListener('message', ({ data }) => listener(data))
        port.start()
      },
    },
    closed: new Promise((resolve) => port.addEventListener('close', () => resolve())),
  }
}

/** Rejects if the program cannot be reached, with LockedOut if its new address must be opened. */
function connectBySocket(): Promise<Channel> {
  const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/rpc`)
  return new Promise((resolve, reject) => {
    const closed = new Promise<void>((end) => {
      socket.addEventListener('close', () => {
        end()
        void isLocked().then((locked) =>
          reject(locked ? new LockedOut('The classroom is locked.') : new Error('The program cannot be reached.')),
        )
      })
    })
    socket.addEventListener('open', () =>
      resolve({
        options: {
          post: (text: string) => socket.send(text),
          on: (listener) => socket.addEventListener('message', ({ data }) => listener(data)),
          serialize: JSON.stringify,
          deserialize: (text: string) => JSON.parse(text) as unknown,
        },
        closed,
      }),
    )
  })
}

/** Browsers do not tell a page why a WebSocket was refused. */
async function isLocked(): Promise<boolean> {
  const answer = await fetch('/', { method: 'HEAD', cache: 'no-store' }).catch(() => null)
  return answer?.status === 401
}
