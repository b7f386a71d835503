// Runs in the sandbox, isolated from the page's scripts. It exposes no functions to the page: it only passes on the
// port, navigates when the menu says so, and sends main the path of a history that the person gave to the page.
import { ipcRenderer, webUtils } from 'electron'
import { channels } from './channels.ts'

/** The parts of the DOM used here; its full types must not be visible in the rest of main. */
interface Given {
  /** True if the event comes from the person and not from a script. */
  readonly isTrusted: boolean
  readonly dataTransfer?: { readonly files: ArrayLike<Parameters<typeof webUtils.getPathForFile>[0]> } | null
  readonly target: { readonly files?: ArrayLike<Parameters<typeof webUtils.getPathForFile>[0]> | null; value?: string }
  preventDefault(): void
  stopImmediatePropagation(): void
}
declare const window: {
  readonly location: { hash: string }
  addEventListener(type: 'DOMContentLoaded', listener: () => void): void
  addEventListener(type: 'drop' | 'change', listener: (event: Given) => void, capture: true): void
  dispatchEvent(event: unknown): void
  postMessage(message: unknown, to: string, transfer: readonly unknown[]): void
}
declare const DragEvent: new (type: string) => unknown

/** A history has a path here, so main reads it in place and the page need not upload it. */
function byPath(event: Given): void {
  const files = event.dataTransfer?.files ?? event.target.files
  const [file] = Array.from(files ?? [])
  if (!event.isTrusted || file === undefined || files?.length !== 1 || !/\.jsonl$/i.test(file.name)) return
  // Empty if a script created the file.
  const path = webUtils.getPathForFile(file)
  if (path === '') return
  event.preventDefault()
  event.stopImmediatePropagation()
  // Ends the drag state of the page, and lets the same file be chosen again.
  window.dispatchEvent(new DragEvent('dragleave'))
  if (event.target.files) event.target.value = ''
  ipcRenderer.send(channels.history, path)
}

ipcRenderer.on(channels.port, ({ ports }) => window.postMessage('tartaglia-port', '*', ports))
ipcRenderer.on(channels.go, (_event, screen: string) => {
  window.location.hash = screen
})
// Before the page's own listeners.
window.addEventListener('drop', byPath, true)
window.addEventListener('change', byPath, true)
// By then the page's own scripts have run and listen.
window.addEventListener('DOMContentLoaded', () => ipcRenderer.send(channels.connect))
