import type { ContestDetail } from '../../main/contract/procedures/procedures.ts'
import { may } from '../caller.svelte.ts'
import type { ContestId, EntrantId, GameId, MatchNumber, SeatId, Sha256 } from '../../main/contract/ids.ts'

const parameter = (sign: '?' | '&', name: string, value: string): string =>
  value === '' ? '' : `${sign}${name}=${encodeURIComponent(value)}`

/** Addresses of screens. */
export const links = {
  class: '#/class',
  /** This class and others, for the person at this machine. */
  classes: '#/classes',
  agents: '#/agents',
  /** The screen for handing in an agent of this game. */
  handIn: (game: GameId) => `#/agents?game=${game}`,
  agent: (name: EntrantId) => `#/agents/${encodeURIComponent(name)}`,
  /** A line of the source of its newest version, from 1. */
  sourceLine: (name: EntrantId, line: number) => `${links.agent(name)}?tab=source&line=${line}`,
  /** The sources that are public to the class. */
  sources: '#/sources',
  source: (name: EntrantId, agent: Sha256) => `#/sources/${encodeURIComponent(name)}/${agent}`,
  /** The component market. */
  components: '#/components',
  component: (hash: Sha256) => `#/components/${hash}`,
  /** A player in a contest; undefined (no link) if it is not an agent of the class, for example a person. */
  entrant({ renamed }: Pick<ContestDetail, 'renamed'>, name: EntrantId): string | undefined {
    const other = renamed.find(({ entrant }) => entrant === name)
    return links.agentIf(other === undefined ? name : other.agent)
  },
  /** undefined (no link) if there is none, or if the pages of agents are not for the person at the window. */
  agentIf: (name: EntrantId | null): string | undefined =>
    name === null || !may('agents.get') ? undefined : links.agent(name),
  gradebook: '#/grades/book',
  term: '#/grades/term',
  challenges: '#/challenges',
  newChallenge: '#/challenges/new',
  challenge: (name: string) => `#/challenges/${encodeURIComponent(name)}`,
  contests: '#/contests',
  newContest: '#/contests/new',
  recurringContests: '#/contests/recurring',
  newContestWith: (challenge: string) => `#/contests/new?challenge=${encodeURIComponent(challenge)}`,
  /** `tab`: the part shown first; default: the standings. */
  contest: (contest: ContestId, tab?: 'matches' | 'facts') =>
    `#/contests/${contest}${tab === undefined ? '' : `?tab=${tab}`}`,
  /** The list of its matches. `of`: the agent whose matches are listed; '': all. */
  matches: (contest: ContestId, of = '') => `${links.contest(contest, 'matches')}${parameter('&', 'of', of)}`,
  /** Questions about the events of a contest. */
  analysis: (contest: ContestId) => `#/contests/${contest}/analysis`,
  /** Two matches side by side. */
  matchBeside: (contest: ContestId, match: MatchNumber, beside: MatchNumber) =>
    `${links.match(contest, match)}?beside=${beside}`,
  /** Its matches that are like one of them. */
  matchesLike: (contest: ContestId, match: MatchNumber) =>
    `${links.analysis(contest)}?question=matches-like&with=${encodeURIComponent(`match=${match}`)}`,
  projector: (contest: ContestId) => `#/contests/${contest}/projector`,
  /** `of`: the agent whose matches are listed where one came from; '': all. */
  match: (contest: ContestId, match: MatchNumber, of = '') =>
    `#/contests/${contest}/matches/${match}${parameter('?', 'of', of)}`,
  /** A moment in a match: `at` in ms of the match clock, or how it ended for the seat concerned. */
  moment: (contest: ContestId, match: MatchNumber, at: number | 'end', seat: SeatId) =>
    `#/contests/${contest}/matches/${match}?at=${at}&seat=${seat}`,
  /** An event of a match and a line of it, both from 1. */
  event: (contest: ContestId, match: MatchNumber, event: number, line: number) =>
    `#/contests/${contest}/matches/${match}?move=${event}${line === 1 ? '' : `&line=${line}`}`,
  play: '#/play',
  /** Play against an agent, given its game and name. */
  playAgainst: (game: GameId, name: EntrantId) => `#/play?game=${game}&against=${encodeURIComponent(name)}`,
  playing: (contest: ContestId) => `#/play/${contest}`,
  /** The hearings of the class. */
  hearings: '#/hearings',
  /** The cases in which these words are found, for example those about a rule. */
  hearingsAbout: (words: string) => `#/hearings${parameter('?', 'search', words)}`,
  /** The form for a complaint. `event`: the address of an event that is the first piece of evidence; '': none. */
  newHearing: (event = '') => `#/hearings/new${parameter('?', 'event', event)}`,
  hearing: (id: string) => `#/hearings/${id}`,
  /** The record of a case that was opened as a file. */
  hearingFile: (file: string) => `#/hearings/file/${encodeURIComponent(file)}`,
  hearingProjector: (id: string) => `#/hearings/${id}/projector`,
  histories: '#/histories',
  /** An opened file; `events`: the number of events after which it is shown first, 0: the beginning. */
  historyFile: (file: string, events = 0) =>
    `#/histories/file/${encodeURIComponent(file)}${events === 0 ? '' : `?move=${events}`}`,
  /** The dossiers of evidence that one keeps. */
  dossiers: '#/evidence',
  dossier: (dossier: string) => `#/evidence/${dossier}`,
  /** A dossier that was opened as a file. */
  dossierFile: (file: string) => `#/evidence/file/${encodeURIComponent(file)}`,
  /** The team of a student. */
  team: '#/team',
  /** The screen on which a student hands in for their team; `contest`: the one selected at first. */
  handInForTeam: (contest: ContestId = '') => `#/hand-in${parameter('?', 'contest', contest)}`,
  people: '#/people',
  slips: '#/people/slips',
  /** The audit log. */
  auditLog: '#/people/log',
  /** One's own account. */
  me: '#/me',
  settings: '#/settings',
  /** The table of contents of the manual. */
  manual: '#/help',
  /** A page of the manual by its id. `at`: the id of a heading; '': the beginning. */
  help: (page: string, at = '') => `#/help/${encodeURIComponent(page)}${parameter('?', 'at', at)}`,
} as const
