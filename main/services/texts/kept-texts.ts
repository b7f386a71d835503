import { hash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeSynced } from '../../administrator/classroom/synced-file.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { GameId, Sha256 } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { games } from '../../referees/games.ts'

/** The prefix of a reference to a text that the class keeps; its SHA-256 follows. */
export const referencePrefix = 'sha256:'

const textFile = (data: string, text: Sha256): string => join(data, 'texts', text)

/**
 * Replaces the large texts of a complete config with references to their hashes. `withTexts` gives the same config
 * again.
 */
export function withReferences<T extends Json>(game: GameId, config: T): T {
  const texts = largeTexts(game, config)
  if (texts.length === 0) return config
  const references = texts.map(([field, text]) => [field, `${referencePrefix}${hash('sha256', text)}`])
  return { ...(config as object), ...Object.fromEntries(references) } as T
}

/** Stores the large texts of a complete config. Storing one twice changes nothing. Throws MachineError. */
export async function keepTexts(data: string, game: GameId, config: Json): Promise<void> {
  for (const [, text] of largeTexts(game, config)) {
    const file = textFile(data, hash('sha256', text))
    if ((await readFile(file, 'utf8').catch(() => null)) === text) continue
    try {
      await mkdir(join(data, 'texts'), { recursive: true, mode: 0o700 })
      await writeSynced(file, text)
    } catch (error) {
      throw machineErrorFrom(error, 'store a text in', join(data, 'texts'))
    }
  }
}

/**
 * A text that the class keeps. null: the reference is not a valid hash. Throws ExpectedError 'usage' if the reference
 * is not valid or the class has no such text.
 */
export async function keptText(data: string, text: Sha256 | null): Promise<string> {
  if (text === null) throw new ExpectedError('usage', `Expected 64 lower-case hex digits after "${referencePrefix}".`)
  const file = textFile(data, text)
  const found = await readFile(file, 'utf8').catch(() => null)
  if (found === null) throw new ExpectedError('usage', `The class in ${data} keeps no text with the SHA-256 ${text}.`)
  if (hash('sha256', found) !== text) throw new ExpectedError('host', `${file} was changed after it was stored.`)
  return found
}

function largeTexts(game: GameId, config: Json): readonly (readonly [field: string, text: string])[] {
  if (config === null || typeof config !== 'object' || Array.isArray(config)) return []
  return Object.entries(games.get(game)?.texts ?? {}).flatMap(([field, { byHash }]) => {
    const text = (config as Readonly<Record<string, Json>>)[field]
    return byHash === true && typeof text === 'string' && text.includes('\n') ? [[field, text] as const] : []
  })
}
