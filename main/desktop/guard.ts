import { app, dialog, shell, type BrowserWindow, type Session, type WebContents } from 'electron'
import { showDocs } from './docs-window.ts'
import { isDocs, origin } from './scheme.ts'

/** Our own pages, and files that they create for saving. */
const own = [`${origin}/`, `blob:${origin}/`]

/** Denies everything that a page could request in this session: permissions, devices, network, foreign files. */
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

/** The only permission of our page: writing text to the clipboard after a click, as every web page may. */
function isGranted(permission: string, address: string): boolean {
  return permission === 'clipboard-sanitized-write' && address.startsWith(`${origin}/`)
}

/**
 * Prevents navigation, new windows and embedded pages, except those of the documentation, which have a window of their own. `window`: the
 * parent of dialogs.
 */
export function guardContents(contents: WebContents, window: () => BrowserWindow | null): void {
  contents.on('will-frame-navigate', (event) => {
    if (event.isMainFrame && isDocs(contents.getURL()) && isDocs(event.url)) return
    event.preventDefault()
    if (event.isMainFrame) void offerExternally(event.url, window())
  })
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    if (isDocs(url)) showDocs(url, window())
    else void offerExternally(url, window())
    return { action: 'deny' }
  })
}

/** Asks the person before opening an external link, showing its full address. */
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

/**
 * The normalized address of a page that may be opened in the system's browser; null for anything else. Histories and
 * agents can put any text on the screen, so schemes of programs and addresses that hide their destination (a user name
 * before the host) are refused.
 */
export function externalLink(text: string): string | null {
  if (text.length > 2_000 || !URL.canParse(text)) return null
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  if (url.username !== '' || url.password !== '') return null
  return url.href
}
