import { searchKey } from '../names.ts'
import type { Classroom } from '../procedures/classroom.ts'
import type { Person, PersonId } from './people.ts'
import type { Team } from './teams.ts'

// Pseudonyms. The name of a team in class.json is its public one, whatever it is called by its members: so everything that is
// recorded or leaves the machine has the pseudonym, and nothing else knows of it.

/** The name that a team gave itself, for its members and for staff. Nobody else gets it. */
export const ownNameOf = ({ called, name }: Pick<Team, 'called' | 'name'>): string => called ?? name

/** True if people appear under pseudonyms: all students of the class, or those who wish it. */
export function isPseudonymous(
  { settings }: Pick<Classroom, 'settings'>,
  { role, pseudonym }: Pick<Person, 'role' | 'pseudonym'>,
): boolean {
  return role === 'student' && (settings.pseudonyms || pseudonym === true)
}

/** True if a team with these members, none if it is dissolved, appears under a pseudonym. */
export function needsPseudonym(content: Pick<Classroom, 'settings' | 'people'>, members: readonly PersonId[]): boolean {
  if (content.settings.pseudonyms) return true
  return content.people.some((person) => members.includes(person.id) && isPseudonymous(content, person))
}

/** Identifiers with fewer characters occur in other texts by chance. */
const IDENTIFIER_MIN = 5

const wordsIn = (text: string): readonly string[] => searchKey(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/**
 * The first person of some whose name, e-mail address or identifier is in one of the texts; undefined: nobody's. The parts of a name follow one
 * another, in any case and with or without accents. A name of one part counts only as it is written: many are words.
 */
export function personNamedIn(
  people: readonly Pick<Person, 'name' | 'email' | 'ids'>[],
  texts: readonly string[],
): Pick<Person, 'name'> | undefined {
  if (people.length === 0) return undefined
  const keys = texts.map(searchKey)
  const words = texts.map((text) => ` ${wordsIn(text).join(' ')} `)
  const known = new Set(words.flatMap((text) => text.split(' ')))
  return people.find(({ name, email, ids }) => {
    const parts = wordsIn(name)
    const isNamed =
      parts.length > 1
        ? parts.every((part) => known.has(part)) && words.some((text) => text.includes(` ${parts.join(' ')} `))
        : texts.some((text) => hasWord(text, name))
    const marks = [email, ...Object.values(ids)].filter((mark) => mark !== undefined && mark.length >= IDENTIFIER_MIN)
    return isNamed || marks.some((mark) => keys.some((text) => hasWord(text, searchKey(mark!))))
  })
}

const isLetter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{M}\p{N}]/u.test(character)

/** True if a word is in a text, and not only as a part of another one. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!isLetter(text[at - 1]) && !isLetter(text[at + word.length])) return true
  return false
}

/** All texts in a value of JSON, wherever they are. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
