import { exactly, order } from '../formulas/index.ts'
import { decimal } from './config.ts'
import type { ProblemList } from './problems.ts'
import type { ChallengeTree, Described, ExampleTree, Goal, Judged, Section, SettingTree } from './tree.ts'

/** The sections of a file. null: missing or not parsed; the problems then say so. */
export interface Sections {
  readonly text: string
  readonly settings: readonly SettingTree[]
  readonly dictionary: Of<'dictionary'>['block'] | null
  readonly sets: readonly Of<'set'>[]
  readonly definitions: readonly Of<'define'>[]
  readonly demands: Readonly<Record<Judged, Of<Judged>['demands']>>
  readonly measure: Of<Formulated> | null
  readonly bound: Of<Formulated> | null
  /** null also if the file has none, which is allowed. */
  readonly belief: Of<Formulated> | null
  readonly goal: Goal | null
  /** null if the file has none, which is allowed. */
  readonly properties: Readonly<Record<Described, Of<`property ${Described}`>['rules'] | null>>
  /** null if the file has none, which is allowed. */
  readonly picture: Of<'picture'>['picture'] | null
  /** null if the file has none, which is allowed. */
  readonly generator: Of<'generate'>['generator'] | null
  /** null if the file has none, which is allowed. */
  readonly format: Of<'format'>['format'] | null
  readonly leagues: readonly Of<'league'>['league'][]
  readonly references: readonly Of<'reference'>['reference'][]
  readonly examples: readonly ExampleTree[]
}

type Formulated = 'measure' | 'bound' | 'belief'
type Of<K extends Section['kind']> = Section & { kind: K }

/** How the sections that a file must have are written. */
const sectionForms = {
  dictionary: 'dictionary {{ Predicate = ... }}',
  'legal predicate': 'legal predicate { require condition else "sentence" }',
  'legal instance': 'legal instance { require condition else "sentence" }',
  'feasible solution': 'feasible solution { require condition else "sentence" }',
  measure: 'measure = formula',
  goal: 'goal = max',
  bound: 'bound = formula',
} as const

/** Sorts a file's sections. `whole`: every section could be parsed, so that absent ones are reported as missing. */
export function sortSections(tree: ChallengeTree, length: number, whole: boolean, list: ProblemList): Sections {
  const once = new Map<string, Section>()
  const sets: Of<'set'>[] = []
  const definitions: Of<'define'>[] = []
  const leagues: Of<'league'>['league'][] = []
  const references: Of<'reference'>['reference'][] = []
  const examples: ExampleTree[] = []
  for (const section of tree.sections) {
    if (section.kind === 'set') sets.push(section)
    else if (section.kind === 'define') definitions.push(section)
    else if (section.kind === 'league') leagues.push(section.league)
    else if (section.kind === 'reference') references.push(section.reference)
    else if (section.kind === 'example') examples.push(section.example)
    else if (once.has(section.kind))
      list.add(section.at, `There is already a section "${section.kind}" above.`, 'Keep one of them.', 'section-twice')
    else once.set(section.kind, section)
  }
  if (whole && !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(tree.name.name)) {
    list.add(
      tree.name.at,
      'The name of a challenge consists of small letters and digits, with words joined by "-".',
      'Write it as in job-scheduling.',
      'name-malformed',
    )
  } else if (tree.name.name.length > 64)
    list.add(tree.name.at, 'The name of a challenge has at most 64 characters.', undefined, 'name-malformed')
  const found = <K extends Section['kind']>(kind: K): Of<K> | null => (once.get(kind) as Of<K> | undefined) ?? null
  const needed = <K extends keyof typeof sectionForms>(kind: K): Of<K> | null => {
    const section = found(kind)
    if (section === null && whole)
      list.add(length, `The section "${kind}" is missing.`, `Write it: ${sectionForms[kind]}`, 'section-missing')
    return section
  }
  const settings = found('config')?.settings ?? []
  checkSettings(settings, list)
  const generator = found('generate')?.generator ?? null
  for (const parameter of generator?.parameters ?? []) checkSetting(parameter, list)
  checkLeagues(leagues, list)
  const text = found('text')
  const sections = {
    text: text === null ? '' : dedent(text.block.source),
    settings,
    dictionary: needed('dictionary')?.block ?? null,
    sets,
    definitions,
    demands: {
      'legal predicate': needed('legal predicate')?.demands ?? [],
      'legal instance': needed('legal instance')?.demands ?? [],
      'feasible solution': needed('feasible solution')?.demands ?? [],
    },
    measure: needed('measure'),
    goal: needed('goal')?.goal ?? null,
    bound: needed('bound'),
    belief: found('belief'),
    properties: {
      predicate: found('property predicate')?.rules ?? null,
      instance: found('property instance')?.rules ?? null,
      solution: found('property solution')?.rules ?? null,
    },
    picture: found('picture')?.picture ?? null,
    generator,
    format: found('format')?.format ?? null,
    leagues,
    references,
    examples,
  }
  if (whole && !examples.some(({ refused, quality }) => !refused && quality !== null)) {
    const hint = 'Add one with a solution and its quality.'
    list.add(length, 'A challenge needs at least one example.', hint, 'section-missing')
  }
  return sections
}

function checkSettings(settings: readonly SettingTree[], list: ProblemList): void {
  const names = new Set<string>()
  for (const setting of settings) {
    if (names.has(setting.name))
      list.add(setting.at, `There is already a setting ${setting.name} above.`, 'Keep one of them.', 'name-twice')
    names.add(setting.name)
    checkSetting(setting, list)
  }
}

function checkSetting({ at, name, standard, low, high }: SettingTree, list: ProblemList): void {
  for (const value of [standard, low, high]) {
    // Settings are transmitted as JSON numbers, so 1/3 is not allowed.
    const number = decimal(value)
    if (!Number.isFinite(number) || order(exactly(number), value) !== 0) {
      list.add(
        at,
        `The default and the range of ${name} must be numbers of at most 15 digits.`,
        undefined,
        'setting-range',
      )
      return
    }
  }
  if (order(standard, low) < 0 || order(standard, high) > 0) {
    const range = `from ${decimal(low)} to ${decimal(high)}`
    list.add(
      at,
      `The default of ${name} is ${decimal(standard)}, which is not ${range}.`,
      'Change the default or the range.',
      'setting-range',
    )
  }
}

function checkLeagues(leagues: Sections['leagues'], list: ProblemList): void {
  const names = new Set<string>()
  for (const { at, name, parameter } of leagues) {
    if (names.has(name)) list.add(at, `There is already a league ${name} above.`, undefined, 'name-twice')
    names.add(name)
    if (parameter === null) continue
    checkSetting(parameter, list)
    if (parameter.name === 'config' || parameter.name === 'predicate') {
      list.add(
        parameter.at,
        `"${parameter.name}" already has a meaning here; choose another name.`,
        undefined,
        'name-taken',
      )
    }
    if (![parameter.standard, parameter.low, parameter.high].every((value) => typeof value === 'number')) {
      list.add(
        parameter.at,
        `The parameter of a league must be a whole number, but ${parameter.name} is not.`,
        undefined,
        'setting-range',
      )
    }
  }
}

/** Removes surrounding empty lines and the common indentation. */
function dedent(text: string): string {
  const lines = text
    .replace(/\r\n?/g, '\n')
    .replace(/^(?:[ \t]*\n)+|\s+$/g, '')
    .split('\n')
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length)
  const shared = indents.reduce((a, b) => Math.min(a, b), Infinity)
  return lines.map((line) => line.slice(Math.min(shared, line.length - line.trimStart().length))).join('\n')
}
