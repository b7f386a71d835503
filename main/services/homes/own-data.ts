import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { attemptsBy, usedLateDays } from '../../administrator/people/attempts.ts'
import { auditAbout, auditOf } from '../../administrator/people/audit.ts'
import { withPassword, type Accounts } from '../../administrator/people/accounts.ts'
import { practiceBy } from '../../administrator/people/practice-matches.ts'
import { sessionsOf } from '../../administrator/people/sessions.ts'
import { validCodes } from '../../administrator/people/one-time-codes.ts'
import type { GradebookFile } from '../../contract/grades/gradebook.ts'
import type { Sha256 } from '../../contract/ids.ts'
import { otherKinds, ownKinds, type OwnKind } from '../../contract/people/kept-data.ts'
import type { PersonId } from '../../contract/people/people.ts'
import type { Classroom } from '../../contract/procedures/classroom.ts'
import { pseudonymOf, type KeptCase } from '../cases/kept-case.ts'
import type { DossierStore } from '../evidence/class-dossiers.ts'
import { keptReason } from '../hand-in/reasons.ts'
import { writeZipInTurns } from '../packages/zip.ts'

/** The places where data about people are kept. */
export interface OwnDataPlaces {
  readonly accounts: Accounts
  /** The data folder. */
  readonly folder: string
  readonly cases: { readonly kept: ReadonlyMap<string, KeptCase> }
  readonly dossiers: Pick<DossierStore, 'all'>
  /** null: it cannot be read. */
  readonly gradebook: GradebookFile | null
}

/** Files that a person handed in are in the download, newest first, up to this many bytes together. */
const OWN_FILES_BYTES_MAX = 64 * 1024 * 1024

/** Everything that the class keeps about a person, as a zip: a file of each kind of data, the files that they handed in, and a page that explains them. */
export async function ownDataZip(places: OwnDataPlaces, person: PersonId): Promise<Buffer> {
  const { files, leftOut } = ownFiles(places, person)
  const data = Object.entries(collectors).map(
    ([kind, collect]) =>
      [`${kind}.json`, Buffer.from(`${JSON.stringify(collect(places, person), null, 2)}\n`)] as const,
  )
  const readme = Buffer.from(readmeOf(leftOut))
  return writeZipInTurns(new Map([['README.txt', readme], ...data, ...files]))
}

type Collect = (places: OwnDataPlaces, person: PersonId) => unknown

const moment = (ms: number): string => new Date(ms).toISOString()
const isOwnTeam =
  (person: PersonId) =>
  ({ members, former = [] }: Classroom['teams'][number]): boolean =>
    members.includes(person) || former.includes(person)

/** One for each kind: a kind without a collector does not compile. */
const collectors: Readonly<Record<OwnKind, Collect>> = {
  entry: ({ accounts: { home } }, person) => home.content.people.find(({ id }) => id === person) ?? null,
  account: ({ accounts }, person) => ({
    hasPassword: withPassword(accounts).has(person),
    codeUntil: validCodes(accounts.people, new Date(accounts.now())).get(person)?.toISOString() ?? null,
    sessions: sessionsOf(accounts.people, person, accounts.now()).map(({ kind, made, seen, address, agent }) => ({
      ...{ kind, made: moment(made), seen: moment(seen), address, agent },
    })),
  }),
  teams: ({ accounts: { home } }, person) =>
    home.content.teams.filter(isOwnTeam(person)).map(({ id, name, called, formed, joined, members }) => ({
      ...{ id, name, ...(called === undefined ? {} : { called }) },
      isMember: members.includes(person),
      since: members.includes(person) ? (joined?.[person] ?? formed) : null,
    })),
  handIns: ({ accounts: { home, people } }, person) => ({
    attempts: attemptsBy(people, person).map((each) => ({
      ...each,
      ...{ at: moment(each.at), reason: keptReason(each.reason) },
    })),
    versions: home.content.agents
      .filter(({ handIn }) => handIn?.by === person)
      .map(({ hash, number, manifest: { name, game }, submitted, handIn }) => {
        const { receipt, contest, time, note = '' } = handIn!
        return { name, game, hash, number, submitted, receipt, contest, time, note }
      }),
  }),
  deadlines: ({ accounts: { home, people } }, person) => ({
    extensions: home.content.extensions
      .filter(({ of }) => of.who === 'person' && of.person === person)
      .map(({ by: _, ...each }) => each),
    ofTeams: home.content.extensions
      .filter(
        ({ of }) =>
          of.who === 'team' && home.content.teams.some((team) => team.id === of.team && isOwnTeam(person)(team)),
      )
      .map(({ of, contest, until, at }) => ({ of, contest, until, at })),
    lateDays: usedLateDays(people).filter(({ of }) => of === person),
  }),
  grades: ({ gradebook }, person) => ({
    // A grade by hand is the staff's until it is released.
    released: gradebook?.release?.grades.find((each) => each.person === person) ?? null,
    releasedBefore: (gradebook?.earlier ?? []).flatMap(({ at, grades }) =>
      grades.filter((each) => each.person === person).map((grade) => ({ at, ...grade })),
    ),
    ...(gradebook === null
      ? { missing: 'The gradebook of the class cannot be read at present. Ask your educator.' }
      : {}),
  }),
  practice: ({ accounts: { people } }, person) =>
    practiceBy(people, person).map((each) => ({ ...each, at: moment(each.at) })),
  hearings: ({ cases }, person) =>
    [...cases.kept.values()].flatMap((kept) => {
      const pseudonym = pseudonymOf(kept, person)
      if (pseudonym === null) return []
      const said = kept.entries.filter(({ b }) => b.by === pseudonym)
      return [{ case: kept.id, pseudonym, said: said.map(({ b }) => ({ n: b.n, at: b.at, act: b.act })) }]
    }),
  dossiers: ({ accounts: { home }, dossiers }, person) => {
    const own = new Set(home.content.teams.filter(({ members }) => members.includes(person)).map(({ id }) => id))
    return dossiers
      .all()
      .filter(({ owner }) =>
        owner.who === 'team' ? own.has(owner.team) : owner.who === 'person' && owner.person === person,
      )
  },
  log: ({ accounts: { people } }, person) => ({
    byYou: auditOf(people, person).map((line) => ({ ...line, at: moment(line.at) })),
    // Others stay unnamed.
    aboutYou: auditAbout(people, person).map(({ at, did }) => ({ at: moment(at), did })),
  }),
  networks: ({ accounts: { people } }, person) =>
    people.database
      .prepare('SELECT key, at FROM guess WHERE key GLOB ? OR key = ? ORDER BY at')
      .all(`*:${person} *`, `everywhere:${person}`)
      .map(({ key, at }) => ({
        kind: String(key).split(':', 1)[0],
        network: String(key).split(' ')[1] ?? null,
        at: moment(Number(at)),
      })),
}

/** The files that a person handed in, in a folder of the zip, and the hashes of those left out because the zip is full. */
function ownFiles(
  { accounts: { people }, folder }: OwnDataPlaces,
  person: PersonId,
): { readonly files: readonly (readonly [string, Uint8Array])[]; readonly leftOut: readonly Sha256[] } {
  const files: (readonly [string, Uint8Array])[] = []
  const leftOut: Sha256[] = []
  const seen = new Set<Sha256>()
  let left = OWN_FILES_BYTES_MAX
  for (const { sha256, file } of attemptsBy(people, person).toReversed()) {
    if (seen.has(sha256)) continue
    seen.add(sha256)
    const path = join(folder, 'handed-in', sha256)
    const size = statSync(path, { throwIfNoEntry: false })?.size
    if (size === undefined) continue
    if (size > left) leftOut.push(sha256)
    else files.push([`handed-in/${sha256.slice(0, 12)}-${plainName(file)}`, readFileSync(path)])
    if (size <= left) left -= size
  }
  return { files, leftOut }
}

/** A file's name as every system takes it. */
const plainName = (name: string): string => name.replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, '-').slice(-100)

function readmeOf(leftOut: readonly Sha256[]): string {
  const kinds = Object.entries(ownKinds).map(([kind, { what, why, seen, until }]) =>
    [`${kind}.json`, `  What:   ${what}`, `  Why:    ${why}`, `  Seen:   ${seen}`, `  Until:  ${until}`].join('\n'),
  )
  return [
    'The data that this class keeps about you. Times are UTC. Hashes of passwords and codes stay in the class.',
    ...kinds,
    'handed-in/\n  The files of handIns.json as you sent them, by the beginning of their SHA-256.',
    ...(leftOut.length === 0
      ? []
      : [`Left out, as they are too large together: ${leftOut.join(', ')}. Ask your educator for them.`]),
    `Not here, because the class does not know whose they are: ${otherKinds.map(({ what }) => what).join('; ')}.`,
    '',
  ].join('\n\n')
}
