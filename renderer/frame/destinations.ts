import type { AgentSummary, ContestSummary, MatchSummary } from '../../main/contract/procedures.ts'
import { call } from '../client.ts'
import { gameTitle } from '../games.ts'
import { links } from '../links.ts'
import { stateOf } from '../screens/contests/contest-words.ts'
import type { Verb } from '../shortcuts.svelte.ts'
import { number } from '../words.ts'

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

/** Verbs and screens that contain every word of the search. */
export function verbsFor(search: string, verbs: readonly Verb[]): Group {
  const words = search.toLowerCase().split(/\s+/)
  const items = verbs
    .filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
    .map((verb, i) => ({
      value: `verb ${i} ${verb.label}`,
      label: verb.label,
      id: '',
      note: verb.keys.join(' '),
      go: verb.run,
    }))
  return { title: 'Do', items }
}

/** Contests, agents and matches that the program finds. Rejects with a CallFailure. */
export async function findIn(search: string): Promise<readonly Group[]> {
  const some = { search, limit: 6 }
  const [agents, contests, matches] = await Promise.all([
    call('agents.list', some),
    call('contests.list', some),
    search === '' ? null : call('histories.list', some),
  ])
  return [
    { title: 'Contests', items: contests.items.map(contest) },
    { title: 'Agents', items: agents.items.map(agent) },
    { title: 'Matches', items: (matches?.items ?? []).map(match) },
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

function match({ contest: id, title, match: which, seats }: MatchSummary): Destination {
  return {
    value: `match ${id} ${which}`,
    label: `Match ${number(which)} of ${title}`,
    id,
    note: seats.map(({ name }) => name).join(', '),
    go: go(links.match(id, which)),
  }
}
