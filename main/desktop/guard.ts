import { app, dialog, shell, type BrowserWindow, type Session, type WebContents } from 'electron'
import { externalLink } from './external-link.ts'
import { origin } from './scheme.ts'

/** Own pages, and files that they make themselves to be saved. */
const own = [`${origin}/`, `blob:${origin}/`]

/** Denies whatever a page could ask of this session: permissions, devices, the network, files that are not its own. */
export function guardSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) => {
    answer(isGranted(permission, requestingUrl))
  })
  session.setPermissionCheckHandler((_contents, permission, address) => isGranted(permission, address))
  session.setDevicePermissionHandler(() => false)
  session.setDisplayMediaRequestHandler(null)
  const allowed = [...own, 'data:', ...(app.isPackaged ? [] : ['devtools:'])]
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    answer({ cancel: !allowed.some((start) => url.startsWith(start)) })
  })
  session.on('will-download', (event, item) => {
    if (!item.getURL().startsWith(`blob:${origin}/`)) event.preventDefault()
  })
}

/** The one thing that our own page may: put a text on the clipboard, after a click, as every web page may. */
function isGranted(permission: string, address: string): boolean {
  return permission === 'clipboard-sanitized-write' && address.startsWith(`${origin}/`)
}

/** Keeps every page of the app where it is: no navigation, no windows, no embedded pages. `window`: asks in front of it. */
export function guardContents(contents: WebContents, window: () => BrowserWindow | null): void {
  contents.on('will-frame-navigate', (event) => {
    event.preventDefault()
    if (event.isMainFrame) void offerExternally(event.url, window())
  })
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    void offerExternally(url, window())
    return { action: 'deny' }
  })
}

/** Lets the person decide on a link to the outside, with its whole address before their eyes. */
async function offerExternally(text: string, window: BrowserWindow | null): Promise<void> {
  const address = externalLink(text)
  if (address === null || window === null) return
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: 'Open this page in your browser?',
    detail: address,
    buttons: ['Open', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  })
  if (response === 0) await shell.openExternal(address)
}
