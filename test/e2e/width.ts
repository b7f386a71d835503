import type { Page } from '@playwright/test'

/** Elements wider than their container: the page itself, the screen in it, and the state in the status line, which would be cut. */
export function tooWide(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [document.scrollingElement, document.querySelector('main'), document.querySelector('footer .state')].flatMap(
      (place) =>
        place === null || place.scrollWidth <= place.clientWidth
          ? []
          : [`${place.nodeName}: ${place.scrollWidth} px in ${place.clientWidth} px`],
    ),
  )
}
