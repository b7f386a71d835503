import type { ContestDetail } from '../main/contract/procedures.ts'
import type { ContestId, EntrantId, GameId, MatchNumber, SeatId } from '../main/contract/ids.ts'

/** Addresses of screens, so that nobody spells them twice. */
export const links = {
  class: '#/class',
  agents: '#/agents',
  /** Where an agent of this game is handed in. */
  handIn: (game: GameId) => `#/agents?game=${game}`,
  agent: (name: EntrantId) => `#/agents/${encodeURIComponent(name)}`,
  /** Of who plays in a contest; undefined, which makes no link: it is no agent of the class, as a person is not. */
  entrant({ otherwise }: Pick<ContestDetail, 'otherwise'>, name: EntrantId): string | undefined {
    const other = otherwise.find(({ entrant }) => entrant === name)
    return links.agentIf(other === undefined ? name : other.agent)
  },
  /** undefined, which makes no link, where there is none. */
  agentIf: (name: EntrantId | null): string | undefined => (name === null ? undefined : links.agent(name)),
  challenges: '#/challenges',
  newChallenge: '#/challenges/new',
  challenge: (name: string) => `#/challenges/${encodeURIComponent(name)}`,
  contests: '#/contests',
  newContest: '#/contests/new',
  newContestWith: (challenge: string) => `#/contests/new?challenge=${encodeURIComponent(challenge)}`,
  contest: (contest: ContestId) => `#/contests/${contest}`,
  projector: (contest: ContestId) => `#/contests/${contest}/projector`,
  match: (contest: ContestId, match: MatchNumber) => `#/contests/${contest}/matches/${match}`,
  /** The moment of a match: `at` in ms of the match clock, at the seat it is about. */
  moment: (contest: ContestId, match: MatchNumber, at: number, seat: SeatId) =>
    `#/contests/${contest}/matches/${match}?at=${at}&seat=${seat}`,
  /** A match that is watched as somebody: `as` as in viewers.ts. What the address says beside stays. */
  watched(match: string, { as, ...rest }: Readonly<Record<string, string | undefined>>): string {
    const said = Object.entries({ ...rest, as: as === 'public' ? undefined : as })
    const query = new URLSearchParams(said.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
    return query.size === 0 ? match : `${match}?${query.toString()}`
  },
  play: '#/play',
  /** Against one agent: its game and its name. */
  playAgainst: (game: GameId, name: EntrantId) => `#/play?game=${game}&against=${encodeURIComponent(name)}`,
  playing: (contest: ContestId) => `#/play/${contest}`,
  histories: '#/histories',
  historyFile: (file: string) => `#/histories/file/${encodeURIComponent(file)}`,
  settings: '#/settings',
} as const
