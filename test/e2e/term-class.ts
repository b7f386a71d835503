import { expect, type Browser, type Page } from '@playwright/test'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { copySampleTerm } from './sample-class.ts'

/**
 * `student`: their team has filed the case. `member`: of its panel; they have not voted. `newcomer`: they are in no team.
 */
type Part = 'student' | 'member' | 'newcomer'

/** The sample term, as serve-sample-term.ts opens it. */
export interface TermClass {
  /** Admits the educator's browser, once. */
  readonly address: string
  /** The class on the network. */
  readonly origin: string
  /** Those who have not signed in yet, with their one-time codes. */
  readonly people: Readonly<Record<Part, { readonly name: string; readonly code: string }>>
  readonly classCode: string
  /** The contest that takes entries. */
  readonly contest: string
  /** The one that the open case is about, and the match in which the student's agent met the accused one. */
  readonly played: string
  readonly match: number
  readonly dossier: string
  readonly hearing: string
  stop(): Promise<void>
}

/** Serves a copy in an empty folder. */
export async function serveTermClass(data: string): Promise<TermClass> {
  await copySampleTerm(data)
  const script = join(import.meta.dirname, 'serve-sample-term.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, data], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    void ended.then(() => reject(new Error('the class has ended')))
  })
  return {
    ...(JSON.parse(line) as Omit<TermClass, 'stop'>),
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}

/** A browser of somebody's own, which accepts the class's certificate. */
export async function ownPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    ...{ ignoreHTTPSErrors: true, locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce' },
    viewport: { width: 1280, height: 800 },
  })
  return context.newPage()
}

/** Signs somebody in with a one-time code, up to the choice of a password. */
export async function enterCode(page: Page, { origin, people }: TermClass, part: Part): Promise<void> {
  await page.goto(origin)
  await page.getByLabel('Name').fill(people[part].name)
  await page.getByLabel('Password').fill(people[part].code)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Choose a password' })).toBeVisible()
}

/** Chooses the password that `enterCode` has asked for. */
export async function choosePassword(page: Page): Promise<void> {
  await page.getByLabel('New password').fill('four words of mine')
  await page.getByLabel('The same again').fill('four words of mine')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('navigation', { name: 'Screens' })).toBeVisible()
}

/** Asks to join with the code of the class. */
export async function askToJoin(page: Page, { origin, classCode }: TermClass, name: string): Promise<void> {
  await page.goto(origin)
  await page.getByRole('button', { name: 'I have a class code' }).click()
  await page.getByLabel('Code of the class').fill(classCode)
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('New password').fill('four words of mine')
  await page.getByLabel('The same again').fill('four words of mine')
}
