import { hash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeSynced } from '../../administrator/classroom/synced-file.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { GameId, Sha256 } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { games } from '../../referees/games.ts'

/** What stands in a contest's config in place of a text that the class keeps: this and its SHA-256. */
export const referencePrefix = 'sha256:'

const textFile = (data: string, text: Sha256): string => join(data, 'texts', text)

/**
 * The config as a contest has it: large texts, as the game names them, by their hashes. `config`: complete. Completing the
 * result again (`withTexts`) gives the same config.
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

/** A text that the class keeps; null: what was given is no hash. Throws ExpectedError 'usage' where it keeps none under it. */
export async function keptText(data: string, text: Sha256 | null): Promise<string> {
  if (text === null) throw new ExpectedError('usage', `Behind "${referencePrefix}" expected 64 lower-case hex digits.`)
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
