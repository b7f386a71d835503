import type { MessageModel } from '../../../contract/game/message-model.ts'

/**
 * Writes the types of a game's messages in a language, with functions that make them of JSON and JSON of them: texts by their
 * paths in the kit.
 */
export type Emitter = (model: MessageModel) => ReadonlyMap<string, string>

/** The first line of such a file, in the language's comments. */
export const madeFrom = ({ title }: MessageModel): string =>
  `Types of the messages of ${title}, made by "tartaglia kit" from the game's own schemas. "tartaglia update" replaces this file.`

/** `max_rounds`, `cop-foot` → `MaxRounds`, `CopFoot`. */
export const pascal = (name: string): string =>
  name
    .split(/[-_ ]/)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('')

/** `max_rounds` → `maxRounds`. */
export const camel = (name: string): string => {
  const upper = pascal(name)
  return `${upper.charAt(0).toLowerCase()}${upper.slice(1)}`
}
