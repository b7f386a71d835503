import { bestKnownOf } from '../../../grammars/challenges/formats/index.ts'
import type { Challenge, Picture, Verdict } from '../../../grammars/challenges/index.ts'
import { toNumber, toText } from '../../../grammars/formulas/numbers/fraction.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { Evidence } from '../../../main/referees/specker/narration/evidence.ts'

/** A part of the raw material as text, and whether the solution meets it; null: no solution, or no parts. */
export interface Part {
  readonly text: string
  readonly verdict: Verdict | null
}

export interface SolutionCheck {
  /** Exact, "p/q"; null where the solution is not feasible or its quality unknown. */
  readonly quality: string | null
  /** The reason why the solution is not valid, or null. */
  readonly wrong: string | null
  /** The dictionary's name for the parts, such as "constraints"; null: the raw material has none. */
  readonly label: string | null
  readonly parts: readonly Part[]
}

/** Compares a solution with its raw material. Never throws, whatever agents sent. */
export function checkSolution(
  challenge: Challenge,
  config: Json,
  { instance, solution, predicate }: Evidence,
): SolutionCheck {
  const none = { quality: null, label: null, parts: [] }
  if (instance === null) return { ...none, wrong: null }
  const checked = predicate === null ? null : challenge.predicate(config, predicate)
  const illegal = checked?.ok === true ? challenge.legal(config, checked.value, instance) : null
  if (illegal !== null) return { ...none, wrong: illegal }
  if (solution === null) return { ...none, wrong: null }
  const wrong = challenge.feasible(config, instance, solution)
  if (wrong !== null) return { ...none, wrong }
  const quality = challenge.quality(config, instance, solution)
  const explained = challenge.explain(config, instance, solution)
  if (typeof quality === 'string') return { ...none, wrong: quality }
  if (explained === null) return { ...none, wrong: null, quality: toText(quality) }
  const { label, type, verdicts } = explained
  const list = (instance as Readonly<Record<string, readonly Json[]>>)[label]!
  return {
    wrong: null,
    quality: toText(quality),
    label,
    parts: verdicts.map((verdict, at) => ({ text: valueText(challenge, list[at]!, type).trim(), verdict })),
  }
}

/**
 * The best known measure of well-known raw material, and that of a feasible solution, in a sentence. null: the raw material is not
 * known. Never throws, whatever agents sent.
 */
export function bestKnownText(challenge: Challenge, config: Json, { instance, solution }: Evidence): string | null {
  const best = instance === null ? null : bestKnownOf(challenge, config, instance, null)
  if (instance === null || best === null) return null
  const known = `The best known measure of this raw material (${best.name}) is ${best.measure}.`
  if (solution === null || challenge.feasible(config, instance, solution) !== null) return known
  const rating = challenge.rating(config, instance, solution)
  return typeof rating === 'string' ? known : `${known} This solution has ${toNumber(rating.measure)}.`
}

/** The picture of raw material, with its solution where that can be drawn. null: there is none. Never throws, whatever agents sent. */
export function pictureOf(
  challenge: Challenge,
  config: Json,
  { instance, solution }: Omit<Evidence, 'predicate'>,
): Picture | null {
  const { picture, values } = challenge
  if (picture === null || instance === null || values.validate(instance, 'Instance') !== null) return null
  const solved = solution !== null && values.validate(solution, 'Solution') === null
  const drawn = solved ? picture(config, instance, solution) : picture(config, instance, null)
  const shown = drawn.ok || !solved ? drawn : picture(config, instance, null)
  return shown.ok && shown.picture.shapes.length > 0 ? shown.picture : null
}

/** A value in the challenge's own syntax, or as JSON if it is not a value of the type. */
export function valueText({ values }: Challenge, value: Json, type: string): string {
  return values.validate(value, type) === null ? values.print(value, type) : JSON.stringify(value, null, 2)
}

/** The subject of a test case: a match's challenge, its file as the match has it, and its settings there. */
export interface CaseOf {
  readonly challenge: Challenge
  readonly source: string
  readonly challengeConfig: Json
}

export interface CaseFile {
  readonly name: string
  readonly what: string
  readonly content: string
}

/** Files with everything that the quality of a solution depends on, and the command that reads them. */
export interface TestCaseFiles {
  readonly files: readonly CaseFile[]
  readonly command: string
}

/** `name`: the prefix of its file names. null if a part is missing, so that no test case can be made. */
export function testCase(
  { challenge, source, challengeConfig }: CaseOf,
  evidence: Evidence,
  name: string,
): TestCaseFiles | null {
  if (evidence.predicate === null || evidence.instance === null || evidence.solution === null) return null
  const file = (what: string, suffix: string, value: Json, type: string): CaseFile => {
    const proper = challenge.values.validate(value, type) === null
    const content = `${valueText(challenge, value, type)}\n`
    return { what, name: `${name}-${suffix}.${proper ? 'txt' : 'json'}`, content }
  }
  const predicate = file('Predicate', 'predicate', evidence.predicate, 'Predicate')
  const instance = file('Raw material', 'instance', evidence.instance, 'Instance')
  const solution = file('Solution', 'solution', evidence.solution, 'Solution')
  const settings = {
    what: 'Settings',
    name: `${name}-settings.json`,
    content: `${JSON.stringify(challengeConfig, null, 2)}\n`,
  }
  // With the match's own text: a challenge of a class is nowhere else, and one that ships may be another in a later version.
  const text = { what: 'Challenge', name: `${name}.challenge`, content: source }
  const options = `--predicate ${predicate.name} --config ${settings.name}`
  return {
    files: [predicate, instance, solution, settings, text],
    command: `tartaglia challenge evaluate ${text.name} ${instance.name} ${solution.name} ${options}`,
  }
}
