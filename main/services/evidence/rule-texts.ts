import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OfferedRule } from '../../contract/evidence/dossier-procedures.ts'
import { RULE_CHARACTERS_MAX } from '../../contract/evidence/evidence-reference.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { resources } from '../machine/resources.ts'

/** The book of the rules that hold for every game: the security policy. */
const SECURITY = 'security'

/** The sections of a rulebook in their order. Rejects with ExpectedError `rule-unknown` if there is no such book. */
export async function rulesOf(book: string): Promise<readonly OfferedRule[]> {
  const file = book === SECURITY ? 'security.md' : `${book}-rules.md`
  const text = await readFile(join(resources.evidence, file), 'utf8').catch(() => null)
  if (text === null) throw new ExpectedError('usage', 'rule-unknown', `There is no rulebook "${book}".`)
  return sectionsOf(text)
}

/** A section of a rulebook. Rejects with ExpectedError `rule-unknown`. */
export async function ruleOf(book: string, rule: string): Promise<OfferedRule> {
  const found = (await rulesOf(book)).find((each) => each.rule === rule)
  if (found !== undefined) return found
  throw new ExpectedError('usage', 'rule-unknown', `The rulebook "${book}" has no such rule.`)
}

/** The sections of a page below its title, each from its heading to the next one. */
export function sectionsOf(page: string): readonly OfferedRule[] {
  const plain = page.replaceAll(/<!--(?:(?!-->)[^])*-->/g, '')
  const [, ...sections] = plain.split(/^(?=#{2,4} )/m)
  return sections.flatMap((section) => {
    const [heading = '', ...rest] = section.split('\n')
    const [title, text] = [heading.replace(/^#+ /, '').trim(), rest.join('\n').trim()]
    if (text === '') return []
    return { rule: title, title, text: `${title}\n\n${text}\n`.slice(0, RULE_CHARACTERS_MAX) }
  })
}
