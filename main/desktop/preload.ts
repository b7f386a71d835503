// Runs in the sandbox, in a world of its own beside the page's. It names no function to the page: all that it does is pass
// on the port, and lead to a screen that the menu asks for.
import { ipcRenderer } from 'electron'
import { channels } from './channels.ts'

/** What is used of the DOM, whose types would be in the way everywhere else in main. */
declare const window: {
  readonly location: { hash: string }
  addEventListener(type: 'DOMContentLoaded', listener: () => void): void
  postMessage(message: unknown, to: string, transfer: readonly unknown[]): void
}

ipcRenderer.on(channels.port, ({ ports }) => window.postMessage('tartaglia-port', '*', ports))
ipcRenderer.on(channels.go, (_event, screen: string) => {
  window.location.hash = screen
})
// By then the page's own scripts have run and listen.
window.addEventListener('DOMContentLoaded', () => ipcRenderer.send(channels.connect))
