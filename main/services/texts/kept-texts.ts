import { hash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeSynced } from '../../administrator/classroom/synced-file.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { NamedText } from '../../contract/game/game.ts'
import type { Sha256 } from '../../contract/ids.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { configTexts, formatTexts, replaceTexts, textsIn, type TextHolder } from './text-fields.ts'

/** The prefix of a reference to a text that the class keeps; its SHA-256 follows. */
export const referencePrefix = 'sha256:'

const textFile = (data: string, text: Sha256): string => join(data, 'texts', text)

/**
 * Replaces the large texts of a complete description with references to their hashes. `withTexts` and `withFormatTexts`
 * insert them again.
 */
export function withReferences<T extends TextHolder>(description: T): T {
  const { game, config, format } = description
  const reference = (text: string, kind: NamedText): string =>
    isLarge(text, kind) ? `${referencePrefix}${hash('sha256', text)}` : text
  return {
    ...description,
    config: replaceTexts(config, configTexts(game), reference),
    format:
      format.type === 'game'
        ? { ...format, settings: replaceTexts(format.settings, formatTexts(game, format), reference) }
        : format,
  }
}

/** Stores the large texts of a complete description. Storing one twice changes nothing. Throws MachineError. */
export async function keepTexts(data: string, { game, config, format }: TextHolder): Promise<void> {
  const ofFormat = format.type === 'game' ? textsIn(format.settings, formatTexts(game, format)) : []
  for (const { kind, text } of [...textsIn(config, configTexts(game)), ...ofFormat]) {
    if (!isLarge(text, kind)) continue
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
  if (text === null)
    throw new ExpectedError('usage', 'input-invalid', `Expected 64 lower-case hex digits after "${referencePrefix}".`)
  const file = textFile(data, text)
  const found = await readFile(file, 'utf8').catch(() => null)
  if (found === null)
    throw new ExpectedError('usage', 'text-unknown', `The class in ${data} keeps no text with the SHA-256 ${text}.`)
  if (hash('sha256', found) !== text)
    throw new ExpectedError('host', 'stored-file-damaged', `${file} was changed after it was stored.`)
  return found
}

/** Names and references have no line breaks. */
const isLarge = (text: string, { byHash }: NamedText): boolean => byHash === true && text.includes('\n')
