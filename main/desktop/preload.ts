// Runs in the sandbox, in a world of its own beside the page's. It names no function to the page: all that it does is pass
// on the port, lead to a screen that the menu asks for, and tell main of a history that the person has given the page.
import { ipcRenderer, webUtils } from 'electron'
import { channels } from './channels.ts'

/** What is used of the DOM, whose types would be in the way everywhere else in main. */
interface Given {
  /** Whether it comes from the person, and not from a script of the page. */
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

/** A history has a path here: main reads it where it lies, and the page need not hand it over. */
function byPath(event: Given): void {
  const files = event.dataTransfer?.files ?? event.target.files
  const [file] = Array.from(files ?? [])
  if (!event.isTrusted || file === undefined || files?.length !== 1 || !/\.jsonl$/i.test(file.name)) return
  // None where a script has made the file.
  const path = webUtils.getPathForFile(file)
  if (path === '') return
  event.preventDefault()
  event.stopImmediatePropagation()
  // The page sees that nothing hovers above it any more, and the same file again is a new choice.
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
