import { readAgent } from '../../administrator/classroom/agents.ts'
import { readClass, type ClassFolder } from '../../administrator/classroom/classroom.ts'
import { isNameOfEntry } from '../../contract/contests/entries.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { EntrantId, GameId } from '../../contract/ids.ts'
import { didYouMean } from '../../contract/near-miss.ts'
import { readBytes } from '../files/read-file.ts'
import type { PreparedAgent } from '../packages/prepare.ts'
import { ENTRIES_BYTES_MAX, readEntries, type OpenedEntries, type OpenedEntry } from './entries-file.ts'
import { importEntries } from './import-entries.ts'
import { isSchool } from '../../administrator/classroom/schools.ts'

/** An entrant of a contest file that is the entry of another school. */
export interface EnteredEntrant {
  readonly name: EntrantId
  readonly game: GameId
  /** The school from which it was imported, or an entries file. */
  readonly from: { readonly school: string } | { readonly entries: string }
}

/** The agents of entrants that are entries of other schools. Each entries file is read once. */
export interface EnteredAgents {
  /** Throws ExpectedError 'usage' if there is no such entry, or its file is not one of entries. */
  read(entrant: EnteredEntrant): Promise<PreparedAgent>
  /** Imports the entries that were read from files. Throws like `importEntries`. */
  keep(home: ClassFolder): Promise<void>
}

/** `data`: the data folder, of which only the class and its packages are read before `keep`. */
export function openEnteredAgents(data: string): EnteredAgents {
  const files = new Map<string, { readonly opened: OpenedEntries; readonly wanted: Set<OpenedEntry> }>()

  const inFile = async (file: string, { name, game }: EnteredEntrant): Promise<PreparedAgent> => {
    const known = files.get(file)
    const read = known ?? {
      opened: readEntries(file, await readBytes(file, ENTRIES_BYTES_MAX)),
      wanted: new Set<OpenedEntry>(),
    }
    files.set(file, read)
    const { entries } = read.opened
    const found = entries.find(({ entry }) => isNameOfEntry(name, entry.statement))
    if (found === undefined) {
      const names = entries.map(({ entry }) => entry.statement.name)
      throw new ExpectedError(
        'usage',
        'agent-unknown',
        `Entrant "${name}": there is no such entry in ${file}.${didYouMean(name, names)}`,
      )
    }
    checkGame(name, game, found.entry.statement.game)
    read.wanted.add(found)
    return { manifest: found.manifest, agent: found.agent, source: null }
  }

  const imported = async (school: string, { name, game }: EnteredEntrant): Promise<PreparedAgent> => {
    const content = await readClass(data)
    const ofSchool = content.agents.filter(
      ({ entry }) => entry !== undefined && isSchool(school, entry.statement, content),
    )
    if (ofSchool.length === 0)
      throw new ExpectedError(
        'usage',
        'entries-missing',
        `Entrant "${name}": no entries of "${school}" have been imported into ${data}.`,
      )
    const version =
      ofSchool.findLast(({ manifest }) => manifest.name === name) ??
      ofSchool.findLast(({ entry }) => entry !== undefined && isNameOfEntry(name, entry.statement))
    if (version === undefined) {
      const hint = didYouMean(
        name,
        ofSchool.map(({ manifest }) => manifest.name),
      )
      throw new ExpectedError(
        'usage',
        'agent-unknown',
        `Entrant "${name}": there is no such entry of "${school}".${hint}`,
      )
    }
    checkGame(name, game, version.manifest.game)
    return { manifest: version.manifest, agent: await readAgent(data, version.hash), source: null }
  }

  return {
    read: (entrant) =>
      'school' in entrant.from ? imported(entrant.from.school, entrant) : inFile(entrant.from.entries, entrant),
    async keep(home) {
      for (const { opened, wanted } of files.values())
        await importEntries(home, { ...opened, entries: [...wanted] }, { trust: null })
    },
  }
}

function checkGame(name: EntrantId, wanted: GameId, played: GameId): void {
  if (played !== wanted)
    throw new ExpectedError('usage', 'other-game', `Entrant "${name}" plays ${played}, not ${wanted}.`)
}
