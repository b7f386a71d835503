import type {
  AgentSummary,
  ChallengeSummary,
  ContestSummary,
  MatchSummary,
} from '../../main/contract/procedures/procedures.ts'
import { may } from '../caller.svelte.ts'
import { call } from '../connection/client.ts'
import { gameTitle } from '../games.ts'
import type { Finding } from '../help/find.ts'
import { findTitles } from '../help/search.ts'
import { links } from '../navigation/links.ts'
import { stateOf } from '../screens/contests/contest-words.ts'
import { hasKeys, type Verb } from '../navigation/shortcuts.svelte.ts'
import { number } from '../words.ts'
import { nearMiss } from '../../main/contract/near-miss.ts'

/** A destination in the palette. `value` identifies it in the list. */
export interface Destination {
  readonly value: string
  readonly label: string
  /** Its id, shown below the label; empty if there is none or it is the label. */
  readonly id: string
  readonly note: string
  go(): void
}
export interface Group {
  readonly title: string
  readonly items: readonly Destination[]
}

/** Verbs and screens that contain every word of the search, or nearly do. */
export function verbsFor(search: string, verbs: readonly Verb[]): Group {
  const textOf = ({ label, also = '' }: Verb): string => `${label} ${also}`
  const exact = withWords(verbs, search, textOf)
  const found = exact.length > 0 ? exact : withNearWords(verbs, search, textOf)
  const items = found.map((verb, i) => ({
    value: `verb ${i} ${verb.label}`,
    label: verb.label,
    id: '',
    note: hasKeys(verb) ? verb.keys.join(' ') : '',
    go: verb.run,
  }))
  return { title: 'Do', items }
}

/** Items of each kind that are shown. */
const SHOWN = 6
/** Names that are looked through for one that the search only nearly hits. */
const NEAR = 1_000

/** Contests, agents, challenges, matches and pages of the manual that contain the search, or nearly do. Rejects with a CallFailure. */
export async function findIn(search: string): Promise<readonly Group[]> {
  const some = { search, limit: SHOWN }
  const [agents, contests, challenges, matches, help] = await Promise.all([
    call('agents.list', some),
    call('contests.list', some),
    search === '' ? [] : call('challenges.list', {}),
    search === '' ? null : call('histories.list', some),
    findTitles(search, SHOWN),
  ])
  const exact = groupsOf(
    contests.items,
    agents.items,
    withWords(challenges, search, challengeText),
    matches?.items ?? [],
    help,
  )
  return search === '' || exact.some(({ items }) => items.length > 0) ? exact : nearlyFound(search, challenges)
}

/** Items close to a search that has no exact match. */
async function nearlyFound(search: string, challenges: readonly ChallengeSummary[]): Promise<readonly Group[]> {
  const all = { search: '', limit: NEAR }
  const [agents, contests] = await Promise.all([call('agents.list', all), call('contests.list', all)])
  return groupsOf(
    withNearWords(contests.items, search, ({ title }) => title),
    withNearWords(agents.items, search, ({ name }) => name),
    withNearWords(challenges, search, challengeText),
    [],
    [],
  )
}

const challengeText = ({ name, title }: ChallengeSummary): string => `${name} ${title}`

function groupsOf(
  contests: readonly ContestSummary[],
  agents: readonly AgentSummary[],
  challenges: readonly ChallengeSummary[],
  matches: readonly MatchSummary[],
  help: readonly Finding[],
): readonly Group[] {
  return [
    { title: 'Contests', items: contests.slice(0, SHOWN).map(contest) },
    { title: 'Agents', items: may('agents.get') ? agents.slice(0, SHOWN).map(agent) : [] },
    { title: 'Challenges', items: challenges.slice(0, SHOWN).map(challenge) },
    { title: 'Matches', items: matches.map(match) },
    { title: 'Manual', items: help.map(manualSection) },
  ]
}

function go(address: string): () => void {
  return () => {
    location.hash = address
  }
}

function agent({ name, game }: AgentSummary): Destination {
  return { value: `agent ${name}`, label: name, id: '', note: gameTitle(game), go: go(links.agent(name)) }
}

function contest(summary: ContestSummary): Destination {
  const { contest: id, title } = summary
  return { value: `contest ${id}`, label: title, id, note: stateOf(summary).text, go: go(links.contest(id)) }
}

function challenge({ name, title, problem }: ChallengeSummary): Destination {
  const note = problem === null ? 'Challenge' : 'Draft of a challenge'
  return { value: `challenge ${name}`, label: title, id: name, note, go: go(links.challenge(name)) }
}

function match({ contest: id, title, match: which, seats }: MatchSummary): Destination {
  return {
    value: `match ${id} ${which}`,
    label: `Match ${number(which)} of ${title}`,
    id,
    note: seats.map(({ name }) => name).join(', '),
    go: go(links.match(id, which)),
  }
}

function manualSection({ page, at, pageTitle, title }: Finding): Destination {
  return {
    value: `manual ${page} ${at}`,
    label: title,
    id: '',
    note: at === '' ? 'Manual' : pageTitle,
    go: go(links.help(page, at)),
  }
}

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/** Items whose text contains every word of a search. */
function withWords<T>(all: readonly T[], search: string, textOf: (one: T) => string): readonly T[] {
  const wanted = search.toLowerCase().split(/\s+/)
  return all.filter((one) => wanted.every((word) => textOf(one).toLowerCase().includes(word)))
}

/** Items whose text contains every word of a search, each with at most one typing error. */
function withNearWords<T>(all: readonly T[], search: string, textOf: (one: T) => string): readonly T[] {
  const wanted = wordsOf(search)
  if (wanted.length === 0) return []
  return all.filter((one) => {
    const words = wordsOf(textOf(one))
    return wanted.every((word) => nearMiss(word, words) !== null)
  })
}
