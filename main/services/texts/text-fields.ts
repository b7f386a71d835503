import type { ContestDescription, FormatSettings } from '../../contract/contests/contests.ts'
import type { NamedText } from '../../contract/game/game.ts'
import type { GameId } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import { games } from '../../referees/games.ts'

/** The fields of an object that hold texts of a game, or lists of them, with the kind of text. */
export type TextFields = Readonly<Record<string, NamedText>>

/** The parts of a contest's description that hold texts. */
export type TextHolder = Pick<ContestDescription, 'game' | 'config' | 'format'>

/** The fields of a game's configs that hold texts. */
export const configTexts = (game: GameId): TextFields => games.get(game)?.settings.texts ?? {}

/** The fields of the settings of a game's own format that hold lists of texts. */
export function formatTexts(game: GameId, format: FormatSettings): TextFields {
  const known = games.get(game)
  if (known === undefined || format.type !== 'game') return {}
  const { texts = {} } = known.contests.formats?.find(({ id }) => id === format.name) ?? {}
  return Object.fromEntries(Object.entries(texts).map(([field, ofConfig]) => [field, known.settings.texts[ofConfig]!]))
}

/** Every text in these fields of a value, with its field. */
export function textsIn(value: Json, fields: TextFields): readonly { field: string; kind: NamedText; text: string }[] {
  return Object.entries(fields).flatMap(([field, kind]) =>
    [fieldOf(value, field)].flat().flatMap((text) => (typeof text === 'string' ? [{ field, kind, text }] : [])),
  )
}

/** The value with other texts in these fields. */
export function replaceTexts<T extends Json>(
  value: T,
  fields: TextFields,
  replace: (text: string, kind: NamedText) => string,
): T {
  const changed = Object.entries(fields).flatMap(([field, kind]) => {
    const given = fieldOf(value, field)
    const one = (text: Json): Json => (typeof text === 'string' ? replace(text, kind) : text)
    return given === undefined ? [] : [[field, Array.isArray(given) ? given.map(one) : one(given)] as const]
  })
  return changed.length === 0 ? value : ({ ...(value as object), ...Object.fromEntries(changed) } as unknown as T)
}

function fieldOf(value: Json, field: string): Json | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
  return (value as Readonly<Record<string, Json>>)[field]
}
