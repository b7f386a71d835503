import type { MatchSource } from '../histories/match-source.ts'
import {
  narrowedAgent,
  narrowedAgents,
  narrowedChallenges,
  narrowedComponent,
  narrowedComponents,
  narrowedContest,
  narrowedEvents,
  narrowedOverview,
  narrowedRecurring,
  narrowedRegistration,
  narrowedResult,
  narrowedSettings,
  narrowedSummaries,
  showsChallenge,
} from '../people/narrowed.ts'
import type { Caller } from '../people/caller.ts'
import type { CallerView, ObjectRef } from '../people/objects.ts'
import type { Role } from '../people/people.ts'
import type { TeamId } from '../people/teams.ts'
import type { OutputOf, ParsedInputOf, ProcedureName } from './procedures.ts'
import type { Topics } from './topics.ts'
import type { UploadKind } from './uploads.ts'

/**
 * The objects on which a role may act. `all`: every object of the class. `own`: those of the caller and of their team.
 * `public`: what the class has made public, and what belongs to the caller's team besides.
 */
export type Reach = 'all' | 'own' | 'public'

/** The roles that may call a procedure, and on which objects. For a role that is not named, it does not exist. */
export type Access = Readonly<Partial<Record<Role, Reach>>> & {
  /** True: open to sessions of terminals, too, as far as the role goes. Absent: for a terminal it does not exist, whatever the role. */
  readonly terminal?: true
}

/**
 * A row of the table. The service desk enforces it, and services never ask again. An object that is out of reach is answered like one
 * that does not exist.
 */
export interface Row<I, O> extends Access {
  /** The objects that an input names. Needed wherever a role reaches less than all objects, and for every file. */
  object?(input: I): ObjectRef | readonly ObjectRef[]
  /** The answer for a role that reaches less than all objects. Absent: the answer as it is. */
  leave?(answer: O, view: CallerView, input: I): O
  /** False: the object of this answer is out of reach. Only where the name alone does not tell. */
  shows?(answer: O, view: CallerView): boolean
  /** The handles of files that the answer opens for the caller. */
  opens?(answer: O): readonly string[]
}

const educatorOnly = { educator: 'all' } as const satisfies Access
/** Assistants do what educators do, but for people, keys, deletions and rulings. */
const staff = { educator: 'all', assistant: 'all' } as const satisfies Access
/** A team's own objects are for its members, too. */
const teams = { ...staff, student: 'own' } as const satisfies Access
/** The steps of handing in, all that a program may do with the session of a terminal. */
const handingIn = { ...teams, terminal: true } as const satisfies Access
/** Everything that the class has made public. */
const everybody = { ...staff, student: 'public', guest: 'public' } as const satisfies Access

// Objects that inputs name.
const agent = ({ name }: { readonly name: string }): ObjectRef => ({ agent: name })
const version = ({ name, agent: hash }: { readonly name: string; readonly agent: string }): ObjectRef => ({
  version: { name, agent: hash },
})
const source = ({ name, agent: hash }: { readonly name: string; readonly agent: string }): ObjectRef => ({
  source: { name, agent: hash },
})
const contest = ({ contest: id }: { readonly contest: string }): ObjectRef => ({ contest: id })
const file = ({ file: handle }: { readonly file: string }): ObjectRef => ({ file: handle })
const download = ({ download: handle }: { readonly download: string }): ObjectRef => ({ file: handle })
const component = ({ component: hash }: { readonly component: string }): ObjectRef => ({ component: hash })
const challenge = ({ name }: { readonly name: string }): ObjectRef => ({ challenge: name })
const match = ({ source: from }: { readonly source: MatchSource }): ObjectRef =>
  from.from === 'file' ? { file: from.file } : { contest: from.contest }
/** The team that an input names; none: the caller's own. */
const ofTeam = ({ team }: { readonly team: TeamId | null }): readonly ObjectRef[] => (team === null ? [] : [{ team }])
/** A registration: an agent of the team, unless it is on the team's own machine. */
const registering = (input: {
  readonly contest: string
  readonly team: TeamId | null
  readonly agent: string | null
}): readonly ObjectRef[] => [
  contest(input),
  ...ofTeam(input),
  ...(input.agent === null ? [] : [agent({ name: input.agent })]),
]
/** The contest that an input names; none: it is for no contest. */
const forContest = ({ contest: id }: { readonly contest: string | null }): readonly ObjectRef[] =>
  id === null ? [] : [{ contest: id }]
const opened = ({ file: handle }: { readonly file: string }): readonly string[] => [handle]
const begun = ({ download: handle }: { readonly download: string }): readonly string[] => [handle]

/** Procedures of one's own account. */
const oneself = { educator: 'own', assistant: 'own', student: 'own', guest: 'own' } as const satisfies Access

/** The callers of each procedure: the one table that the dispatcher enforces. A procedure without a row does not compile. */
export const procedureAccess = {
  'class.overview': { ...everybody, leave: narrowedOverview },

  'agents.list': { ...everybody, leave: narrowedAgents },
  'agents.get': { ...teams, object: agent, leave: narrowedAgent },
  // Similarity of code is for those who judge it.
  'agents.similar': staff,
  'agents.similarInClass': staff,
  'agents.similarPairs': staff,
  'agents.faults': { ...teams, object: agent },
  'agents.results': { ...teams, object: agent },
  'agents.trialMatch': { ...teams, object: version, opens: opened },
  'agents.console': { ...teams, object: agent },
  // Students hand in for their teams with procedures of their own: these name agents of other teams with the same bytes.
  'agents.look': { ...staff, object: file },
  'agents.submit': { ...staff, object: file },
  'agents.adopt': staff,
  'agents.rename': staff,
  'agents.remove': educatorOnly,
  'agents.try': staff,
  'agents.practise': staff,
  'agents.stop': staff,

  'sources.list': everybody,
  'sources.get': { ...everybody, object: source },
  'sources.file': { ...everybody, object: source },
  'sources.download': { ...everybody, object: source, opens: begun },

  'components.list': { ...everybody, leave: narrowedComponents },
  'components.get': { ...everybody, object: component, leave: narrowedComponent },
  'components.publish': { ...teams, object: file },
  'components.withdraw': { ...teams, object: component },

  'kits.get': { ...everybody, opens: begun },

  'challenges.list': { ...everybody, leave: narrowedChallenges },
  'challenges.get': { ...everybody, object: challenge, shows: showsChallenge },
  'challenges.save': staff,
  'challenges.delete': educatorOnly,

  'texts.list': everybody,
  'texts.get': everybody,
  'texts.add': staff,
  'texts.delete': educatorOnly,

  // Lists are narrowed before they are paged.
  'contests.list': everybody,
  'contests.result': { ...everybody, object: contest, leave: narrowedResult },
  'contests.get': { ...everybody, object: contest, leave: narrowedContest },
  'contests.standings': { ...everybody, object: contest },
  'contests.breakdowns': { ...everybody, object: contest },
  'contests.parts': { ...everybody, object: contest },
  'contests.entrants': { ...everybody, object: contest },
  'contests.teams': { ...everybody, object: contest },
  'contests.matches': { ...everybody, object: contest },
  'contests.estimate': staff,
  'contests.unfit': staff,
  'contests.try': staff,
  'contests.create': staff,
  'contests.duplicate': staff,
  'contests.rerun': staff,
  'contests.nextPhase': staff,
  'contests.closeEntries': staff,
  'contests.start': staff,
  'contests.credentials': staff,
  'contests.pause': staff,
  'contests.finish': staff,
  'contests.cancel': staff,
  // A decision about an entrant is a ruling.
  'contests.consequences': educatorOnly,
  'contests.decide': educatorOnly,
  'contests.nextRound': educatorOnly,
  'contests.archive': staff,
  'contests.deletion': educatorOnly,
  'contests.delete': educatorOnly,

  'registrations.get': { ...everybody, object: contest, leave: narrowedRegistration },
  'registrations.set': staff,
  'registrations.register': { ...teams, object: registering },
  'registrations.withdraw': { ...teams, object: (input) => [contest(input), ...ofTeam(input)] },
  // For the team alone.
  'registrations.credentials': { student: 'own', object: contest },

  'recurring.list': { ...everybody, leave: narrowedRecurring },
  'recurring.add': staff,
  'recurring.repeat': staff,
  'recurring.edit': staff,
  'recurring.remove': educatorOnly,
  'recurring.run': staff,

  // Entries are signed with keys and come with them.
  'entries.look': { ...educatorOnly, object: file },
  'entries.import': { ...educatorOnly, object: file },
  'entries.export': { ...educatorOnly, opens: begun },

  'teams.mine': { student: 'own' },
  'teams.form': { student: 'own' },
  'teams.invite': { student: 'own' },
  'teams.join': { student: 'own' },
  'teams.leave': { student: 'own' },
  'teams.rename': { student: 'own' },
  'teams.list': staff,
  'teams.change': staff,
  'handIn.submit': { ...handingIn, object: (input) => [...ofTeam(input), ...forContest(input), file(input)] },
  'handIn.look': { ...handingIn, object: (input) => [...ofTeam(input), ...forContest(input), file(input)] },
  'handIn.attempts': { ...handingIn, object: ofTeam },
  'handIn.queue': { ...handingIn, object: ofTeam },
  'handIn.giveBack': staff,
  'handIn.withdraw': { ...teams, object: version },
  'handIn.note': { ...teams, object: version },
  'receipts.list': { ...handingIn, object: ofTeam },
  'receipts.get': { ...handingIn, object: ofTeam },
  'receipts.head': { ...everybody, terminal: true },
  'deadlines.get': { ...everybody, object: contest, terminal: true },
  'deadlines.set': staff,
  'deadlines.extend': staff,
  // Their reasons may be private.
  'deadlines.extensions': staff,

  'matches.get': { ...everybody, object: match },
  'matches.events': { ...everybody, object: match, leave: narrowedEvents },
  'matches.live': { ...everybody, object: contest },
  'matches.outline': { ...everybody, object: match },
  'matches.state': { ...everybody, object: match },
  'matches.otherAnswer': { ...staff, object: match },
  'matches.stopOtherAnswer': staff,

  'play.opponents': staff,
  'play.begin': staff,
  'play.get': staff,
  'play.answer': staff,
  'play.leave': staff,

  'histories.list': everybody,
  'histories.facets': everybody,
  // Verifying replays matches on the cores of contests. Everybody can do it on their own machine with an exported history.
  'histories.expect': { ...staff, opens: opened },
  'histories.verify': { ...staff, object: match },
  'histories.verifyAll': staff,
  'histories.stopAll': staff,
  'histories.stop': { ...staff, object: match },
  'histories.export': { ...everybody, object: contest },
  'histories.archive': { ...staff, opens: begun },
  'histories.unpack': { ...staff, object: file, opens: (answer) => (answer ?? []).flatMap((each) => each.file ?? []) },
  'histories.bringComments': { ...staff, object: file },
  'histories.comments': { ...staff, object: match },
  'histories.comment': { ...staff, object: match },
  'histories.deleteComment': { ...educatorOnly, object: match },
  'histories.look': { ...staff, object: file },
  'histories.compare': { ...staff, object: ({ first, second }) => [{ file: first }, { file: second }] },
  'histories.verifyFiles': { ...staff, object: ({ files }) => files.map((each) => ({ file: each })) },

  // For whoever began the download, whatever its file is.
  'downloads.piece': { ...everybody, object: download },
  'downloads.drop': { ...everybody, object: download },

  'arena.hosts': staff,
  // It admits somebody as the person at this machine.
  'screens.invite': educatorOnly,
  'network.state': educatorOnly,
  'network.interfaces': educatorOnly,
  'network.open': educatorOnly,
  'network.close': educatorOnly,

  'settings.get': { ...everybody, leave: narrowedSettings },
  'settings.set': {
    ...{ educator: 'all', assistant: 'public' },
    object: (change) => Object.keys(change).map((setting) => ({ setting })),
  },
  'settings.backup': educatorOnly,
  'isolation.tiers': staff,
  'doctor.run': staff,
  'doctor.stop': staff,

  'me.get': { ...oneself, terminal: true },
  'me.password': oneself,
  'me.sessions': oneself,
  'me.endOthers': oneself,
  'me.download': oneself,
  'me.device': oneself,
  'me.confirmDevice': oneself,

  'people.list': staff,
  'people.preview': educatorOnly,
  'people.import': educatorOnly,
  'people.change': educatorOnly,
  'people.remove': educatorOnly,
  'people.code': staff,
  'people.slips': educatorOnly,
  'people.admit': staff,
  'people.joining': educatorOnly,

  'guests.get': educatorOnly,
  'guests.admit': educatorOnly,
  'guests.end': educatorOnly,

  'audit.list': educatorOnly,
} as const satisfies { readonly [N in ProcedureName]: Row<ParsedInputOf<N>, OutputOf<N>> }

/** A row about a topic. The objects are those that the rest of its name tells, after the colon. */
type TopicRow<T> = Row<string, T>

/** The subscribers of each topic, by the first part of its name. */
export const topicAccess = {
  status: { ...everybody, leave: narrowedSummaries },
  contest: { ...everybody, object: (id) => ({ contest: id }), leave: narrowedContest },
  agents: everybody,
  people: staff,
  recurring: everybody,
  settings: { ...everybody, leave: narrowedSettings },
  network: educatorOnly,
  examination: staff,
  play: staff,
  live: { ...everybody, object: (name) => ({ contest: name.split('/', 1).join('') }) },
  verification: {
    ...staff,
    object: (name) => (name.includes('/') ? { contest: name.split('/', 1).join('') } : { file: name }),
  },
  verifications: staff,
  otherAnswer: staff,
} as const satisfies { readonly [T in keyof Topics]: TopicRow<Topics[T]> }

/** The senders of each kind of upload. The file is then usable by them alone. */
export const uploadAccess = {
  histories: staff,
  packages: handingIn,
} as const satisfies Record<UploadKind, Access>

/** The objects of a row that a caller reaches; undefined: for them there is no such thing. */
export function reachOf(access: Access, { role, isTerminal }: Pick<Caller, 'role' | 'isTerminal'>): Reach | undefined {
  return role === null || (isTerminal && access.terminal !== true) ? undefined : access[role]
}

/** True if a role may call a procedure at all, in the window. */
export function mayCall(role: Role | null, name: ProcedureName): boolean {
  return role !== null && (procedureAccess[name] as Access)[role] !== undefined
}
