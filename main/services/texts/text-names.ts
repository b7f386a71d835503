import { hash } from 'node:crypto'
import type { NamedText } from '../../contract/game/game.ts'
import type { Sha256 } from '../../contract/ids.ts'
import { referencePrefix } from './kept-texts.ts'
import { textsByName } from './named-texts.ts'
import { configTexts, formatTexts, replaceTexts, textsIn, type TextHolder } from './text-fields.ts'

/** The names of texts that a description has by their hashes, by reference; those without a name are not among them. */
export type TextNames = ReadonlyMap<string, string>

/**
 * The names of the texts to which a stored description refers, such as its map: as they ship, or as the class has them now. People
 * know a map by its name, and by no hash.
 */
export async function textNames(data: string, description: TextHolder): Promise<TextNames> {
  const { game, config, format } = description
  const ofFormat = format.type === 'game' ? textsIn(format.settings, formatTexts(game, format)) : []
  const wanted = [...textsIn(config, configTexts(game)), ...ofFormat].filter(({ text }) =>
    text.startsWith(referencePrefix),
  )
  const names = new Map<string, string>()
  const known = new Map<NamedText, ReadonlyMap<Sha256, string>>()
  for (const { kind, text: reference } of wanted) {
    const hashes = known.get(kind) ?? (await hashesOf(data, game, kind))
    known.set(kind, hashes)
    const name = hashes.get(reference.slice(referencePrefix.length))
    if (name !== undefined) names.set(reference, name)
  }
  return names
}

async function hashesOf(...of: Parameters<typeof textsByName>): Promise<ReadonlyMap<Sha256, string>> {
  const found = new Map<Sha256, string>()
  for (const [name, text] of await textsByName(...of)) {
    const sha = hash('sha256', text)
    if (!found.has(sha)) found.set(sha, name)
  }
  return found
}

/** The description with the names of its texts. */
export function withTextNames<T extends TextHolder>(description: T, names: TextNames): T {
  if (names.size === 0) return description
  const { game, config, format } = description
  const nameOf = (text: string): string => names.get(text) ?? text
  return {
    ...description,
    config: replaceTexts(config, configTexts(game), nameOf),
    format:
      format.type === 'game'
        ? { ...format, settings: replaceTexts(format.settings, formatTexts(game, format), nameOf) }
        : format,
  }
}

/** A label with the names of texts in place of references. */
export function namedIn(label: string, names: TextNames): string {
  return label.replaceAll(/sha256:[0-9a-f]{64}/g, (reference) => names.get(reference) ?? 'without a name in this class')
}
