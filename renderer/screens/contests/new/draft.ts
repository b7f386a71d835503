import { NETWORK } from '../../../../main/contract/players/agents.ts'
import type { ArenaPlace } from '../../../../main/contract/players/arena.ts'
import { limits, type Limits } from '../../../../main/contract/limits.ts'
import { readOffered } from '../../../../main/contract/players/toolchains.ts'
import { sentence } from '../../../../main/contract/sentence.ts'
import { findSimilarNames, nameKey, whyNoNewName } from '../../../../main/contract/names.ts'
import { contestDraft, type AgentSummary, type ContestDraft } from '../../../../main/contract/procedures/procedures.ts'
import type { Problems, Settings } from '../../../games/field.ts'
import type { GameSettings } from '../../../games/game.ts'
import { problemsOf } from '../../../games/settings-fields.ts'
import { visible } from '../../../parts/lists/visible.ts'
import { readArena } from '../arena/arena-form.ts'
import { activeVersion } from '../entrants/fitness.ts'
import { arranged, orderMeaning } from '../entrants/order.ts'
import type { Form } from './form.ts'
import { formatForms, formatOf, schemaFormat } from '../formats/format-forms.ts'

/** The names in a field with one name per line. */
export function namesIn(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim().normalize('NFC'))
    .filter((line) => line !== '')
}

/** The contest that the fields describe, or their problems. `arena` null: no agent connects. */
export function contestDraftOf(
  form: Form,
  agents: readonly AgentSummary[],
  game: Pick<GameSettings, 'config' | 'problems' | 'limits' | 'formats'>,
):
  | { readonly ok: true; readonly draft: ContestDraft; readonly arena: ArenaPlace | null }
  | { readonly ok: false; readonly problems: Problems } {
  const own = game.formats ?? []
  const byName = new Map(agents.map((agent) => [agent.name, agent]))
  const chosen = form.entrants.flatMap((name) => {
    const agent = byName.get(name)
    const version = agent === undefined ? undefined : activeVersion(agent, form.policy)
    return version === undefined ? [] : [{ name, agent: version.agent }]
  })
  const connecting = namesIn(form.connecting)
  const arena = readArena(form.arena)
  const offered = readOffered(form.toolchains)
  const { startMs, moveMs, memoryMb, bankMs, strikes, steps } = form
  const parsed = contestDraft.safeParse({
    title: form.title.trim(),
    game: form.game,
    config: game.config(form.settings),
    format: formatOf(form, own),
    seed: form.seed,
    ...(form.classPhrase && { classPhrase: true }),
    // A contest without strikes, bank and steps of its own omits them.
    limits: {
      ...unasked(game),
      startMs,
      moveMs,
      memoryMb,
      ...(bankMs !== 0 && { bankMs }),
      ...(strikes !== 0 && { strikes }),
      ...(steps !== null && { steps }),
    },
    isolation: form.isolation,
    clock: form.clock,
    ...(form.clock === 'frozen' && form.samplePercent !== null && { sample: form.samplePercent / 100 }),
    ...(form.sharePercent !== 0 && { componentShare: form.sharePercent }),
    ...(typeof offered !== 'string' && offered.length > 0 && { toolchains: offered }),
    policy: form.policy,
    entrants: inOrder(
      [
        ...chosen,
        ...connecting.filter((name) => whyNoNewName(name) === null).map((name) => ({ name, agent: NETWORK })),
      ],
      form.order,
      orderMeaning(form, own)?.house ?? 0,
    ),
  })
  const problems: Record<string, string> = {
    ...missing(form, connecting),
    ...game.problems(form.settings),
    ...problemsOf(schemaFormat(form.format, own)?.fields ?? [], form.formatSettings),
    ...(connecting.length > 0 && !arena.ok && arena.problems),
    ...(typeof offered === 'string' && { toolchains: offered }),
  }
  for (const issue of parsed.error?.issues ?? []) {
    const field = fieldOf(issue.path)
    problems[field] ??= sentenceOf(issue)
  }
  if (!parsed.success || Object.keys(problems).length > 0) return { ok: false, problems }
  return { ok: true, draft: parsed.data, arena: connecting.length > 0 && arena.ok ? arena.place : null }
}

function inOrder<E extends { readonly name: string }>(
  entrants: readonly E[],
  order: readonly string[],
  house: number,
): readonly E[] {
  const byName = new Map(entrants.map((each) => [each.name, each]))
  // Names that occur twice are a problem of their own, and stay in the list.
  if (byName.size < entrants.length) return entrants
  return arranged([...byName.keys()], order, house).map((name) => byName.get(name)!)
}

type LimitFields = Pick<Form, 'startMs' | 'moveMs' | 'bankMs' | 'strikes' | 'memoryMb' | 'steps'>

/** The initial contents of the fields of limits. */
export function limitFields(game: Pick<GameSettings, 'limits'> | undefined): LimitFields {
  const { startMs, moveMs, bankMs = 0, strikes = 0, memoryMb, steps = null } = limits.parse({ ...game?.limits })
  return { startMs, moveMs, bankMs, strikes, memoryMb, steps }
}

/** Limits of a game that have no field. */
function unasked({ limits: own }: Pick<GameSettings, 'limits'>): Partial<Limits> {
  const { messageBytes, consoleBytes, stateBytes } = own ?? {}
  return {
    ...(messageBytes !== undefined && { messageBytes }),
    ...(consoleBytes !== undefined && { consoleBytes }),
    ...(stateBytes !== undefined && { stateBytes }),
  }
}

/** The field that the program's sentence refers to: `config.mindec: ...` is shown at the minimum decrement. '': none. */
export function placed(message: string, settings: Settings): Problems {
  if (message === '') return {}
  const found = /^(?:draft\.)?(?:config[.:] ?)?([A-Za-z]+): (.+)$/s.exec(message)
  const [, field, text] = found ?? []
  return field !== undefined && text !== undefined && field in settings
    ? { [field]: sentence(capitalized(text)) }
    : { '': sentence(capitalized(message)) }
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const isBetween = (value: number | null, least: number, most: number): boolean =>
  value !== null && value >= least && value <= most

function missing(form: Form, connecting: readonly string[]): Problems {
  const problems: Record<string, string> = {}
  if (form.title.trim() === '') problems.title = 'A contest needs a title.'
  if (form.seed === '') problems.seed = 'A seed is needed; any text will do.'
  if (form.clock === 'frozen' && !isBetween(form.samplePercent, 0, 100)) {
    problems.samplePercent = 'Enter a percentage from 0 to 100.'
  }
  const { untilTop, untilConfidence } = form
  if (form.format === 'round-robin' && untilTop !== null && !isBetween(untilConfidence, 50, 99.9))
    problems.untilConfidence = 'Enter a percentage from 50 to 99.9.'
  const entrants = form.entrants.length + connecting.length
  if (entrants === 0) problems.entrants = 'Choose the agents that play.'
  const seats = formatForms[form.format]?.players(form) ?? null
  if (seats !== null && entrants > 0 && seats > entrants) {
    const are = connecting.length === 0 ? 'are chosen' : 'are chosen or named'
    problems.seats = `${seats} players a match need at least ${seats} agents; ${entrants} ${are}.`
  }
  const bad = connecting.find((name) => whyNoNewName(name) !== null)
  const [one, double] = findSimilarNames(connecting) ?? []
  const chosen = new Set(form.entrants.map(nameKey))
  const taken = connecting.find((name) => chosen.has(nameKey(name)))
  if (bad !== undefined) problems.connecting = `The name “${visible(bad)}” is not allowed: ${whyNoNewName(bad)}.`
  else if (one !== undefined && one !== double) {
    problems.connecting = `“${one}” and “${double}” differ only in case.`
  } else if (double !== undefined) problems.connecting = `“${double}” is listed twice.`
  else if (taken !== undefined) {
    problems.connecting = `“${taken}” is already the name of a chosen agent; each name must be unique.`
  }
  return problems
}

/** Maps `limits.moveMs` to the field moveMs, `sample` to the percentage; entrants and their parts are one field. */
function fieldOf(path: readonly PropertyKey[]): string {
  const [first, second, third] = path.map(String)
  if (first === 'format' && second === 'settings') return third ?? first
  if (first === 'format' && second === 'until') return third === 'confidence' ? 'untilConfidence' : 'untilTop'
  if (first === 'limits' || first === 'format') return second ?? first
  if (first === 'sample') return 'samplePercent'
  if (first === 'componentShare') return 'sharePercent'
  return first ?? ''
}

interface Issue {
  readonly code: string
  readonly message: string
  readonly minimum?: number | bigint
  readonly maximum?: number | bigint
  readonly origin?: string
}

/** The problem of one field, in words. */
function sentenceOf(issue: Issue): string {
  const { code, minimum, maximum, origin } = issue
  if (code === 'too_small' && minimum !== undefined) {
    return origin === 'string' ? 'This must not be empty.' : `At least ${minimum.toLocaleString('en')}.`
  }
  if (code === 'too_big' && maximum !== undefined) {
    const most = maximum.toLocaleString('en')
    return origin === 'string' ? `At most ${most} characters.` : `At most ${most}.`
  }
  if (code === 'invalid_type') return 'Enter a whole number.'
  return sentence(capitalized(issue.message))
}
