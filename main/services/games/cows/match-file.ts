import { dirname } from 'node:path'
import * as z from 'zod'
import { complaintLine, parsePlainly } from '../../../contract/complaints.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { Json } from '../../../contract/json.ts'
import { mapOf, type Config } from '../../../referees/cows/config.ts'
import { mapText } from '../../../referees/cows/maps/map-file.ts'
import { readServerConfig, type Account, type ServerConfig } from '../../../referees/cows/maps/server-config.ts'
import { completeSettings } from '../../contests/descriptions/contest-file.ts'
import { readTextFile } from '../../files/read-file.ts'
import { textsOf } from '../../texts/named-texts.ts'

/** A match between two teams whose clients connect: several simulations, from one to the next with corrals swapped. */
export interface MatchFile {
  /** The port that the file names; null: none. */
  readonly port: number | null
  /** ms that a client has for an answer. */
  readonly timeoutMs: number
  /** The first one has the first corral in the first simulation. */
  readonly teams: readonly [Team, Team]
  readonly simulations: readonly { readonly name: string; readonly config: Config }[]
}

export interface Team {
  readonly name: string
  /** One for each herder. */
  readonly users: readonly User[]
}
export type User = Pick<Account, 'username' | 'password'>

const word = z.string().min(1).max(200)
const team = z.strictObject({
  name: word,
  users: z.array(z.strictObject({ username: word, password: z.string().max(200) })).min(1),
})
/** A match in our own JSON. `simulations`: settings of the game; `map`: a name, a file beside this one, or a map itself. */
const ownFile = z.strictObject({
  port: z.int().min(0).max(65_535).nullable().default(null),
  timeoutMs: z.int().min(1).max(600_000).default(4_000),
  teams: z.tuple([team, team]),
  simulations: z
    .array(z.looseObject({ name: word.optional(), map: z.union([z.string(), z.record(z.string(), z.json())]) }))
    .min(1)
    .max(25),
})

/**
 * Reads the description of a match: the organisers' configuration of 2008 (XML), or JSON. `profile`: replaces that of the file.
 * `data`: the data folder of the class whose maps may be named. Throws ExpectedError 'usage'.
 */
export async function readMatchFile(
  file: string,
  { profile, data }: { readonly profile?: Config['profile'] | undefined; readonly data: string },
): Promise<MatchFile> {
  const text = await readTextFile(file)
  const written = text.trimStart().startsWith('<') ? ofServer(text, file) : ofOwn(text, file)
  const simulations = []
  for (const { name, settings } of written.simulations) {
    const where = `${file}: simulation "${name}"`
    const given = { ...settings, ...(profile === undefined ? {} : { profile }) }
    const config = (await completeSettings('cows', given, dirname(file), where, textsOf(data))) as Config
    simulations.push({ name, config })
  }
  const match: MatchFile = { ...written, simulations }
  checkUsers(match, file)
  return match
}

type Written = Omit<MatchFile, 'simulations'> & {
  readonly simulations: readonly { readonly name: string; readonly settings: Readonly<Record<string, Json>> }[]
}

function ofServer(text: string, file: string): Written {
  const read = readServerConfig(text)
  if (typeof read === 'string') throw new ExpectedError('usage', 'file-invalid', `${file}: ${read}`)
  return {
    port: read.port,
    timeoutMs: read.timeoutMs ?? 4_000,
    teams: teamsOf(read, file),
    simulations: read.simulations.map(({ name, map, settings }) => ({
      name,
      settings: { ...settings, map: mapText(map) },
    })),
  }
}

/** The organisers' server gave the first corral to the team whose accounts come last. */
function teamsOf({ accounts }: ServerConfig, file: string): MatchFile['teams'] {
  const names = [...new Set(accounts.map(({ team: name }) => name))].reverse()
  const [first, second] = names.map((name) => ({
    name,
    users: accounts.flatMap(({ team: other, username, password }) => (other === name ? [{ username, password }] : [])),
  }))
  if (first !== undefined && second !== undefined && names.length === 2) return [first, second]
  throw new ExpectedError(
    'usage',
    'file-invalid',
    `${file}: The accounts are those of ${names.length} teams; there must be two.`,
  )
}

function ofOwn(text: string, file: string): Written {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ExpectedError(
      'usage',
      'file-invalid',
      `${file} is neither XML nor JSON: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  const parsed = parsePlainly(ownFile, value)
  if (!parsed.ok) throw new ExpectedError('usage', 'file-invalid', `${file}: ${complaintLine(parsed.complaint)}`)
  const { simulations, ...match } = parsed.value
  return {
    ...match,
    simulations: simulations.map(({ name, map, ...settings }, at) => ({
      name: name ?? String(at),
      // Settings come from JSON text.
      settings: {
        ...(settings as Record<string, Json>),
        map: typeof map === 'string' ? map : `${JSON.stringify(map)}\n`,
      },
    })),
  }
}

/** Every herder of every simulation needs a user, and no two users may have one name. */
function checkUsers({ teams, simulations }: MatchFile, file: string): void {
  for (const { name, config } of simulations) {
    const { length } = mapOf(config).herders[0]
    const lacking = teams.find(({ users }) => users.length !== length)
    if (lacking !== undefined)
      throw new ExpectedError(
        'usage',
        'file-invalid',
        `${file}: Team "${lacking.name}" has ${lacking.users.length} users; simulation "${name}" has ${length} herders in a team.`,
      )
  }
  const seen = new Set<string>()
  for (const { username } of teams.flatMap(({ users }) => users)) {
    if (seen.has(username))
      throw new ExpectedError('usage', 'file-invalid', `${file}: Two users are called "${username}".`)
    seen.add(username)
  }
  if (teams[0].name === teams[1].name)
    throw new ExpectedError('usage', 'file-invalid', `${file}: Both teams are called "${teams[0].name}".`)
}
