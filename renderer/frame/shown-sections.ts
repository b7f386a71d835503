import { may } from '../caller.svelte.ts'
import { kitGame } from '../games.ts'
import { routes, sections } from '../navigation/routes.ts'

/** The sections that the window of a kit leaves out: it is for one student, who has no class. */
const ofClasses: ReadonlySet<string> = new Set(['hearings', 'grades', 'people'])

/** The sections that have a screen and that the person may see, from top to bottom. */
export const shownSections = (): readonly (typeof sections)[number][] =>
  sections.filter(
    ({ id, needs }) =>
      routes.some(({ section }) => section === id) && may(needs) && (kitGame === undefined || !ofClasses.has(id)),
  )
