import { exactly, order } from '../formulas/index.ts'
import { decimal } from './config.ts'
import type { ProblemList } from './problems.ts'
import type { ChallengeTree, ExampleTree, Goal, Judged, Section, SettingTree } from './tree.ts'

/** The sections of a file, those that must be there once found once. */
export interface Sections {
  readonly text: string
  readonly settings: readonly SettingTree[]
  readonly dictionary: Of<'dictionary'>['block']
  readonly sets: readonly Of<'set'>[]
  readonly definitions: readonly Of<'define'>[]
  readonly demands: Readonly<Record<Judged, Of<Judged>['demands']>>
  readonly measure: Of<'measure' | 'bound'>
  readonly bound: Of<'measure' | 'bound'>
  readonly goal: Goal
  readonly examples: readonly ExampleTree[]
}

type Of<K extends Section['kind']> = Section & { kind: K }

/** Sorts a file's sections; null where one is missing or there twice, which is then among the problems. */
export function sortSections(tree: ChallengeTree, length: number, list: ProblemList): Sections | null {
  const once = new Map<string, Section>()
  const sets: Of<'set'>[] = []
  const definitions: Of<'define'>[] = []
  const examples: ExampleTree[] = []
  const before = list.problems.length
  for (const section of tree.sections) {
    if (section.kind === 'set') sets.push(section)
    else if (section.kind === 'define') definitions.push(section)
    else if (section.kind === 'example') examples.push(section.example)
    else if (once.has(section.kind)) list.add(section.at, `There is already a section "${section.kind}" above.`)
    else once.set(section.kind, section)
  }
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(tree.name.name) || tree.name.name.length > 64) {
    list.add(tree.name.at, 'The name of a challenge is of small letters and digits, its words joined by "-".')
  }
  const needed = <K extends Section['kind']>(kind: K): Of<K> | null => {
    const found = once.get(kind)
    if (!found) list.add(length, `The section "${kind}" is missing.`)
    return (found as Of<K> | undefined) ?? null
  }
  const text = once.get('text')
  const config = once.get('config')
  const settings = config?.kind === 'config' ? config.settings : []
  checkSettings(settings, list)
  const dictionary = needed('dictionary')
  const predicate = needed('legal predicate')
  const instance = needed('legal instance')
  const solution = needed('feasible solution')
  const measure = needed('measure')
  const goal = needed('goal')
  const bound = needed('bound')
  if (examples.length === 0) list.add(length, 'A challenge needs at least one example.')
  const complete = dictionary && predicate && instance && solution && measure && goal && bound
  if (!complete || list.problems.length > before) return null
  return {
    text: text?.kind === 'text' ? dedent(text.block.source) : '',
    settings,
    dictionary: dictionary.block,
    sets,
    definitions,
    demands: {
      'legal predicate': predicate.demands,
      'legal instance': instance.demands,
      'feasible solution': solution.demands,
    },
    measure,
    bound,
    goal: goal.goal,
    examples,
  }
}

function checkSettings(settings: readonly SettingTree[], list: ProblemList): void {
  const names = new Set<string>()
  for (const { at, name, standard, low, high } of settings) {
    if (names.has(name)) list.add(at, `There is already a setting ${name} above.`)
    names.add(name)
    for (const value of [standard, low, high]) {
      // Settings travel as JSON numbers: 1/3 is none.
      const number = decimal(value)
      if (!Number.isFinite(number) || order(exactly(number), value) !== 0) {
        list.add(at, `The default and the range of ${name} must be numbers of at most 15 digits.`)
        return
      }
    }
    if (order(standard, low) < 0 || order(standard, high) > 0) {
      list.add(
        at,
        `The default of ${name} is ${decimal(standard)}, which is not from ${decimal(low)} to ${decimal(high)}.`,
      )
    }
  }
}

/** Without the empty lines around it and the indentation that all lines share. */
function dedent(text: string): string {
  const lines = text
    .replace(/\r\n?/g, '\n')
    .replace(/^(?:[ \t]*\n)+|\s+$/g, '')
    .split('\n')
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length)
  const shared = indents.reduce((a, b) => Math.min(a, b), Infinity)
  return lines.map((line) => line.slice(Math.min(shared, line.length - line.trimStart().length))).join('\n')
}
