/** The maximum number of code points in a name. */
const NAME_LENGTH_MAX = 64
/** The maximum number of combining marks on a letter; more of them would cover the lines above and below. */
const MARKS_MAX = 4

/**
 * The zero width non-joiner, in the places where spelling needs it: between Arabic letters, as in Persian, and after a
 * virama that joins letters of India and its neighbours (Unicode UAX 31, section 2.3, A1 and A2).
 */
const nonJoiner =
  String.raw`(?<=[\p{scx=Arab}&&\p{L}]\p{M}*)\u200C(?=[\p{scx=Arab}&&\p{L}])|` +
  String.raw`(?<=\p{L}\p{M}*[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA\u1039\u17D2])\u200C(?=\p{L})`
const fits = String.raw`(?:${nonJoiner}|(?!\p{DI})[\p{L}\p{M}\p{Nd}'’.·・_ \-])`
const unfit = new RegExp(`(?!${fits})[^]`, 'v')
const tooManyMarks = new RegExp(`\\p{M}{${MARKS_MAX + 1}}| \\p{M}`, 'u')
const furtherMarks = new RegExp(`(\\p{M}{${MARKS_MAX}})\\p{M}+`, 'gu')
const unfitRuns = new RegExp(`(?:(?!${fits})[^])+`, 'gv')

/**
 * Why a text is not a valid name of an agent, a team or an entrant, as part of a sentence; null: it is valid. A name
 * consists of letters, marks and digits of any script, single spaces between words, and the signs ' ’ . · ・ _ -. It has
 * no invisible characters and none that change the writing direction, and is normalized (Unicode NFC), so that equal
 * names are equal texts.
 */
export function whyNoName(text: string): string | null {
  if (text === '') return 'a name has at least one letter or digit'
  if (Array.from(text).length > NAME_LENGTH_MAX) return `a name has at most ${NAME_LENGTH_MAX} characters`
  const [character] = unfit.exec(text) ?? []
  if (character !== undefined)
    return `a name has letters, digits, spaces and the signs ' . _ -, not ${shown(character)}`
  if (!/^[\p{L}\p{Nd}]/u.test(text)) return 'a name begins with a letter or a digit'
  if (/ $/.test(text)) return 'a name does not end with a space'
  if (/ {2}/.test(text)) return 'a name has no two spaces in a row'
  if (tooManyMarks.test(text)) return `a name has at most ${MARKS_MAX} signs on a letter`
  return text === text.normalize('NFC') ? null : 'a name is in Unicode normalization form NFC'
}

/** The scripts of living languages that Unicode recommends for names (UAX 31, table 5). */
const SCRIPTS =
  `Arab Armn Beng Bopo Cyrl Deva Ethi Geor Grek Gujr Guru Hang Hani Hebr Hira Kana Khmr Knda Laoo Latn Mlym Mymr
  Orya Sinh Taml Telu Thaa Thai Tibt`.split(/\s+/)
/** Those that one language writes together, besides Latin letters among them (UTS 39, section 5.1). */
const TOGETHER = [
  ...SCRIPTS.map((script) => [script]),
  ...['Hani Hira Kana', 'Hani Bopo', 'Hani Hang'].map((all) => [...all.split(' '), 'Latn']),
]
const everywhere = String.raw`\p{scx=Zyyy}\p{scx=Zinh}`
const ofScripts = (scripts: readonly string[]): string =>
  scripts.map((script) => String.raw`\p{scx=${script}}`).join('')
interface ScriptTests {
  readonly recommended: RegExp
  readonly unmixed: readonly RegExp[]
}
let scriptTests: ScriptTests | undefined

/** Made at their first use: it takes some 7 ms, which most commands can save. */
function scriptTest(): ScriptTests {
  scriptTests ??= {
    recommended: new RegExp(`[[${ofScripts(SCRIPTS)}]--[${everywhere}]]`, 'v'),
    unmixed: TOGETHER.map((scripts) => new RegExp(`^[${ofScripts(scripts)}${everywhere}]*$`, 'v')),
  }
  return scriptTests
}

/** True if a text mixes letters of scripts that no language writes together, such as Latin and Cyrillic (UTS 39, highly restrictive). */
function isMixed(text: string): boolean {
  // Most names are ASCII.
  if (/^[ -~]*$/.test(text)) return false
  const { recommended, unmixed } = scriptTest()
  // The dots stand in names of all scripts, whatever Unicode's data say of them.
  const letters = text.replaceAll(/[·・]/g, '')
  return recommended.test(letters) && !unmixed.some((script) => script.test(letters))
}

/** Like `whyNoName`, for a name that is new: one that exists already may mix scripts, which earlier versions allowed. */
export function whyNoNewName(text: string): string | null {
  return whyNoName(text) ?? (isMixed(text) ? 'a name does not mix scripts, such as Latin and Cyrillic letters' : null)
}

/** Like `whyNoName`, for a name in an existing file: earlier versions allowed more spaces. */
export const whyNoRecordedName = (text: string): string | null => whyNoName(text.replace(/ +/g, ' ').replace(/ $/, ''))

/** Equal for names that differ only in case or in the encoding of letters. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toUpperCase().normalize('NFKC').replaceAll('’', "'")
}

/** For searching: like `nameKey`, and without accents. */
export function searchKey(text: string): string {
  return nameKey(text).normalize('NFKD').replace(/\p{M}/gu, '')
}

/** The first two names with the same `nameKey`, or null. */
export function findSimilarNames(names: readonly string[]): readonly [string, string] | null {
  const seen = new Map<string, string>()
  for (const name of names) {
    const key = nameKey(name)
    const before = seen.get(key)
    if (before !== undefined) return [before, name]
    seen.set(key, name)
  }
  return null
}

/**
 * A valid name made from any text, such as a file's name: characters that a name cannot have are replaced or dropped.
 */
export function nameFrom(text: string): string {
  const plain = text
    .normalize('NFC')
    .replace(unfitRuns, '-')
    .replace(/^[^\p{L}\p{Nd}]+/u, '')
    .replace(/ +/g, ' ')
    .replace(/ (?=\p{M})/gu, '')
    .replace(furtherMarks, '$1')
  const name = cut(plain.normalize('NFC'), NAME_LENGTH_MAX).replace(/[ -]+$/, '')
  if (name === '') return 'agent'
  return isMixed(name) ? nameFrom(name.replaceAll(/[^ -~]+/g, '-')) : name
}

/** The name itself, or if it is taken, the name with the first free number from 2. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name
  for (let number = 2; isTaken(free); number++) {
    free = numberedName(name, ` ${number}`)
  }
  return free
}

/** A name with an ending, such as a number; the name is cut where both together would be too long. */
export function numberedName(name: string, end: string): string {
  return `${cut(name, Math.max(1, NAME_LENGTH_MAX - Array.from(end).length)).trimEnd()}${end}`
}

const cut = (text: string, length: number): string => Array.from(text).slice(0, length).join('')

/** A character as shown in a sentence: punctuation and symbols quoted, all others by their code point. */
function shown(character: string): string {
  if (/[\p{P}\p{S}]/u.test(character)) return `"${character}"`
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}
