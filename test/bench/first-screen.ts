import { chromium as driver, type Browser } from '@playwright/test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { classCertificate } from '../../main/portal/certificate.ts'
import { launching, windowedChromium } from '../e2e/browser.ts'
import { openFirst, type FirstScreen } from '../e2e/first-screen.ts'
import { tartaglia } from '../conformance/cli/process.ts'
import { addressOfMachine, makeClass, originOf } from './classroom.ts'
import { withFolder } from './folder.ts'
import { alternately, median } from './measure.ts'
import { rowOf, type Bench } from './row.ts'

const ROUNDS = 5

/**
 * The home of a student in a browser that has kept nothing, by HTTPS on this machine, held against the page for signing in, and against
 * an empty page that Node serves. Each time it is a new browser context: connections and cache begin anew.
 */
export const firstScreen: Bench = {
  name: 'first-screen',
  measure: () =>
    withFolder(async (folder) => {
      const host = addressOfMachine()
      if (windowedChromium === null || host === null) {
        console.error(
          '  left out: it needs Chromium (npm run setup:debian -- --tests) and an address that is not loopback',
        )
        return []
      }
      const { data, students } = await makeClass(join(folder, 'data'))
      const server = tartaglia('serve', '--data', data, '--host', host, '--port', '0', '--json')
      const browser = await driver.launch(launching(windowedChromium))
      try {
        const origin = await originOf(server)
        const { first, second } = await alternately(
          ROUNDS,
          () => opened(browser, origin, students[0]!),
          () => opened(browser, origin, null),
        )
        const bare = await openEmptyPage(join(folder, 'certificate'), host)
        const empty = await alternately(
          ROUNDS,
          () => opened(browser, origin, students[0]!),
          () => openedEmpty(browser, bare.origin),
        ).finally(() => bare.close())
        const ms = (all: readonly FirstScreen[]): number => median(all.map((each) => each.ms))
        const kilobytes = (all: readonly FirstScreen[]): number => median(all.map(({ bytes }) => bytes)) / 1_000
        return [
          rowOf(
            { name: "first screen, a student's home", value: ms(first), unit: 'ms' },
            { name: 'the page for signing in', value: ms(second), unit: 'ms' },
            { of: 'value', below: 1_000 },
          ),
          rowOf(
            { name: "first screen, a student's home", value: ms(empty.first), unit: 'ms' },
            { name: 'an empty page of a bare server', value: ms(empty.second), unit: 'ms' },
            { of: 'ratio', below: 2.5 },
          ),
          rowOf(
            { name: "first screen, received for a student's home", value: kilobytes(first), unit: 'kB' },
            { name: 'the page for signing in', value: kilobytes(second), unit: 'kB' },
            { of: 'value', below: 300 },
          ),
        ]
      } finally {
        await browser.close()
        server.child.kill('SIGINT')
        await server.ended
      }
    }),
}

/** Opens the class as a student does who has signed in; null: as somebody who has not. */
async function opened(browser: Browser, origin: string, session: string | null): Promise<FirstScreen> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1280, height: 800 } })
  try {
    if (session !== null)
      await context.addCookies([
        {
          name: '__Host-tartaglia',
          value: session,
          url: `${origin}/`,
          secure: true,
          httpOnly: true,
          sameSite: 'Strict',
        },
      ])
    const page = await context.newPage()
    const drawn = session === null ? page.getByLabel('Password') : page.getByRole('region', { name: 'Due' })
    return await openFirst(page, origin, drawn)
  } finally {
    await context.close()
  }
}

/** Opens the page of `openEmptyPage`. */
async function openedEmpty(browser: Browser, origin: string): Promise<FirstScreen> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1280, height: 800 } })
  try {
    const page = await context.newPage()
    return await openFirst(page, origin, page.getByRole('heading', { name: 'Nothing' }))
  } finally {
    await context.close()
  }
}

/** Serves an empty page by HTTPS from a process of its own, with a certificate like that of a class. */
async function openEmptyPage(
  folder: string,
  host: string,
): Promise<{ readonly origin: string; readonly close: () => void }> {
  mkdirSync(folder)
  await classCertificate(folder, [host], new Date())
  const child = spawn(process.execPath, ['-e', BARE, host], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return { origin: `https://${host}:${port.toString().trim()}/`, close: () => void child.kill() }
}

const BARE = `const { readFileSync } = require('node:fs')
const options = { cert: readFileSync('portal-certificate.pem'), key: readFileSync('portal-key.pem') }
require('node:https').createServer(options, (_, answer) => answer.setHeader('content-type', 'text/html').end('<h1>Nothing</h1>'))
  .listen(0, process.argv[1], function () { console.log(this.address().port) })`
