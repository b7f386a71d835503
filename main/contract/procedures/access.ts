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
import type { CallerView, ObjectRef } from '../people/objects.ts'
import type { Role } from '../people/people.ts'
import type { TeamId } from '../people/teams.ts'
import type { Json } from '../json.ts'
import type { Caller } from '../people/caller.ts'
import type { OutputOf, ParsedInputOf, ProcedureName } from './procedures.ts'
import type { ChangingProcedure } from './read-only.ts'
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
  /** Open to students only while the class lets them play by hand. Absent: always. */
  readonly studentsIf?: 'playByHand'
  /** True: open to the person at this machine alone. Absent: to everybody with the role. */
  readonly onlyHere?: true
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
  /** The value with the new texts of the input that become public: none may name somebody who appears under a pseudonym. Absent: the input has none. */
  publishes?(input: I): unknown
  /** The handles of files that the answer opens for the caller. */
  opens?(answer: O): readonly string[]
  /** The audit log's line about a call that succeeded. Needed for every procedure that changes something. */
  readonly audited?: Audited<I, O>
}

/**
 * The object of a line in the audit log: members of the input, or a function of input and answer. `itself`: the service writes the
 * line, since commands do the same without the desk. false: no line, as the class stays as it is. Passwords, codes and private reasons
 * are never part of it.
 */
export type Audited<I, O> =
  readonly (keyof I & string)[] | ((input: I, answer: O, caller: Caller) => Json) | 'itself' | false

type AuditedRow<I, O> = Row<I, O> & { readonly audited: Audited<I, O> }

const educatorOnly = { educator: 'all' } as const satisfies Access
/** Concerns more than this class: other folders of the machine, and the keys. */
const onlyHere = { educator: 'all', onlyHere: true } as const satisfies Access
/** Assistants do what educators do, except for people, keys, deletions and rulings. */
const staff = { educator: 'all', assistant: 'all' } as const satisfies Access
/** A team's own objects are for its members, too. */
const teams = { ...staff, student: 'own' } as const satisfies Access
/** Playing by hand: students, if the class lets them, against agents that ship and those of their team. */
const playing = { ...teams, studentsIf: 'playByHand' } as const satisfies Access
/** The steps of handing in, all that a program may do with the session of a terminal. */
const handingIn = { ...teams, terminal: true } as const satisfies Access
/** Everything that the class has made public. */
const everybody = { ...staff, student: 'public', guest: 'public' } as const satisfies Access

/** Everything that is public in the class, but not to guests. */
const classOnly = { ...staff, student: 'public' } as const satisfies Access

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
const dossier = ({ dossier: id }: { readonly dossier: string }): ObjectRef => ({ dossier: id })
const opened = ({ file: handle }: { readonly file: string }): readonly string[] => [handle]
const begun = ({ download: handle }: { readonly download: string }): readonly string[] => [handle]

// Objects of lines in the audit log.
const successor = (
  { contest: of }: { readonly contest: string },
  { contest: id }: { readonly contest: string },
): Json => ({ contest: id, of })
/** The members of a change that it names. */
const shownChange = (change: Readonly<Record<string, Json | undefined>>): Readonly<Record<string, Json>> =>
  Object.fromEntries(Object.entries(change).map(([name, value]) => [name, value ?? null]))
const formed = (_: unknown, { id, name }: { readonly id: TeamId; readonly name: string }): Json => ({ team: id, name })

/** Procedures of one's own account. */
const oneself = { educator: 'own', assistant: 'own', student: 'own', guest: 'own' } as const satisfies Access

/** Dossiers are for their owners alone, whatever their role, and for those with whom they are shared. */
const owners = { educator: 'own', assistant: 'own', student: 'own' } as const satisfies Access
const readers = { educator: 'public', assistant: 'public', student: 'public' } as const satisfies Access

/** The callers of each procedure: the one table that the dispatcher enforces. A procedure without a row does not compile. */
export const procedureAccess = {
  'class.overview': { ...everybody, leave: narrowedOverview },

  'agents.list': { ...everybody, leave: narrowedAgents },
  'agents.get': { ...teams, object: agent, leave: narrowedAgent },
  // Similarity of code is for those who judge it.
  'agents.similar': staff,
  'agents.similarInClass': staff,
  'agents.similarPairs': staff,
  'agents.compareCode': staff,
  'agents.faults': { ...teams, object: agent },
  'agents.results': { ...teams, object: agent },
  'agents.trialMatch': { ...teams, object: version, opens: opened },
  'agents.console': { ...teams, object: agent },
  // Students hand in for their teams with procedures of their own: these name agents of other teams with the same bytes.
  'agents.look': { ...staff, object: file, audited: false },
  'agents.submit': {
    publishes: ({ belonging, becomes }) => [belonging, becomes],
    ...staff,
    object: file,
    audited: ({ game }, { name, versions }) => ({ agent: name, game, version: versions[0]?.agent ?? null }),
  },
  'agents.adopt': { ...staff, audited: ({ game }, names) => ({ game, agents: names }) },
  'agents.rename': { publishes: ({ to }) => to, ...staff, audited: ['name', 'to'] },
  'agents.remove': { ...educatorOnly, audited: ['name'] },
  'agents.try': { ...staff, audited: ['name'] },
  'agents.practise': { ...staff, audited: ({ name }, { contest: id }) => ({ agent: name, contest: id }) },
  'agents.stop': { ...staff, audited: ['name'] },

  'sources.list': everybody,
  'sources.get': { ...everybody, object: source },
  'sources.file': { ...everybody, object: source },
  'sources.download': { ...everybody, object: source, opens: begun },

  'components.list': { ...everybody, leave: narrowedComponents },
  'components.get': { ...everybody, object: component, leave: narrowedComponent },
  'components.publish': {
    publishes: ({ name, author, description }) => [name, author, description],
    ...teams,
    object: file,
    audited: ({ name }, { hash }) => ({ name, component: hash }),
  },
  'components.withdraw': { ...teams, object: component, audited: ['component', 'isWithdrawn'] },

  'kits.get': { ...everybody, opens: begun },
  'kits.matches': onlyHere,
  'kits.match': { ...onlyHere, opens: opened },
  'kits.saveCase': { ...onlyHere, object: match, audited: false },

  'challenges.list': { ...everybody, leave: narrowedChallenges },
  'challenges.get': { ...everybody, object: challenge, shows: showsChallenge },
  'challenges.save': { publishes: ({ name, source }) => [name, source], ...staff, audited: ['name'] },
  'challenges.delete': { ...educatorOnly, audited: ['name'] },

  'texts.list': everybody,
  'texts.get': everybody,
  'texts.add': { publishes: ({ name, text }) => [name, text], ...staff, audited: ['game', 'field', 'name'] },
  'texts.delete': { ...educatorOnly, audited: ['game', 'field', 'name'] },

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
  'contests.try': { ...staff, audited: false },
  'contests.create': {
    publishes: ({ draft }) => draft,
    ...staff,
    audited: ({ draft: { title, game } }, { contest: id }) => ({ contest: id, title, game }),
  },
  'contests.duplicate': { ...staff, audited: successor },
  'contests.rerun': { ...staff, audited: successor },
  'contests.nextPhase': { ...staff, audited: successor },
  'contests.closeEntries': { ...staff, audited: ['contest'] },
  'contests.start': { ...staff, audited: ['contest'] },
  'contests.credentials': { ...staff, audited: ['contest'] },
  'contests.pause': { ...staff, audited: ['contest'] },
  'contests.finish': { ...staff, audited: ['contest'] },
  'contests.cancel': { ...staff, audited: ['contest'] },
  // A decision about an entrant is a ruling.
  'contests.consequences': educatorOnly,
  'contests.decide': { publishes: ({ wish }) => wish, ...educatorOnly, audited: ['contest', 'wish'] },
  'contests.nextRound': { ...educatorOnly, audited: false },
  'contests.archive': { ...staff, audited: ['contest', 'archived'] },
  'contests.deletion': educatorOnly,
  'contests.delete': { ...educatorOnly, audited: ['contest'] },

  'registrations.get': { ...everybody, object: contest, leave: narrowedRegistration },
  'registrations.set': { ...staff, audited: ['contest'] },
  'registrations.register': { ...teams, object: registering, audited: ['contest', 'team', 'agent'] },
  'registrations.withdraw': {
    ...teams,
    object: (input) => [contest(input), ...ofTeam(input)],
    audited: ['contest', 'team', 'entrant'],
  },
  // For the team alone.
  'registrations.credentials': { student: 'own', object: contest, audited: ['contest'] },

  'recurring.list': { ...everybody, leave: narrowedRecurring },
  'recurring.add': {
    publishes: ({ draft }) => draft,
    ...staff,
    audited: ({ draft: { title } }, { recurring }) => ({ recurring, title }),
  },
  'recurring.repeat': {
    publishes: ({ title }) => title,
    ...staff,
    audited: ({ contest: of, title }, { recurring }) => ({ of, recurring, title }),
  },
  'recurring.edit': { publishes: ({ title }) => title, ...staff, audited: ['recurring', 'title', 'paused'] },
  'recurring.remove': { ...educatorOnly, audited: ['recurring'] },
  'recurring.run': { ...staff, audited: ({ recurring }, { contest: id }) => ({ recurring, contest: id }) },

  // Entries are signed with keys and come with them.
  'entries.look': { ...educatorOnly, object: file, audited: false },
  'entries.import': {
    ...educatorOnly,
    object: file,
    audited: ({ trust }, { school, entries }) => ({ school: school.name, trust, entries: entries.length }),
  },
  'entries.export': { ...educatorOnly, opens: begun, audited: ['school', 'agents', 'showSource'] },

  'teams.mine': { student: 'own' },
  'teams.form': { student: 'own', audited: formed },
  'teams.invite': { student: 'own', audited: (_, __, { team }) => ({ team }) },
  'teams.join': { student: 'own', audited: formed },
  'teams.leave': { student: 'own', audited: (_, __, { team }) => ({ team }) },
  'teams.rename': { student: 'own', audited: formed },
  'teams.list': staff,
  'teams.change': { ...staff, audited: ({ members }, { id, name }) => ({ team: id, name, members }) },
  // About the caller's own team.
  'student.home': { student: 'own' },
  'student.news': { student: 'own' },
  'student.losses': { student: 'own' },
  'practice.get': { ...teams, object: ofTeam },
  'practice.begin': {
    ...{ student: 'own', object: version },
    audited: ({ name }, { match: id }) => ({ agent: name, match: id }),
  },
  'practice.match': { ...teams, object: ofTeam, opens: opened },
  // Its note is for the team and staff.
  'handIn.submit': {
    publishes: ({ agent }) => agent,
    ...handingIn,
    object: (input) => [...ofTeam(input), ...forContest(input), file(input)],
    audited: ({ contest: id }, { agent: name, receipt }) => ({
      team: receipt.team,
      agent: name,
      contest: id,
      receipt: receipt.n,
    }),
  },
  'handIn.look': {
    ...handingIn,
    object: (input) => [...ofTeam(input), ...forContest(input), file(input)],
    audited: false,
  },
  'handIn.attempts': { ...handingIn, object: ofTeam },
  'handIn.queue': { ...handingIn, object: ofTeam },
  'handIn.giveBack': { ...staff, audited: ['attempt'] },
  'handIn.withdraw': { ...teams, object: version, audited: ['name', 'agent'] },
  'handIn.note': { ...teams, object: version, audited: ['name', 'agent'] },
  // The reason is for the team.
  'handIn.pause': {
    ...staff,
    audited: ({ name, agent: hash, reason }) => ({ name, agent: hash, isPaused: reason !== null }),
  },
  'handIn.rules': everybody,
  'handIn.setRules': {
    ...staff,
    audited: (change) => shownChange(change),
  },
  'receipts.list': { ...handingIn, object: ofTeam },
  'receipts.get': { ...handingIn, object: ofTeam },
  'receipts.head': { ...everybody, terminal: true },
  'deadlines.get': { ...everybody, object: contest, terminal: true },
  'deadlines.set': {
    ...staff,
    audited: ({ rules = {}, ...set }) => ({ ...set, ...shownChange(rules) }),
  },
  'deadlines.extend': { ...staff, audited: ['of', 'contest', 'until'] },
  // Their reasons may be private.
  'deadlines.extensions': staff,

  // All of the class see the hearings; the rules of a case say whose turn it is.
  'cases.list': classOnly,
  'cases.get': classOnly,
  'cases.tokens': { educator: 'all', student: 'own' },
  'cases.precedents': classOnly,
  'cases.file': {
    publishes: ({ evidence, text }) => [evidence, text],
    ...{ educator: 'all', student: 'public', object: contest },
    audited: ({ contest: id }, { case: made }) => ({ contest: id, case: made }),
  },
  // The words of a step are in the record. The number of its entry would tell who is behind a pseudonym.
  'cases.act': {
    publishes: ({ act }) => act,
    ...classOnly,
    audited: ({ case: id, act }) => ({ case: id, did: act.do }),
  },
  'cases.open': { ...staff, object: file },
  'cases.export': classOnly,

  // The contests in it have ended, so that all of the class see them.
  'grades.term': classOnly,
  // Grades of all students; assistants look only.
  'grades.book': staff,
  'grades.preview': staff,
  'grades.setScheme': { ...educatorOnly, audited: (_, { version }) => ({ version }) },
  // Its reason may be private.
  'grades.setManual': { ...educatorOnly, audited: ({ person }, { version }) => ({ person, version }) },
  'grades.release': { ...educatorOnly, audited: (_, { version }) => ({ version }) },
  'grades.fill': educatorOnly,
  'grades.mine': { student: 'own' },

  'matches.get': { ...everybody, object: match },
  'matches.events': { ...everybody, object: match, leave: narrowedEvents },
  'matches.live': { ...everybody, object: contest },
  'matches.outline': { ...everybody, object: match },
  'matches.state': { ...everybody, object: match },
  'matches.otherAnswer': { ...staff, object: match },
  'matches.stopOtherAnswer': staff,

  // A student is offered no other agents than they may choose.
  'play.opponents': playing,
  'play.begin': {
    publishes: ({ config, seed }) => [config, seed],
    ...playing,
    audited: ({ game }, { contest: id }) => ({ game, contest: id }),
  },
  'play.get': { ...playing, object: contest },
  'play.answer': { ...playing, object: contest, audited: false },
  'play.leave': { ...playing, object: contest, audited: ['contest'] },

  'histories.list': everybody,
  'histories.facets': everybody,
  // Verifying replays matches on the cores of contests. Everybody can do it on their own machine with an exported history.
  'histories.expect': { ...staff, opens: opened },
  'histories.verify': { ...staff, object: match },
  'histories.verifyAll': staff,
  'histories.stopAll': staff,
  'histories.stop': { ...staff, object: match },
  'histories.export': { ...everybody, object: contest },
  'histories.replay': { ...everybody, object: contest },
  'histories.archive': { ...staff, opens: begun },
  'histories.unpack': { ...staff, object: file, opens: (answer) => (answer ?? []).flatMap((each) => each.file ?? []) },
  'histories.bringComments': { ...staff, object: file },
  'histories.comments': { ...staff, object: match },
  'histories.comment': { publishes: ({ comment }) => comment, ...staff, object: match, audited: ['source'] },
  'histories.deleteComment': { ...educatorOnly, object: match, audited: ['source', 'id'] },
  'histories.look': { ...staff, object: file },
  'histories.compare': { ...staff, object: ({ first, second }) => [{ file: first }, { file: second }] },
  'histories.verifyFiles': { ...staff, object: ({ files }) => files.map((each) => ({ file: each })) },

  // The tables have what is public in histories; output is searched in the caller's own agents.
  'mining.questions': everybody,
  'mining.tables': everybody,
  'mining.ask': { ...everybody, object: contest },
  'mining.compare': everybody,
  'mining.query': { ...everybody, object: contest },
  'mining.search': { ...everybody, object: contest },
  'mining.download': { ...everybody, object: contest, opens: begun },
  'mining.stop': everybody,

  // Lists have what the caller reaches.
  'dossiers.list': readers,
  'dossiers.get': { ...readers, object: dossier },
  'dossiers.make': { publishes: ({ title }) => title, ...readers, audited: (_, { dossier: id }) => ({ dossier: id }) },
  'dossiers.rename': { publishes: ({ title }) => title, ...owners, object: dossier, audited: ['dossier'] },
  'dossiers.share': { ...owners, object: dossier, audited: ['dossier', 'readers'] },
  'dossiers.remove': { ...owners, object: dossier, audited: ['dossier'] },
  'dossiers.keep': {
    ...owners,
    object: (input) => [dossier(input), contest(input)],
    audited: ['dossier', 'contest', 'match'],
  },
  'dossiers.note': { publishes: ({ text }) => text, ...owners, object: dossier, audited: ['dossier'] },
  'dossiers.drop': { ...owners, object: dossier, audited: ['dossier', 'item'] },
  'dossiers.verify': { ...owners, object: dossier, audited: ['dossier', 'item'] },
  'dossiers.rerunOffer': { ...owners, object: dossier },
  'dossiers.rerun': { ...owners, object: dossier, audited: ['dossier', 'item', 'again', 'seat', 'agent'] },
  'dossiers.stopRerun': { ...owners, object: dossier },
  'dossiers.rules': readers,
  'dossiers.addRule': { ...owners, object: dossier, audited: ['dossier', 'book', 'rule'] },
  'dossiers.open': { ...staff, object: file, opens: ({ files }) => Object.values(files) },
  // The class signs what it gives.
  'dossiers.download': { ...readers, object: dossier, opens: begun, audited: ['dossier'] },

  // For the person who began the download, of any file.
  'downloads.piece': { ...everybody, object: download },
  'downloads.drop': { ...everybody, object: download },

  'arena.hosts': staff,
  // It admits somebody as the person at this machine.
  'screens.invite': { ...educatorOnly, audited: [] },
  'network.state': educatorOnly,
  'network.interfaces': educatorOnly,
  'network.open': { ...educatorOnly, audited: ['host', 'port'] },
  'network.close': { ...educatorOnly, audited: [] },

  'classes.get': onlyHere,
  'classes.open': { ...onlyHere, audited: false },
  'classes.close': { ...onlyHere, audited: false },
  'classes.create': { ...onlyHere, audited: false },
  'classes.newTerm': { ...onlyHere, audited: ['name', 'oldAgents'] },
  'classes.sampleTerm': { ...onlyHere, audited: false },
  'classes.import': { ...onlyHere, object: file, audited: false },
  'classes.export': { ...onlyHere, opens: begun, audited: (_, { fileName }) => ({ file: fileName }) },
  'classes.stopExport': { ...onlyHere, audited: false },

  'settings.get': { ...everybody, leave: narrowedSettings },
  'settings.set': {
    ...{ educator: 'all', assistant: 'public' },
    object: (change) => Object.keys(change).map((setting) => ({ setting })),
    audited: (change) => shownChange(change),
  },
  'settings.backup': { ...educatorOnly, audited: [] },
  'isolation.tiers': staff,
  'doctor.run': { ...staff, audited: false },
  'doctor.stop': { ...staff, audited: false },

  'me.get': { ...oneself, terminal: true },
  'me.password': { ...oneself, audited: 'itself' },
  'me.pseudonym': { student: 'own', audited: ['isWished'] },
  'me.sessions': oneself,
  'me.endOthers': { ...oneself, audited: 'itself' },
  'me.endSession': { ...oneself, audited: 'itself' },
  'me.download': { ...oneself, opens: begun },
  'me.device': { ...oneself, audited: false },
  'me.confirmDevice': { ...oneself, audited: [] },

  'names.state': staff,
  'names.unlock': { ...educatorOnly, audited: 'itself' },
  'names.setPassphrase': { ...educatorOnly, audited: ({ next }) => ({ isSet: next !== null }) },
  'names.forget': { ...educatorOnly, audited: [] },

  'home.get': staff,
  'home.stopRerun': { ...staff, audited: ['request'] },

  'people.list': staff,
  'people.preview': { ...educatorOnly, audited: false },
  'people.import': { ...educatorOnly, audited: 'itself' },
  'people.change': { ...educatorOnly, audited: 'itself' },
  'people.remove': { ...educatorOnly, audited: 'itself' },
  'people.erase': { ...educatorOnly, audited: 'itself' },
  'people.code': { ...staff, audited: 'itself' },
  'people.slips': { ...educatorOnly, audited: 'itself' },
  'people.admit': { ...staff, audited: 'itself' },
  'people.joining': { ...educatorOnly, audited: ['open'] },

  'guests.get': educatorOnly,
  'guests.admit': { ...educatorOnly, audited: ['until'] },
  'guests.end': { ...educatorOnly, audited: [] },

  'audit.list': educatorOnly,
} as const satisfies {
  readonly [N in ProcedureName]: N extends ChangingProcedure
    ? AuditedRow<ParsedInputOf<N>, OutputOf<N>>
    : Row<ParsedInputOf<N>, OutputOf<N>>
}

/** A row about a topic. The objects are those that the rest of its name tells, after the colon. */
type TopicRow<T> = Row<string, T>

/** The subscribers of each topic, by the first part of its name. */
export const topicAccess = {
  status: { ...everybody, leave: narrowedSummaries },
  contest: { ...everybody, object: (id) => ({ contest: id }), leave: narrowedContest },
  agents: everybody,
  people: staff,
  cases: classOnly,
  case: { ...classOnly, object: (id) => ({ case: id }) },
  caseRoom: { ...classOnly, object: (id) => ({ case: id }) },
  recurring: everybody,
  grades: staff,
  settings: { ...everybody, leave: narrowedSettings },
  network: educatorOnly,
  classes: onlyHere,
  exporting: onlyHere,
  examination: staff,
  play: { ...playing, object: (id) => ({ contest: id }) },
  live: { ...everybody, object: (name) => ({ contest: name.split('/', 1).join('') }) },
  verification: {
    ...staff,
    object: (name) => (name.includes('/') ? { contest: name.split('/', 1).join('') } : { file: name }),
  },
  verifications: staff,
  otherAnswer: staff,
  // The id of a request is known to nobody but the caller.
  rerun: classOnly,
} as const satisfies { readonly [T in keyof Topics]: TopicRow<Topics[T]> }

/** The senders of each kind of upload. The file is then usable by them alone. */
export const uploadAccess = {
  histories: staff,
  packages: handingIn,
  archives: onlyHere,
} as const satisfies Record<UploadKind, Access>

/** `person`: null for the person at this machine, and for guests. */
interface Somebody {
  readonly person: unknown
}

/** The objects of a row that a caller reaches; undefined: they reach none. */
export function reachOf(
  access: Access,
  { role, person, isTerminal, playsByHand }: Pick<Caller, 'role' | 'isTerminal' | 'playsByHand'> & Somebody,
): Reach | undefined {
  if (role === null || (isTerminal && access.terminal !== true)) return undefined
  if (access.onlyHere === true && person !== null) return undefined
  if (role === 'student' && access.studentsIf === 'playByHand' && playsByHand !== true) return undefined
  return access[role]
}

/** True if somebody may call a procedure at all, in the window. */
export function mayCall(caller: Pick<Caller, 'role' | 'playsByHand'> & Somebody, name: ProcedureName): boolean {
  return reachOf(procedureAccess[name], { ...caller, isTerminal: false }) !== undefined
}
