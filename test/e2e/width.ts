import type { Page } from '@playwright/test'

/** Elements wider than their scrolling container: the page itself, and the screen in it. */
export function tooWide(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [document.scrollingElement, document.querySelector('main')].flatMap((place) =>
      place === null || place.scrollWidth <= place.clientWidth
        ? []
        : [`${place.nodeName}: ${place.scrollWidth} px in ${place.clientWidth} px`],
    ),
  )
}
