// The sample term: its games, people, teams, and agents, as data.

/** A game that the class plays: its id, its settings, and what its agents add to the name of the team's. */
interface SampleGame {
  readonly game: string
  readonly config: Record<string, string>
  readonly suffix: string
}

export const games = {
  offers: { game: 'haggle', config: {}, suffix: '' },
  rivers: { game: 'punter', config: { map: 'sample' }, suffix: ' rivers' },
} as const satisfies Record<string, SampleGame>

export type Played = keyof typeof games

/** The agent that is handed in for the cup, after one that fails. */
export const cupAgent = 'conceder'

export const titles = {
  first: 'Week 2: Haggling',
  second: 'Week 4: Rivers',
  third: 'Week 5: Haggling again',
  cup: 'Winter cup',
} as const

/** Names in several scripts; the last of a team's members joined late in the alphabet, not in the team. */
const names = [
  ...['Ada Lovelace', '王小明', 'Zoë Ångström', 'محمد علي', 'Ελένη Παπαδοπούλου', 'Анна Иванова', 'नेहा शर्मा'],
  ...[
    'Bruno Keller',
    'Chiara Conti',
    'Darius Novak',
    'Emil Sørensen',
    'Fatima Haddad',
    'Gustav Lindqvist',
    'Hana Sato',
  ],
  ...['Ines Moreau', 'Jakub Zieliński', 'Klára Dvořáková', 'Luca Ferrari', 'Mia Brunner', 'Noor Rahman'],
] as const

/** The roster as a school would export it. */
export const roster = [
  'name,email,section,role',
  ...names.map((name, n) => `"${name}",s${n + 1}@school.example,Algebra,student`),
  '"Tessa Vogel",t1@school.example,Algebra,assistant',
].join('\n')

/** A team of the sample term. */
interface SampleTeam {
  readonly name: string
  readonly members: readonly string[]
  readonly agent: string
  /** The shipped agents from which its own are made, by game. */
  readonly plays: Readonly<Record<Played, string>>
}

const plays = [
  { offers: 'baby', rivers: 'baby' },
  { offers: 'hard', rivers: 'greedy' },
  { offers: 'conceder', rivers: 'greedy' },
  { offers: 'learner', rivers: 'baby' },
] as const

/** Eight teams of two or three. */
export const teams: readonly SampleTeam[] = [
  ['Abacus', 'rosso'],
  ['Quipu', 'azzurro'],
  ['Astrolabe', 'verde'],
  ['Sector', 'giallo'],
  ['Slide Rule', 'viola'],
  ['Nomogram', 'arancio'],
  ['Planimeter', 'bianco'],
  ['Volvelle', 'nero'],
].map(([name = '', agent = ''], n) => ({
  ...{ name, agent, plays: plays[n % plays.length]! },
  members: names.filter((_, at) => at % 8 === n),
}))

/** An agent that fails in its first match. */
export const brokenAgent = 'module.exports = class {\n  offer() {\n    throw new Error("not yet written")\n  }\n}\n'

/** The scheme of the gradebook. */
export const gradingScheme = [
  '// Three quarters for the places, of which the worst is dropped, a quarter for the shares of the best.',
  'places = mean(drop(1, place(contests)))',
  'shares = mean(share(contests))',
  'grade  = weighted(75, places, 25, shares)',
  'bands 90 "A", 75 "B", 50 "C", else "D"',
].join('\n')
