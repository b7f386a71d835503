import { expect, type Page } from '@playwright/test'
import axe, { type RunOptions } from 'axe-core'

/** The rules for which it matters whether a page is light or dark. */
const rulesOfColour = ['color-contrast', 'link-in-text-block']

/**
 * The page as it is now has no serious or critical violation, neither in light nor in dark, and nothing on it scrolls where
 * only a mouse gets.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  expect(await graveViolations(page), 'light').toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await graveViolations(page, rulesOfColour), 'dark').toEqual([])
  await page.emulateMedia({ colorScheme: null })
  expect(await outOfReach(page), 'scrolls, and no key gets there').toEqual([])
}

/** Each violation that is serious or critical, at each place. `rules`: only those of these rules. */
export async function graveViolations(page: Page, rules?: readonly string[]): Promise<readonly object[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  await drawn(page)
  const options: RunOptions = {
    // Telling what passes takes longer than finding what does not.
    resultTypes: ['violations'],
    ...(rules === undefined ? {} : { runOnly: { type: 'rule', values: [...rules] } }),
  }
  return page.evaluate(async (given) => {
    const { violations } = await (window as unknown as { readonly axe: typeof axe }).axe.run(document, given)
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => ({ id, html, failureSummary })))
  }, options)
}

/** Waits for the next frame, with what follows from a new size, and for animations that end: text that is just appearing does not have its colours yet. */
function drawn(page: Page): Promise<void> {
  return page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
    const finite = document
      .getAnimations()
      .filter(({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(finite.map(({ finished }) => finished))
  })
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
