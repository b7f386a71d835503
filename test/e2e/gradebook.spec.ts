import { expect, test } from '@playwright/test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectAccessible } from './accessible.ts'
import { chromium, go } from './served.ts'
import { choosePassword, enterCode, ownPage, serveTermClass } from './term-class.ts'
import { tooWide } from './width.ts'

test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

const home = mkdtempSync(join(tmpdir(), 'tartaglia-e2e-'))
test.afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

test('an educator previews a scheme, moves a band by keyboard, and releases; the student sees their own grade with its reasons', async ({
  browser,
  page: educator,
}) => {
  const term = await serveTermClass(join(home, 'data'))
  try {
    const student = await ownPage(browser)
    await enterCode(student, term, 'student')
    await choosePassword(student)
    await go(student, '#/grades/term')
    await expect(student.getByRole('table', { name: 'Teams' }).getByRole('row', { name: /Abacus/ })).toBeVisible()
    await expect(student.getByRole('link', { name: 'Gradebook' })).toHaveCount(0)
    const own = student.getByRole('region', { name: 'My grade' })
    await own.getByText('Why this number?').click()
    await expect(own.getByText(/shares/).first()).toBeVisible()

    await educator.goto(term.address)
    await expect(educator.getByRole('heading', { level: 1 })).toBeVisible()
    await go(educator, '#/grades/term')
    await educator.getByRole('link', { name: 'Gradebook' }).click()
    await expect(educator.getByText(/Students see the grades released/)).toBeVisible()
    // The ruling of an appeal came after the release.
    await expect(educator.getByText(/would be another now/)).toBeVisible()
    const text = educator.getByLabel('Text of the scheme')
    await text.fill('grade = plase(contests)')
    await educator.getByRole('button', { name: 'Preview' }).click()
    await expect(educator.getByRole('alert').filter({ hasText: 'Line 1, column 9' })).toBeVisible()
    await educator.getByRole('button', { name: 'By place' }).click()
    await expect(educator.getByText('A preview: nothing is kept yet.')).toBeVisible()
    const band = educator.getByRole('slider', { name: 'Threshold of A' })
    await expect(band).toHaveAttribute('aria-valuenow', '90')
    await band.press('PageDown')
    await band.press('ArrowLeft')
    await expect(band).toHaveAttribute('aria-valuenow', '84.5')
    await expect(text).toHaveValue(/bands 84\.5 "A", 75 "B"/)
    await expect(educator.getByRole('button', { name: 'Release…' })).toBeDisabled()
    await educator.getByRole('button', { name: 'Keep the scheme' }).click()
    // The handles of the kept scheme move, too.
    await expect(educator.getByText('A preview: nothing is kept yet.')).toBeHidden()
    await band.press('ArrowRight')
    await expect(band).toHaveAttribute('aria-valuenow', '85')
    await expect(band).toBeFocused()
    await expect(text).toHaveValue(/bands 85 "A", 75 "B"/)
    await band.press('ArrowLeft')
    await expect(educator.getByRole('button', { name: 'Keep the scheme' })).toBeDisabled()
    await educator.getByRole('button', { name: `Grade of ${term.people.member.name} by hand` }).click()
    const dialog = educator.getByRole('dialog')
    await dialog.getByLabel('Grade', { exact: true }).fill('66')
    await dialog.getByLabel('Reason').fill('oral exam')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const rows = educator.getByRole('table', { name: 'Students' }).getByRole('row')
    await expect(rows.filter({ hasText: term.people.member.name })).toContainText('oral exam')
    await expectAccessible(educator)
    await educator.getByRole('button', { name: 'Release…' }).click()
    await educator.getByRole('dialog').getByRole('button', { name: 'Release' }).click()
    await expect(educator.getByText(/would be another now/)).toBeHidden()
    await educator.getByRole('button', { name: 'Fill a file…' }).click()
    await dialog.getByLabel('Title of the column').fill('Term')
    const saved = educator.waitForEvent('download')
    await dialog.getByLabel('Exported file').setInputFiles({
      ...{ name: 'grades.csv', mimeType: 'text/csv' },
      buffer: Buffer.from(`Student,ID,Term (1)\n"${term.people.member.name}",1,\n`),
    })
    expect(readFileSync(await (await saved).path(), 'utf8')).toBe(
      `Student,ID,Term (1)\n"${term.people.member.name}",1,66\n`,
    )
    await expect(dialog.getByRole('status')).toContainText('1 student')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await educator.setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => tooWide(educator)).toEqual([])

    await go(student, '#/class')
    await go(student, '#/grades/term')
    await own.getByText('Why this number?').click()
    await expect(own.getByText(/^place \d of 8 in “Week 2: Haggling”: [\d.]+ of 100$/)).toBeVisible()
    await expect(own.getByText(/shares/)).toHaveCount(0)
    await expect(student.getByText('oral exam')).toHaveCount(0)
    await expectAccessible(student)
  } finally {
    await term.stop()
  }
})
