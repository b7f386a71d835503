import { links } from '../navigation/links.ts'

/** Pages of the manual about screens, by the beginning of a screen's address; the first that fits. */
const pages: readonly (readonly [RegExp, string])[] = [
  [/^#\/components\b/, links.help('sharing', 'components')],
  [/^#\/(agents|hand-in|sources)\b/, links.help('agents')],
  [/^#\/challenges\/[^/?]/, links.help('language')],
  [/^#\/challenges\b/, links.help('challenge-tutorial')],
  [/^#\/contests\/[^/?]+\/analysis\b/, links.help('mining')],
  [/^#\/contests\b/, links.help('contests')],
  [/^#\/evidence\b/, links.help('evidence')],
  [/^#\/hearings\b/, links.help('hearings')],
  [/^#\/grades\b/, links.help('grades')],
  [/^#\/people\b/, links.help('people')],
  [/^#\/classes\b/, links.help('archive')],
  [/^#\/me\b/, links.help('privacy')],
]

/** The address of the page of the manual about a screen; that of its contents if none fits. */
export const helpFor = (screen: string): string => pages.find(([pattern]) => pattern.test(screen))?.[1] ?? links.manual
