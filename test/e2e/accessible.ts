import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/**
 * The page as it is now has no serious or critical violation, neither in light nor in dark, and nothing on it scrolls where
 * only a mouse gets.
 */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { violations } = await new AxeBuilder({ page }).analyze()
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    const told = grave.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => ({ id, html, failureSummary })),
    )
    expect(told, colorScheme).toEqual([])
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
  expect(await outOfReach(page), 'scrolls, and no key gets there').toEqual([])
}

/**
 * Elements that scroll as soon as they hold enough, and neither are focused nor hold anything that is: axe sees only those
 * that are too full at this moment.
 */
function outOfReach(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const reached = (element: Element): boolean =>
      element instanceof HTMLElement && element.tabIndex >= 0 && !element.matches(':disabled')
    // The list below a field is moved in from the field.
    const moved = ({ id }: Element): boolean =>
      id !== '' && document.querySelector(`[role="combobox"][aria-controls="${CSS.escape(id)}"]`) !== null
    return [...document.body.querySelectorAll('*')]
      .filter((element) => {
        const { overflowX, overflowY } = getComputedStyle(element)
        return [overflowX, overflowY].some((value) => value === 'auto' || value === 'scroll')
      })
      .filter((element) => element.checkVisibility() && !moved(element))
      .filter((element) => ![element, ...element.querySelectorAll('*')].some(reached))
      .map((element) => element.outerHTML.slice(0, 200))
  })
}
