import type { Json } from '../../../main/contract/json.ts'
import type { IsolationTier } from '../../../main/contract/limits.ts'
import { contestDraft, type AgentSummary, type ContestDraft } from '../../../main/contract/procedures.ts'

/** What stands in the fields of the New contest screen. null: a field for a number that holds none. */
export interface Form {
  title: string
  game: string
  format: 'round-robin' | 'single'
  seats: number | null
  repeats: number | null
  seed: string
  startMs: number | null
  moveMs: number | null
  memoryMb: number | null
  isolation: IsolationTier
  clock: 'frozen' | 'real'
  /** Names of agents. */
  entrants: readonly string[]
  settings: SpeckerSettings
}

/** The settings of the Specker Challenge Game, amounts in energy as people write them. */
export interface SpeckerSettings {
  challenge: string
  challengeConfig: Readonly<Record<string, number | null>>
  init: number | null
  maxTurns: number | null
  mindec: number | null
  offersMin: number | null
  offersMax: number | null
  acceptOrReoffer: 'all' | 'one'
  order: 'fixed' | 'rotating'
}

export const emptySettings: SpeckerSettings = {
  challenge: 'max-csp',
  challengeConfig: {},
  init: 10,
  maxTurns: 20,
  mindec: 0.01,
  offersMin: 1,
  offersMax: 10,
  acceptOrReoffer: 'all',
  order: 'fixed',
}

/** Sentences by the field that they are about; `''` is for what belongs to none. */
export type Problems = Readonly<Record<string, string>>

const UNIT = 1_000_000_000

/** The contest that the fields describe, or what is wrong with them. */
export function draftOf(
  form: Form,
  agents: readonly AgentSummary[],
): { readonly ok: true; readonly draft: ContestDraft } | { readonly ok: false; readonly problems: Problems } {
  const byName = new Map(agents.map((agent) => [agent.name, agent]))
  const chosen = form.entrants.flatMap((name) => {
    const version = byName.get(name)?.versions[0]
    return version === undefined ? [] : [{ name, agent: version.agent }]
  })
  const { seats, repeats, startMs, moveMs, memoryMb } = form
  const parsed = contestDraft.safeParse({
    title: form.title.trim(),
    game: form.game,
    config: configOf(form.settings),
    format: form.format === 'single' ? { type: 'single' } : { type: 'round-robin', seats, repeats },
    seed: form.seed,
    limits: { startMs, moveMs, memoryMb },
    isolation: form.isolation,
    clock: form.clock,
    entrants: chosen,
  })
  const problems: Record<string, string> = { ...missing(form) }
  for (const issue of parsed.error?.issues ?? []) {
    const field = fieldOf(issue.path)
    problems[field] ??= sentenceOf(issue)
  }
  return parsed.success && Object.keys(problems).length === 0
    ? { ok: true, draft: parsed.data }
    : { ok: false, problems }
}

/** What the program's sentence about a draft is about: `config.mindec: ...` belongs beside the least decrement. */
export function placed(message: string): Problems {
  const found = /^(?:draft\.)?(?:config[.:] ?)?([A-Za-z]+): (.+)$/s.exec(message)
  const [, field, text] = found ?? []
  return field !== undefined && text !== undefined && field in emptySettings
    ? { [field]: sentence(text) }
    : { '': sentence(message) }
}

function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(first) ? first : `${first}.`
}

function configOf(settings: SpeckerSettings): Json {
  const { init, mindec, challengeConfig, ...rest } = settings
  const own = Object.entries(challengeConfig).filter(([, value]) => value !== null)
  return { ...rest, challengeConfig: Object.fromEntries(own), init: inUnits(init), mindec: inUnits(mindec) }
}

function inUnits(energy: number | null): number | null {
  return energy === null ? null : Math.round(energy * UNIT)
}

function missing(form: Form): Problems {
  const { settings } = form
  const problems: Record<string, string> = {}
  if (form.title.trim() === '') problems.title = 'A contest needs a title.'
  if (form.seed === '') problems.seed = 'Matches are made from the seed; any text will do.'
  if (form.entrants.length === 0) problems.entrants = 'Choose the agents that play.'
  if (settings.challenge === '') problems.challenge = 'Choose a challenge.'
  for (const field of ['init', 'maxTurns', 'mindec', 'offersMin', 'offersMax'] as const) {
    if (settings[field] === null) problems[field] = 'A number is missing.'
  }
  const { seats } = form
  if (form.format === 'round-robin' && seats !== null && form.entrants.length > 0 && seats > form.entrants.length) {
    problems.seats = `${seats} players a match need at least ${seats} agents; ${form.entrants.length} are chosen.`
  }
  return problems
}

/** `limits.moveMs` is the field moveMs; entrants and their parts are one field. */
function fieldOf(path: readonly PropertyKey[]): string {
  const [first, second] = path.map(String)
  if (first === 'limits' || first === 'format') return second ?? first
  return first ?? ''
}

interface Issue {
  readonly code: string
  readonly message: string
  readonly minimum?: number | bigint
  readonly maximum?: number | bigint
  readonly origin?: string
}

/** What is wrong with one field, as people say it. */
function sentenceOf(issue: Issue): string {
  const { code, minimum, maximum, origin } = issue
  if (code === 'too_small' && minimum !== undefined) {
    return origin === 'string' ? 'This must not be empty.' : `At least ${minimum.toLocaleString('en')}.`
  }
  if (code === 'too_big' && maximum !== undefined) {
    const most = maximum.toLocaleString('en')
    return origin === 'string' ? `At most ${most} characters.` : `At most ${most}.`
  }
  if (code === 'invalid_type') return 'A whole number is missing here.'
  return sentence(issue.message)
}
