import { targeting, type Encounter, type Targeting } from '../../../administrator/statistics/targeting.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { readMatchFile, stepsOf } from '../../../histories/match-file.ts'
import { bytesSource } from '../../../histories/history-source.ts'
import { verifyMatch } from '../../../histories/verify.ts'
import { encountersOf } from '../../../referees/specker/encounters.ts'
import { input } from '../../../referees/specker/input.ts'
import { specker } from '../../../referees/specker/specker.ts'
import { games } from '../../../referees/games.ts'
import { readHistoryFile } from '../../histories/verify-histories.ts'

/** What the matches of a contest show of who targets whom. */
export interface ExportsTargeting {
  readonly matches: number
  /** The clearest first. */
  readonly agents: readonly Targeting[]
}

/**
 * Reads exported matches of the Specker Challenge Game. Throws ExpectedError 'verdict' where a history does not verify, 'usage' where
 * a file cannot be read or is of another game.
 */
export async function targetingIn(files: readonly string[]): Promise<ExportsTargeting> {
  const encounters: Encounter[] = []
  for (const file of files) encounters.push(...(await encountersIn(file)))
  const agents = targeting(encounters).toSorted((a, b) => a.p - b.p)
  return { matches: files.length, agents }
}

async function encountersIn(file: string): Promise<readonly Encounter[]> {
  const bytes = await readHistoryFile(file)
  const verdict = verifyMatch(bytes, { games: (id) => games.get(id) })
  if (!verdict.ok) throw new ExpectedError('verdict', `${file}:${verdict.line}: ${verdict.message}.`)
  const source = bytesSource(bytes)
  const read = readMatchFile(source)
  if (!read.ok) throw new ExpectedError('verdict', `${file}:${read.line}: ${read.message}.`)
  const { header, config } = read.file
  if (header.game !== specker.id)
    throw new ExpectedError('usage', `${file} is a match of ${header.game}, not of ${specker.id}.`)
  const inputs = [...stepsOf(source, () => undefined)].flatMap((step) =>
    step.type === 'input' ? [input.parse(step.input)] : [],
  )
  const nameOf = (seat: number): string => header.seats[seat]!.name
  return encountersOf(specker.config.parse(config), header.seats.length, inputs).map((each) => {
    return { ...each, agent: nameOf(each.seat), other: nameOf(each.other), match: header.match }
  })
}
