import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NamedText } from '../../contract/game/game.ts'
import type { GameId } from '../../contract/ids.ts'
import { codeOf, machineErrorFrom } from '../../histories/machine-error.ts'
import { resources } from '../machine/resources.ts'

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
export const endingOf = ({ kind, ending = kind }: NamedText): string => ending

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
