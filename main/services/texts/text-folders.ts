import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NamedText } from '../../contract/game.ts'
import type { GameId } from '../../contract/ids.ts'
import { codeOf, machineErrorFrom } from '../../histories/machine-error.ts'
import { resources } from '../machine/resources.ts'

/** A folder of texts of one kind, each in a file that is called by its name. */
export interface TextFolder {
  readonly path: string
  /** The file of a text. `name`: a `textName`; any other would be a path. */
  file(name: string): string
  /** null: there is none of that name. Throws MachineError where it cannot be read. */
  read(name: string): Promise<string | null>
  /** Sorted; none where there is no such folder. Throws MachineError where it cannot be read. */
  names(): Promise<readonly string[]>
}

/** How the files of a kind of text end, without the dot. */
export const endingOf = ({ kind, ending = kind }: NamedText): string => ending

/** Texts that ship with a game. */
export function shippedTexts(game: GameId, text: NamedText): TextFolder {
  return textFolder(join(resources.agents, game, `${text.kind}s`), text)
}

/** Texts that the class in a data folder has of its own. */
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
