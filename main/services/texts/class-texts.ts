import { mkdir, rm, stat } from 'node:fs/promises'
import * as z from 'zod'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { writeSynced } from '../../administrator/classroom/synced-file.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { NamedText } from '../../contract/game/game.ts'
import type { GameId } from '../../contract/ids.ts'
import type { TextField, TextSummary } from '../../contract/procedures/class-texts.ts'
import { syncFolder } from '../../histories/durable.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { games } from '../../referees/games.ts'
import { readText, readingJob } from '../machine/reading.ts'
import { textNamed, ownTexts, shippedTexts, type TextFolder } from './named-texts.ts'

/** The maximum number of a class's own texts of one kind. */
const MOST = 1_000

/**
 * The texts that a game's configs give by name, such as maps: shipped ones and the class's own. Challenges are texts
 * too, with more procedures (class-challenges.ts). Every call throws ExpectedError 'usage' if the game or such a field
 * of its config does not exist.
 */
export interface ClassTexts {
  /** Shipped ones first, then own ones, each sorted by name. */
  list(field: TextField): Promise<readonly TextSummary[]>
  /** Throws ExpectedError 'usage' if there is no text of that name. */
  get(field: TextField, name: string): Promise<string>
  /**
   * Stores an own text. Throws ExpectedError 'usage' if the name is taken or the game finds an error in the text;
   * MachineError if it cannot be written.
   */
  add(field: TextField, name: string, text: string): Promise<TextSummary>
  /** Contests that use it keep it. Throws ExpectedError 'usage' if it is not an own text. */
  delete(field: TextField, name: string): Promise<void>
}

export function openTexts(home: ClassFolder): ClassTexts {
  const folders = ({ game, field }: TextField): { kind: NamedText; shipped: TextFolder; own: TextFolder } => {
    const kind = kindOf(game, field)
    return { kind, shipped: shippedTexts(game, kind), own: ownTexts(home.folder, game, kind) }
  }

  return {
    async list(field) {
      const { shipped, own } = folders(field)
      const builtIn = await shipped.names()
      const others = (await own.names()).filter((name) => !builtIn.includes(name))
      const all = await Promise.all([
        ...builtIn.map((name) => summary(shipped, name, false)),
        ...others.map((name) => summary(own, name, true)),
      ])
      // A text may have been deleted meanwhile.
      return all.filter((one) => one !== null)
    },

    get: async (field, name) => textNamed(field.game, kindOf(field.game, field.field), name, home.folder),

    async add(field, name, text) {
      const { kind, shipped, own } = folders(field)
      // Before its turn, because reading may take long.
      const wrong = kind.problem === undefined ? null : await readText(textProblemJob, { ...field, text })
      return home.inTurn(async () => {
        const [builtIn, there] = [await shipped.names(), await own.names()]
        if (builtIn.includes(name))
          throw new ExpectedError('usage', 'built-in', `"${name}" is a built-in ${kind.kind}; choose another name.`)
        if (there.includes(name))
          throw new ExpectedError('usage', 'name-taken', `This class already has a ${kind.kind} "${name}".`)
        if (there.length >= MOST)
          throw new ExpectedError(
            'usage',
            'limit-reached',
            `A class has at most ${MOST} ${kind.kind}s of its own; delete one first.`,
          )
        if (wrong !== null) throw new ExpectedError('usage', 'file-invalid', `This is not a ${kind.kind}: ${wrong}`)
        try {
          await mkdir(own.path, { recursive: true, mode: 0o700 })
          await writeSynced(own.file(name), text)
        } catch (error) {
          throw machineErrorFrom(error, 'write', own.file(name))
        }
        return { name, own: true, bytes: Buffer.byteLength(text) }
      })
    },

    delete: (field, name) =>
      home.inTurn(async () => {
        const { kind, own } = folders(field)
        if (!(await own.names()).includes(name))
          throw new ExpectedError('usage', 'text-unknown', `The class has no ${kind.kind} "${name}" of its own.`)
        try {
          await rm(own.file(name))
          syncFolder(own.path)
        } catch (error) {
          throw machineErrorFrom(error, 'delete', own.file(name))
        }
      }),
  }
}

/** Why a text is not one of its kind, as the end of a sentence; null: it is one. */
export const textProblemJob = readingJob<TextField & { readonly text: string }, string | null>({
  name: 'text',
  what: 'a text',
  result: z.string().nullable(),
  read: ({ game, field, text }) => kindOf(game, field).problem?.(text) ?? null,
})

function kindOf(game: GameId, field: string): NamedText {
  const found = games.get(game)
  if (found === undefined) throw new ExpectedError('usage', 'game-unknown', `There is no game "${game}".`)
  const { texts } = found.settings
  const kind = Object.hasOwn(texts, field) ? texts[field] : undefined
  if (kind === undefined || kind.kind === 'challenge')
    throw new ExpectedError(
      'usage',
      'text-unknown',
      `The settings of ${found.title} have no texts "${field}" to choose from.`,
    )
  return kind
}

async function summary(folder: TextFolder, name: string, own: boolean): Promise<TextSummary | null> {
  const found = await stat(folder.file(name)).catch(() => null)
  return found === null ? null : { name, own, bytes: found.size }
}
