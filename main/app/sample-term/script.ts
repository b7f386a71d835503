// The sample term: its people, teams, and agents, as data.

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
  readonly plays: { readonly haggle: string; readonly punter: string }
}

const plays = [
  { haggle: 'baby', punter: 'baby' },
  { haggle: 'hard', punter: 'greedy' },
  { haggle: 'conceder', punter: 'greedy' },
  { haggle: 'learner', punter: 'baby' },
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
