import { expect, type Page } from '@playwright/test'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenArena } from '../../main/contract/players/arena.ts'
import { expectAccessible } from './accessible.ts'
import { chromium, dist, go, test } from './served.ts'

test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

const agentFile = join(import.meta.dirname, '..', 'conformance', 'network', 'agent.mjs')
const status = (page: Page) => page.getByTestId('status')
const arena = (page: Page) => page.getByTestId('arena')

/** A student's terminal: an agent that plays Haggling connects. Resolves to the exit code. */
function connect(folder: string, { addresses, credentials }: OpenArena, name: string): Promise<number | null> {
  const key = join(folder, `${name}.txt`)
  writeFileSync(key, credentials.find(({ entrant }) => entrant === name)!.credential)
  const args = ['agent', 'connect', addresses[0]!, '--credential', key, '--', process.execPath, agentFile, 'haggle']
  const child = spawn(process.execPath, [join(dist, 'cli.js'), ...args], { stdio: 'ignore' })
  return new Promise((resolve) => child.once('close', resolve))
}

/** A contest of agents that all connect, created and run. */
async function begin(page: Page, title: string): Promise<void> {
  await go(page, '#/contests/new')
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Game').selectOption({ label: 'Haggling' })
  await page.getByText('Agents of other machines').click()
  await page.getByLabel('Their names').fill('anna\nbob')
  await expect(page.getByLabel('Who can connect')).toHaveValue('127.0.0.1')
  // A machine without a box is asked what is enough.
  const enough = page.getByRole('radio', { name: /Permissions only/ })
  await expect(enough.or(page.getByText(/Available on this machine\./))).toBeVisible()
  if (await enough.isVisible()) await enough.check()
}

test('agents of other machines are named, connect with credentials that are shown once, and play', async ({
  classroom: page,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'tartaglia-e2e-arena-'))
  try {
    await begin(page, 'Elsewhere')
    await expect(page.getByText('2 matches', { exact: true })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create and run' }).click()

    await expect(status(page)).toContainText('Waiting for agents')
    await expect(arena(page)).toContainText('0 of 2 agents here')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Show the credentials' }).click()
    const file = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as file' }).click()
    const download = await file
    expect(download.suggestedFilename()).toBe('elsewhere-1-credentials.json')
    const told = JSON.parse(readFileSync(await download.path(), 'utf8')) as OpenArena
    await expect(arena(page)).toContainText(told.addresses[0]!)
    for (const { credential } of told.credentials) await expect(page.getByText(credential)).toBeVisible()
    await expectAccessible(page)

    const anna = connect(folder, told, 'anna')
    await expect(arena(page).getByRole('listitem').filter({ hasText: 'anna' })).toContainText(/\bhere\b(?! yet)/)
    await expect(arena(page)).toContainText('1 of 2 agents here')
    const bob = connect(folder, told, 'bob')
    await expect(status(page)).toContainText('Ended')
    expect(await Promise.all([anna, bob])).toEqual([0, 0])
    await expect(arena(page)).toBeHidden()
    await expect(status(page)).toContainText('2 of 2 matches')
    const ladder = page.getByRole('region', { name: 'Standings' }).last()
    await expect(ladder.getByRole('listitem')).toHaveCount(2)
    await page.getByRole('tab', { name: 'Set-up' }).click()
    const facts = page.getByRole('region', { name: 'Set-up and notices' })
    await expect(facts).toContainText('connects from another machine')
    await expect(facts).toContainText('anna has signed in.')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a person who leaves the screen is not shown credentials again; waiting is stopped by a key, and a new start makes new ones', async ({
  classroom: page,
}) => {
  await begin(page, 'Twice')
  await page.getByRole('button', { name: 'Create and run' }).click()
  await page.getByRole('button', { name: 'Show the credentials' }).click()
  const code = arena(page)
    .getByRole('listitem')
    .first()
    .getByText(/^[\w-]{43}$/)
  const first = await code.textContent()
  await go(page, '#/class')
  await expect(page.getByText('Twice waits for agents on other machines; each needs its credential.')).toBeVisible()
  await go(page, '#/contests/twice-1')
  await expect(arena(page)).toContainText('The credentials have been shown.')
  await expect(code).toBeHidden()

  await page.keyboard.press('r')
  await expect(status(page)).toContainText('Ready')
  await page.getByText('where they connect').click()
  await page.getByLabel('Wait for them').fill('0')
  await expect(page.getByText('From 1 to 1,440 minutes.')).toBeVisible()
  await page.getByLabel('Wait for them').fill('30')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByRole('button', { name: 'Show the credentials' }).click()
  await expect(code).toBeVisible()
  expect(await code.textContent()).not.toBe(first)
  await page.getByRole('button', { name: 'Stop waiting' }).click()
  await expect(status(page)).toContainText('Ready')
})
