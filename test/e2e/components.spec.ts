import { expect } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectAccessible } from './accessible.ts'
import { root } from './scripts.ts'
import { chromium, go, test } from './served.ts'
import { evil, evilShown, file } from './strangers.ts'

test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

const haggler = readFileSync(join(root, 'dist/agents/haggle/baby.js'), 'utf8')

test('a team publishes a component, another imports it, and a contest gives a share for it', async ({
  classroom: page,
}) => {
  await go(page, '#/components')
  await expect(page.getByText('No components yet')).toBeVisible()
  await expectAccessible(page)
  const give = page.getByLabel('Publish a component')
  await give.setInputFiles(file('Shared Mind.js', 'const nothing = 1'))
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('shared-mind')
  await page.getByLabel('Team').fill('Carla')
  await page.getByLabel('Description').fill('Thinks for you')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('it exports nothing')
  await give.setInputFiles(file('mind.js', `// ${evil}\nexport const mind = 1\n`))
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'shared-mind', level: 1 })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Source of shared-mind' })).toContainText(evilShown)
  await expectAccessible(page)
  const line = await page.getByLabel('Import line').innerText()
  expect(line).toMatch(/^import \{ mind \} from '\.\/components\/shared-mind@[0-9a-f]{16}\.js'$/)

  await go(page, '#/agents')
  await page.getByRole('combobox', { name: 'Game', exact: true }).selectOption({ label: 'Haggling' })
  const user = `${line}\n${haggler.replace('module.exports =', 'export default')}\nif (!mind) throw mind\n`
  await page
    .getByLabel('Hand in an agent')
    .setInputFiles([file('anna.js', user), file('bruno.js', `${user}\n// bruno's`)])
  await page.getByRole('button', { name: 'Hand in 2 files' }).click()
  await expect(page.getByRole('list', { name: 'Just handed in' })).toContainText(/Works.*Works/s)
  await go(page, '#/agents/anna')
  await expect(page.getByText(/^Uses the component/)).toContainText('shared-mind@')
  await page.getByRole('link', { name: /^shared-mind@/ }).click()
  await expect(page.getByRole('link', { name: 'anna' })).toBeVisible()

  await go(page, '#/contests/new')
  await page.getByLabel('Game').selectOption({ label: 'Haggling' })
  await page.getByLabel('Title').fill('With a share')
  await page.getByText('Advanced', { exact: true }).click()
  await page.getByLabel('Share for components').fill('51')
  await expect(page.getByText('At most 50.')).toBeVisible()
  await page.getByLabel('Share for components').fill('20')
  await page.getByRole('button', { name: 'Create and run' }).click()
  await expect(page.getByTestId('status')).toContainText('Ended')
  await page.getByRole('tab', { name: 'With shares' }).click()
  const table = page.getByRole('table', { name: 'Standings with shares' })
  // Whoever of them has won gives.
  await expect(table.getByRole('row')).toHaveCount(4)
  await expect(table.getByRole('row', { name: /Carla/ })).toBeVisible()
  await expectAccessible(page)
})
