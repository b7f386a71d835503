import { resolve, join } from 'node:path'
import type { FormatSettings } from '../../contract/contests/contests.ts'
import type { NamedText } from '../../contract/game/game.ts'
import { sha256Hex, type GameId } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import { didYouMean } from '../../contract/near-miss.ts'
import { textName } from '../../contract/procedures/class-texts.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { readTextFile } from '../files/read-file.ts'
import { challengeNamed, checkedChallengeText, ownChallenge } from './named-challenges.ts'
import { keptText, referencePrefix } from './kept-texts.ts'
import { configTexts, formatTexts, replaceTexts, textsIn, type TextFields } from './text-fields.ts'
import { readdir, readFile } from 'node:fs/promises'
import { codeOf, machineErrorFrom } from '../../histories/machine-error.ts'
import { resources, shippedChallenge } from '../machine/resources.ts'

/** The sources of texts that a config gives by name. */
export interface TextSource {
  /** The data folder of the class. */
  readonly data: string
  /** The text of a challenge. Throws ExpectedError 'usage' if there is none of that name. */
  challenge(name: string): Promise<string>
}

/** The shipped texts and the own ones of the class in a data folder. */
export function textsOf(data: string): TextSource {
  return { data, challenge: (name) => challengeNamed(name, data) }
}

/**
 * The texts for somebody who may not know all challenges of the class: others do not exist, and no message names them. `sees`: true for
 * the text of a challenge of the class that they may know.
 */
export function textsSeen(data: string, sees: (challenge: string) => boolean): TextSource {
  return {
    data,
    async challenge(name) {
      const shipped = await shippedChallenge(name)
      if (shipped !== null) return shipped
      const own = await ownChallenge(data, name)
      if (own !== null && sees(own)) return checkedChallengeText(own, `${name}.challenge`)
      throw new ExpectedError('usage', 'challenge-unknown', `There is no challenge "${name}".`)
    },
  }
}

/**
 * Replaces names, files and hashes in a config with the texts themselves. `folder`: the folder of the files; null:
 * files are not allowed. `name`: the contest's name in messages. Throws ExpectedError 'usage'.
 */
export async function withTexts(
  game: GameId,
  config: Json,
  folder: string | null,
  name: string,
  source: TextSource,
): Promise<Json> {
  return inserted(game, config, configTexts(game), folder, `${name}: config`, source)
}

/** Like `withTexts`, for the texts in the settings of a game's own format. */
export async function withFormatTexts(
  game: GameId,
  format: FormatSettings,
  folder: string | null,
  name: string,
  source: TextSource,
): Promise<FormatSettings> {
  if (format.type !== 'game') return format
  const fields = formatTexts(game, format)
  return { ...format, settings: await inserted(game, format.settings, fields, folder, `${name}: format`, source) }
}

async function inserted<T extends Json>(
  game: GameId,
  value: T,
  fields: TextFields,
  folder: string | null,
  where: string,
  source: TextSource,
): Promise<T> {
  const found = new Map<string, string>()
  const key = (given: string, { kind }: NamedText): string => `${kind} ${given}`
  for (const { field, kind, text } of textsIn(value, fields)) {
    if (text.includes('\n') || found.has(key(text, kind))) continue
    found.set(key(text, kind), asText(await textFor(game, kind, text, folder, `${where}.${field}: `, source)))
  }
  return replaceTexts(value, fields, (text, kind) => found.get(key(text, kind)) ?? text)
}

async function textFor(
  game: GameId,
  text: NamedText,
  given: string,
  folder: string | null,
  where: string,
  source: TextSource,
): Promise<string> {
  if (folder !== null && given.endsWith(`.${endingOf(text)}`)) return fileText(text, resolve(folder, given))
  const read = given.startsWith(referencePrefix)
    ? keptText(source.data, sha256Hex.safeParse(given.slice(referencePrefix.length)).data ?? null)
    : text.kind === 'challenge'
      ? source.challenge(given)
      : textNamed(game, text, given, source.data)
  return read.catch((error: unknown) => {
    if (!(error instanceof ExpectedError)) throw error
    throw new ExpectedError(error.kind, error.code, `${where}${error.message}`, error.details)
  })
}

/** Adds a newline to a text without one, because a newline distinguishes texts from names. */
function asText(text: string): string {
  return text.includes('\n') ? text : `${text}\n`
}

/** Challenges are checked here, so that their errors are reported with their place in the file. */
async function fileText({ kind }: NamedText, file: string): Promise<string> {
  const text = await readTextFile(file)
  return kind === 'challenge' ? checkedChallengeText(text, file) : text
}

/** A shipped text or an own one of the class. Throws ExpectedError 'usage' if there is none. */
export async function textNamed(game: GameId, text: NamedText, name: string, data: string): Promise<string> {
  const folders = [shippedTexts(game, text), ownTexts(data, game, text)]
  if (textName.safeParse(name).success) {
    for (const folder of folders) {
      const found = await folder.read(name)
      if (found !== null) return found
    }
  }
  const names = (await Promise.all(folders.map((folder) => folder.names()))).flat().sort()
  const known = names.length === 0 ? 'there is none by name' : `there is ${names.slice(0, 20).join(', ')}`
  throw new ExpectedError(
    'usage',
    'text-unknown',
    `There is no ${text.kind} "${name}": ${known}.${didYouMean(name, names)}`,
  )
}

/** All texts of a kind by name, the shipped ones first. A text that is deleted meanwhile is left out. */
export async function textsByName(
  data: string,
  game: GameId,
  text: NamedText,
): Promise<readonly (readonly [name: string, text: string])[]> {
  const found: [string, string][] = []
  for (const folder of [shippedTexts(game, text), ownTexts(data, game, text)]) {
    for (const name of await folder.names()) {
      const content = await folder.read(name)
      if (content !== null) found.push([name, asText(content)])
    }
  }
  return found
}

/** A folder of texts of one kind, one file per text. */
export interface TextFolder {
  readonly path: string
  /** The file of a text. `name` must be a valid `textName`; other strings could be paths. */
  file(name: string): string
  /** null: there is no text of that name. Throws MachineError if it cannot be read. */
  read(name: string): Promise<string | null>
  /** Sorted; empty if there is no such folder. Throws MachineError if it cannot be read. */
  names(): Promise<readonly string[]>
}

/** The extension of the files of a kind of text, without the dot. */
const endingOf = ({ kind, ending = kind }: NamedText): string => ending

/** The texts that ship with a game. */
export function shippedTexts(game: GameId, text: NamedText): TextFolder {
  return textFolder(join(resources.agents, game, `${text.kind}s`), text)
}

/** The own texts of the class in a data folder. */
export function ownTexts(data: string, game: GameId, text: NamedText): TextFolder {
  return textFolder(join(data, 'texts', game, `${text.kind}s`), text)
}

function textFolder(path: string, text: NamedText): TextFolder {
  const ending = `.${endingOf(text)}`
  const file = (name: string): string => join(path, `${name}${ending}`)
  return {
    path,
    file,
    read: (name) =>
      readFile(file(name), 'utf8').catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return null
        throw machineErrorFrom(error, 'read', file(name))
      }),
    async names() {
      const files = await readdir(path).catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return []
        throw machineErrorFrom(error, 'read', path)
      })
      return files
        .filter((each) => each.endsWith(ending))
        .map((each) => each.slice(0, -ending.length))
        .sort()
    },
  }
}
