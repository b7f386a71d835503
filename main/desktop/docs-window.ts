import { BrowserWindow } from 'electron'

let shown: BrowserWindow | null = null

/**
 * Shows a page of the documentation in a window of its own, which closes with `owner`. It has no preload script, so that nothing in it
 * reaches the class.
 */
export function showDocs(address: string, owner: BrowserWindow | null): void {
  if (shown === null) {
    const window = new BrowserWindow({
      width: 1100,
      height: 800,
      autoHideMenuBar: true,
      title: 'Documentation',
      webPreferences: {
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webviewTag: false,
        webSecurity: true,
        navigateOnDragDrop: false,
        spellcheck: false,
        devTools: false,
      },
    })
    window.on('closed', () => (shown = null))
    owner?.once('closed', () => {
      if (!window.isDestroyed()) window.close()
    })
    shown = window
  }
  void shown.loadURL(address)
  shown.show()
}
