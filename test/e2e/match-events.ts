import { expect, type Page } from '@playwright/test'

export const events = (page: Page) => page.getByRole('listbox', { name: 'Events' })

/** Chooses the first event of an open match that is a solution. */
export async function openSolution(page: Page): Promise<void> {
  await events(page).focus()
  // The first challenges are solved in the second or third round.
  const solved = events(page)
    .getByRole('option')
    .filter({ hasText: /solves challenge/ })
  await expect(events(page).getByRole('option').first()).toContainText('offers challenge')
  for (let i = 0; i < 80 && (await solved.count()) === 0; i++) {
    const selected = events(page).getByRole('option', { selected: true })
    const before = (await selected.count()) === 0 ? '' : ((await selected.getAttribute('aria-posinset')) ?? '')
    await page.keyboard.press('PageDown')
    await expect(selected).not.toHaveAttribute('aria-posinset', before)
    // Events are told when they have been fetched.
    await expect(selected).toContainText(/challenge|nothing/)
  }
  await solved.first().click()
  await expect(page.getByText('Rule 4, solve')).toBeVisible()
}
