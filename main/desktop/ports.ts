import { ipcMain, MessageChannelMain, type WebContents } from 'electron'
import type { Connection, Transport } from '../administrator/procedures/connection.ts'
import { channels } from './channels.ts'
import { openedFileKind } from './open-files.ts'
import { origin } from './scheme.ts'

/** A frame, as far as it matters here. */
interface Frame {
  readonly origin: string
}

/** Whether a message comes from the one page that may send any: the main frame of our window, showing our own page. */
export function isOurs(
  { senderFrame }: { readonly senderFrame: Frame | null },
  contents: { readonly mainFrame: Frame } | null,
): boolean {
  return (
    contents !== null && senderFrame !== null && senderFrame === contents.mainFrame && senderFrame.origin === origin
  )
}

/** Hands over the path of a history that the person has given the page; what anybody else sends is told to `onForeign`. */
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
 * Gives each page that our window loads a port of its own, as soon as it is ready for it. `open` begins the conversation.
 * Anybody else's request goes unanswered and is told to `onForeign`.
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
