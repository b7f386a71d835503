import { ipcMain, MessageChannelMain, type WebContents } from 'electron'
import type { Connection, Transport } from '../administrator/procedures/connection.ts'
import { channels } from './channels.ts'
import { openedFileKind } from './open-files.ts'
import { origin } from './scheme.ts'

/** The part of a frame that is used here. */
interface Frame {
  readonly origin: string
}

/** True if a message comes from the main frame of our window, showing our own page; all others are refused. */
export function isOurs(
  { senderFrame }: { readonly senderFrame: Frame | null },
  contents: { readonly mainFrame: Frame } | null,
): boolean {
  return (
    contents !== null && senderFrame !== null && senderFrame === contents.mainFrame && senderFrame.origin === origin
  )
}

/** Passes on the path of a history that the person gave to the page; messages from elsewhere go to `onForeign`. */
export function takeHistories(
  contents: () => WebContents | null,
  take: (path: string) => void,
  onForeign: (address: string) => void,
): void {
  ipcMain.on(channels.history, (event, path: unknown) => {
    if (!isOurs(event, contents())) return onForeign(event.senderFrame?.url ?? 'a frame that is gone')
    if (typeof path === 'string' && openedFileKind(path) === 'history') take(path)
  })
}

/**
 * Gives each page that our window loads its own port, as soon as the page is ready. `open` starts the conversation.
 * Requests from elsewhere are not answered but reported to `onForeign`.
 */
export function handOutPorts(
  contents: () => WebContents | null,
  open: (transport: Transport) => Promise<Connection>,
  onForeign: (address: string) => void,
): void {
  ipcMain.on(channels.connect, (event) => {
    if (!isOurs(event, contents())) return onForeign(event.senderFrame?.url ?? 'a frame that is gone')
    const { port1, port2 } = new MessageChannelMain()
    const waiting: unknown[] = []
    let connection: Connection | null = null
    let closed = false
    port1.on('message', ({ data }) => {
      if (connection === null) waiting.push(data)
      else connection.receive(data)
    })
    port1.on('close', () => {
      closed = true
      connection?.close()
    })
    port1.start()
    event.senderFrame?.postMessage(channels.port, null, [port2])
    const transport: Transport = {
      send(message) {
        port1.postMessage(message)
        return undefined
      },
      end: () => port1.close(),
    }
    void open(transport).then((opened) => {
      connection = opened
      if (closed) connection.close()
      else for (const message of waiting.splice(0)) connection.receive(message)
    })
  })
}
