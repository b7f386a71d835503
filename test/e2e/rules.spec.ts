import { expect } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { chromium, go, test } from './served.ts'

test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

test('the rule of an event is opened beside the match, with the keyboard and with the mouse', async ({
  classroom: page,
}) => {
  await go(page, '#/contests/sample-contest-1/matches/3?move=5')
  const place = page.getByRole('slider', { name: 'Place in the match' })
  await expect(place).toHaveValue('5')
  const events = page.getByRole('listbox', { name: 'Events' })
  // Events are told as soon as they have come; before that there is no rule to show.
  await expect(events.getByRole('option', { selected: true })).toContainText(/Rule \d+/)
  await events.focus()
  await page.keyboard.press('r')
  const rules = page.getByRole('complementary', { name: /^Rules of/ })
  await expect(rules.getByRole('heading', { name: /^Rule \d+\./ }).first()).toBeVisible()
  await expect(rules.locator('[data-rule^="rule-"]:focus')).toHaveCount(1)
  await expect(place).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(rules).toBeHidden()
  await expect(events).toBeFocused()

  const rule = events.getByText(/^Rule \d+/).first()
  const [, number] = /^Rule (\d+)/.exec((await rule.textContent())?.trim() ?? '') ?? []
  await rule.click()
  await expect(rules.locator(`[data-rule="rule-${number}"]`)).toBeFocused()
  // The panel leaves the match in sight at every width.
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(rules).toBeInViewport()
  await expect(page.getByRole('heading', { name: 'Match 3' })).toBeInViewport()
  await rules.getByRole('button', { name: 'Close' }).click()
  await expect(rules).toBeHidden()
})
