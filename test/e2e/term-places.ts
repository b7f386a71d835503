import type { Locator, Page } from '@playwright/test'
import { go } from './served.ts'
import type { TermClass } from './term-class.ts'

/** A screen as somebody in the middle of a term sees it. */
export interface TermPlace {
  readonly by: 'student' | 'member' | 'educator'
  /** The route that leads there. */
  readonly pattern: string
  to(page: Page, term: TermClass): Promise<void>
  /** When this is to be seen, the screen is complete. */
  sign(page: Page): Locator
}

const at =
  (hash: string | ((term: TermClass) => string)) =>
  (page: Page, term: TermClass): Promise<void> =>
    go(page, typeof hash === 'string' ? hash : hash(term))
const heading =
  (name: string | RegExp) =>
  (page: Page): Locator =>
    page.getByRole('heading', { name }).first()
const byName =
  (role: 'region' | 'list' | 'button' | 'table', name: string | RegExp) =>
  (page: Page): Locator =>
    page.getByRole(role, { name }).first()
/** The address of an event of the match that the case is about. */
const event = ({ played, match }: TermClass): string => `#/contests/${played}/matches/${match}?move=2`
const caseAt = ({ hearing }: TermClass): string => `#/hearings/${hearing}`

/** The roster, up to its preview. */
async function previewRoster(page: Page): Promise<void> {
  await go(page, '#/people')
  await page.getByRole('button', { name: 'Add people' }).first().click()
  await page.getByLabel('Or paste names').fill(`Ada Lovelace\n${'Wolfeschlegelsteinhausenbergerdorff'.repeat(3)}`)
  await page.getByRole('button', { name: 'Show what changes' }).click()
}

/** Screens that show little or nothing to the person at the program's machine, or in a class without students. */
export const termPlaces: readonly TermPlace[] = [
  { by: 'student', pattern: '/class', to: at('#/class'), sign: byName('region', 'Mend first') },
  { by: 'student', pattern: '/team', to: at('#/team'), sign: heading('Invite others') },
  {
    ...{ by: 'student', pattern: '/hand-in?contest&trial' },
    to: at(({ contest }) => `#/hand-in?contest=${contest}`),
    sign: byName('button', /^Download receipt/),
  },
  { by: 'student', pattern: '/me', to: at('#/me'), sign: heading('Sessions') },
  {
    ...{ by: 'student', pattern: '/contests/:contest?tab&of' },
    to: at(({ contest }) => `#/contests/${contest}`),
    sign: byName('list', 'Registered agents'),
  },
  { by: 'student', pattern: '/agents/:name?tab&line', to: at('#/agents/rosso'), sign: heading('By opponent') },
  {
    ...{ by: 'student', pattern: '/evidence/:dossier' },
    to: at(({ dossier }) => `#/evidence/${dossier}`),
    sign: byName('list', 'Items of the dossier'),
  },
  // The student's team has filed as many complaints as a team may.
  {
    ...{ by: 'member', pattern: '/hearings/new?event' },
    to: at((term) => `#/hearings/new?event=${encodeURIComponent(event(term))}`),
    sign: (page) => page.getByLabel('Claim'),
  },
  {
    ...{ by: 'student', pattern: '/hearings/:hearing?exhibit&as' },
    to: at(caseAt),
    sign: byName('region', 'State of the case'),
  },
  {
    ...{ by: 'member', pattern: '/hearings?search' },
    to: at('#/hearings'),
    sign: (page) => page.getByText('Your turn'),
  },
  {
    ...{ by: 'member', pattern: '/hearings/:hearing?exhibit&as' },
    to: at(caseAt),
    sign: byName('button', 'Seal the vote'),
  },
  {
    ...{ by: 'member', pattern: '/hearings/:hearing/projector' },
    to: at((term) => `${caseAt(term)}/projector`),
    sign: (page) => page.getByRole('timer'),
  },
  { by: 'educator', pattern: '/class', to: at('#/class'), sign: byName('table', 'Students') },
  { by: 'educator', pattern: '/people', to: at('#/people'), sign: byName('button', /^Admit/) },
  { by: 'educator', pattern: '/people', to: previewRoster, sign: byName('list', 'Changes') },
  { by: 'educator', pattern: '/people/log?search&kind', to: at('#/people/log'), sign: byName('table', 'Audit log') },
  {
    ...{ by: 'educator', pattern: '/people/slips' },
    async to(page) {
      await go(page, '#/people')
      await page.getByRole('button', { name: /^Print slips/ }).click()
    },
    sign: byName('list', 'Slips'),
  },
]
