// The served classroom against pages of other sites and of other programs of this machine, in a real browser.
import { expect, test } from '@playwright/test'
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { copySampleClass } from './sample-class.ts'
import { chromium } from './served.ts'

test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

let data = ''
let program: ChildProcess
let ended: Promise<number | null>
let address = ''
let stranger: Server

test.beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'tartaglia-portal-'))
  await copySampleClass(data)
  const cli = join(import.meta.dirname, '..', '..', 'dist', 'cli.js')
  const child = spawn(process.execPath, [cli, 'serve', '--json', '--data', data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  program = child
  ended = new Promise((resolve) => child.on('close', resolve))
  const line = await new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve))
  address = (JSON.parse(line) as { address: string }).address
  stranger = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>stranger</title><body></body>')
  })
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
})
test.afterEach(async () => {
  stranger.close()
  program.kill('SIGTERM')
  expect(await ended).toBe(0)
  rmSync(data, { recursive: true, force: true })
})

test('the window runs under its policy, and the address bar forgets the token', async ({ page }) => {
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(String(error)))
  await page.goto(address)
  await expect(page.getByRole('heading', { name: 'Class', exact: true })).toBeVisible()
  expect(page.url()).not.toContain('token')
  expect(await page.evaluate(() => document.cookie)).toBe('')
  expect(
    await page.evaluate(() =>
      performance
        .getEntriesByType('navigation')
        .map(({ name }) => name)
        .join(),
    ),
  ).not.toContain('token')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Class', exact: true })).toBeVisible()
  expect(errors).toEqual([])
})

test('the address, taken to another browser, is used up', async ({ page, browser: another }) => {
  await page.goto(address)
  await expect(page.getByRole('heading', { name: 'Class', exact: true })).toBeVisible()
  const other = await another.newPage()
  await other.goto(address)
  await expect(other.getByRole('heading', { name: 'This address no longer works' })).toBeVisible()
  await other.goto(new URL('/', address).href)
  await expect(other.getByRole('heading', { name: 'This classroom is locked' })).toBeVisible()
})

// Ports do not make another site: to such a page the browser gives our cookie, and only the program can refuse.
for (const [who, name] of [
  ['another program of this machine', '127.0.0.1'],
  ['another site', 'localhost'],
] as const) {
  test(`a page of ${who} neither reads, writes, frames nor talks`, async ({ page }) => {
    await page.goto(address)
    await expect(page.getByRole('heading', { name: 'Class', exact: true })).toBeVisible()
    await page.goto(`http://${name}:${(stranger.address() as AddressInfo).port}/`)
    const { origin } = new URL(address)
    const outcome = await page.evaluate(async (target) => {
      const tried = async (what: Promise<unknown>): Promise<string> =>
        what.then(
          () => 'done',
          () => 'refused',
        )
      const script = (path: string): Promise<void> =>
        new Promise((resolve, reject) => {
          const element = document.createElement('script')
          element.src = target + path
          element.onload = () => resolve()
          element.onerror = () => reject(new Error(path))
          document.body.append(element)
        })
      const socket = new Promise<void>((resolve, reject) => {
        const made = new WebSocket(`${target.replace('http', 'ws')}/rpc`)
        made.onopen = () => resolve()
        made.onerror = () => reject(new Error('socket'))
      })
      const frame = document.createElement('iframe')
      frame.src = target
      const framed = new Promise<void>((resolve) => (frame.onload = () => resolve()))
      document.body.append(frame)
      await framed
      return {
        read: await tried(fetch(target, { credentials: 'include' })),
        embedded: await tried(script('/index.html')),
        socket: await tried(socket),
        // A frame that was refused shows the browser's own page, of an origin that nobody may look into.
        framed: frame.contentDocument === null ? 'not ours' : 'ours',
        posted: await tried(fetch(target, { method: 'POST', mode: 'no-cors', credentials: 'include' })),
      }
    }, origin)
    const refused = { read: 'refused', embedded: 'refused', socket: 'refused', posted: 'refused' }
    expect(outcome).toEqual({ ...refused, framed: 'not ours' })
    const frame = page.frames().find((each) => each !== page.mainFrame())
    expect(frame?.url()).not.toContain('127.0.0.1')
    // The classroom is as it was.
    await page.goto(origin)
    await expect(page.getByRole('heading', { name: 'Class', exact: true })).toBeVisible()
  })
}
