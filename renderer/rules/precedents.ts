import type { Precedent } from '../../main/contract/cases/case-procedures.ts'

/** The title of a section as it is shown: names of rules are titles as they are written in the page, with its marks. */
function shownTitle(written: string): string {
  return written
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*_]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** The cases about the rule with this title. */
export function casesAbout(all: readonly Precedent[], title: string): readonly Precedent[] {
  return all.filter(({ rule }) => shownTitle(rule) === shownTitle(title))
}
