import { searchKey } from '../names.ts'
import type { Classroom } from '../procedures/classroom.ts'
import type { Person, PersonId } from './people.ts'
import type { Team } from './teams.ts'

// Pseudonyms. The name of a team in class.json is its public one, whatever it is called by its members: so everything that is
// recorded or leaves the machine has the pseudonym, and nothing else knows of it.

/** 32 colours and qualities, and 64 birds, trees and stones: 2,048 names that say nothing about anybody. */
export const pseudonymWords: readonly [readonly string[], readonly string[]] = [
  'Amber Autumn Azure Birch Brass Bronze Calm Cedar Clear Copper Coral Crimson Early Ember Flint Golden Green Indigo Ivory Jade Late Lunar Maple Marble Ochre Olive Opal Quiet Ruby Silver Violet Winter'.split(
    ' ',
  ),
  'Alder Aspen Badger Basalt Beech Bittern Bunting Chough Crane Curlew Dipper Dunlin Egret Elm Falcon Fern Finch Gannet Garnet Goose Granite Grebe Hare Harrier Hazel Heron Hobby Ibis Jackdaw Juniper Kestrel Kite Lapwing Larch Lark Linden Linnet Lynx Magpie Marten Merlin Osprey Otter Ouzel Pine Pipit Plover Quartz Raven Redstart Robin Rook Rowan Siskin Slate Sparrow Starling Stork Swallow Swift Tern Thrush Willow Wren'.split(
    ' ',
  ),
]

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

/** Scripts that are written without spaces between words. */
const unspaced = /^[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]{2,}$/u

/**
 * The first name, e-mail address or identifier of somebody that is in one of the texts, as far as the texts have it; undefined: nobody's. The parts
 * of a name follow one another, or its first and last part do in either order, in any case and with or without accents. A name of one part counts
 * only as it is written: many are words.
 */
export function namedIn(
  people: readonly Pick<Person, 'name' | 'email' | 'ids'>[],
  texts: readonly string[],
): string | undefined {
  if (people.length === 0) return undefined
  const keys = texts.map(searchKey)
  const spaced = texts.map((text) => ` ${wordsIn(text).join(' ')} `)
  const known = new Set(spaced.flatMap((text) => text.split(' ')))
  const closed = keys.map((text) => text.replaceAll(/[\s・·]+/gu, ''))
  for (const { name, email, ids } of people) {
    const parts = wordsIn(name)
    const together = parts.join('')
    const orders =
      parts.length > 1 ? [parts, [parts[0]!, parts.at(-1)!], [parts.at(-1)!, parts[0]!]] : ([] as readonly string[][])
    const forms = unspaced.test(together) ? [together, ...orders.map((order) => order.join(''))] : []
    const found =
      forms.find((form) => closed.some((text) => text.includes(form))) ??
      orders
        .filter((order) => order.every((part) => known.has(part)))
        .map((order) => order.join(' '))
        .find((form) => spaced.some((text) => text.includes(` ${form} `)))
        ?.toLowerCase() ??
      (parts.length < 2 && texts.some((text) => hasWord(text, name)) ? name : undefined) ??
      [email, ...Object.values(ids)]
        .flatMap((mark) => (mark !== undefined && mark.length >= IDENTIFIER_MIN ? [searchKey(mark)] : []))
        .find((mark) => keys.some((text) => hasWord(text, mark)))
        ?.toLowerCase()
    if (found !== undefined) return found
  }
  return undefined
}

const isLetter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{M}\p{N}]/u.test(character)

/** True if a word is in a text, and not only as a part of another one. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!isLetter(text[at - 1]) && !isLetter(text[at + word.length])) return true
  return false
}

/** The words of names, and the identifiers, that a drawn name must not have: it would look like a person's. */
export function wordsOfPeople(people: readonly Pick<Person, 'name' | 'ids'>[]): ReadonlySet<string> {
  return new Set(people.flatMap(({ name, ids }) => [name, ...Object.values(ids)].flatMap(wordsIn)))
}

/** All texts in a value of JSON, wherever they are. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
