import type { Locator, Page } from '@playwright/test'

/** The cost of a first screen to a browser that has kept nothing. */
export interface FirstScreen {
  /** Received in all, as it was compressed: heads and bodies of answers, and messages of the socket. */
  readonly bytes: number
  /** From the request for the page until the screen was drawn. */
  readonly ms: number
}

/** Opens an address with an empty cache, and waits until a part of the screen is drawn and nothing more is loaded. Chromium alone. */
export async function openFirst(page: Page, address: string, drawn: Locator): Promise<FirstScreen> {
  const session = await page.context().newCDPSession(page)
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  session.on('Network.webSocketFrameReceived', ({ response }) => (bytes += Buffer.byteLength(response.payloadData)))
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  // The same address with another fragment would load nothing.
  await page.goto('about:blank')
  const from = performance.now()
  await page.goto(address, { waitUntil: 'commit' })
  await drawn.waitFor()
  const ms = performance.now() - from
  await page.waitForLoadState('networkidle')
  await session.detach()
  return { bytes, ms }
}
