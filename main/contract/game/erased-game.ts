import * as z from 'zod'
import { complaintLine, complaintSentence, parsePlainly } from '../complaints.ts'
import type { Fault } from '../faults.ts'
import type { RowWriter, TableForms } from './event-tables.ts'
import type { Analyses, Dialogue, ErasedGame, Game, MatchFacts, Replay, Replayer, RowFold } from './game.ts'
import type { Arrival, Audience, Post, RawTable, Seat, Table } from './table.ts'
import type { SeatId } from '../ids.ts'
import type { Json } from '../json.ts'

/**
 * Turns a typed game into one that the worker, verification and the registry handle without knowing its types. Config,
 * inputs and answers are parsed by the game's schemas here and nowhere else.
 */
export function eraseGame<C, S, I, M extends Json, A, V>(game: Game<C, S, I, M, A, V>): ErasedGame {
  // The matches of a contest share one config value; parsing it for each very short match would be slow.
  let last: { readonly from: Json; readonly config: C } | null = null
  const configOf = (from: Json): C => {
    if (last?.from !== from) last = { from, config: game.config.parse(from) }
    return last.config
  }
  const fold = (config: Json, seats: readonly Seat[], seed: string): Replayer => {
    const state = game.rules.initial(configOf(config), seats, seed)
    return replayerOf(game, state)
  }
  const inputsOf = (inputs: Iterable<Json>): Iterable<I> => parsedInputs(game.input, inputs)
  const seats: ErasedGame['seats'] = (config, entrants) => game.seats(configOf(config), entrants)
  const { id, title, version, script, contests = {}, presentation = {}, programMessages } = game
  return {
    ...{ id, title, version, script, seats, fold, contests },
    ...(programMessages === undefined ? {} : { programMessages }),
    config: (value, age = 'new') => {
      const complete = age === 'new' ? withSettings(game.settings?.forNewContests ?? {}, value) : value
      const parsed = parsePlainly(game.config, complete)
      return parsed.ok
        ? { ok: true, value: parsed.value as Json }
        : { ok: false, error: complaintLine(parsed.complaint) }
    },
    unreadable(answer) {
      const parsed = parsePlainly(game.answer, answer)
      return parsed.ok ? null : complaintLine(parsed.complaint)
    },
    jsonSchema: (part) => jsonSchemaOf(game[part]),
    settings: {
      ...{ forNewContests: {}, texts: {}, subject: () => null },
      ...game.settings,
      renewed: (older) =>
        game.settings?.renewed === undefined
          ? withSettings(game.settings?.forNewContests ?? {}, older)
          : (game.settings.renewed(configOf(older)) as Json),
    },
    dialogue: reading(game.dialogue ?? {}, [configOf]) as Dialogue<Json, Json, Json, Json>,
    replay: game.replay && erasedReplay(game.replay, game.input),
    matches: { ...matchDefaults, ...reading(game.matches ?? {}, [configOf]) } as Required<MatchFacts<Json>>,
    agents: { trial: {}, keptFromKits: [], byStrength: [], ...game.agents },
    analyses: reading(game.analyses ?? {}, [configOf, undefined, inputsOf]) as Analyses<Json, Json>,
    tables: game.tables ?? null,
    foldRows: (config, seats, seed, writer) =>
      rowFoldOf(game, game.rules.initial(configOf(config), seats, seed), writer),
    scoreText: (score) => presentation.scoreText?.(score) ?? String(score),
    ground: (config) => presentation.spectatorView?.ground(configOf(config)) ?? null,
    async conduct(raw, configJson, seed, limits) {
      const config = configOf(configJson)
      const state = game.rules.initial(config, raw.seats, seed)
      raw.spectators?.begin(() => presentation.spectatorView?.scene(state) ?? null)
      await game.referee(typedTable(game, raw, state), config, limits)
      return replayerOf(game, state)
    },
  }
}

/** Checks of ours that JSON Schema has no words for are left out: what a schema accepts may still be refused. */
export function jsonSchemaOf(type: z.ZodType): object {
  return z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' })
}

const matchDefaults: Required<MatchFacts<unknown>> = { lanes: 1, timed: () => false, length: () => 1, limits: {} }

/** Turns a parameter of a facet's function into one of the game's types. */
type ParameterReader = (given: never) => unknown

/** A facet whose functions take JSON: `readers` convert their parameters by position; the others pass as they are. */
function reading<F extends object>(facet: F, readers: readonly (ParameterReader | undefined)[]): F {
  const members = Object.entries(facet).map(([name, member]: [string, unknown]) => {
    if (typeof member !== 'function') return [name, member]
    const call = (...given: readonly never[]): unknown =>
      Reflect.apply(
        member,
        facet,
        given.map((value, at) => readers[at]?.(value) ?? value),
      )
    return [name, call]
  })
  return Object.fromEntries(members) as F
}

function* parsedInputs<I>(schema: z.ZodType<I>, inputs: Iterable<Json>): Generator<I> {
  for (const each of inputs) yield schema.parse(each)
}

/** Messages come from the game's own referee and need no parsing. */
function erasedReplay<I, M, A>(replay: Replay<I, M, A>, schema: z.ZodType<I>): Replay<Json, Json, Json> {
  const actions = (input: Json) => replay.actions(schema.parse(input))
  return { ...replay, actions } as Replay<Json, Json, Json>
}

function replayerOf<C, S, I, M extends Json, A, V>(game: Game<C, S, I, M, A, V>, state: S): Replayer {
  const { outline: outliner, narrator } = game.presentation ?? {}
  return {
    apply(input) {
      const parsed = parsePlainly(game.input, input)
      return parsed.ok ? game.rules.apply(state, parsed.value) : complaintLine(parsed.complaint)
    },
    outline(input) {
      const parsed = parsePlainly(game.input, input)
      if (!parsed.ok) return complaintLine(parsed.complaint)
      const outline = outliner?.input(state)
      const swings = outliner?.swings?.(state, parsed.value)
      const refusal = game.rules.apply(state, parsed.value)
      if (refusal !== null) return refusal
      const { round, seat, lines, marks } = outline?.(parsed.value) ?? { round: 1, seat: null, lines: 1, marks: [] }
      return { round, seat, lines, marks, swings: swings?.() ?? [] }
    },
    narrate(input, names) {
      const parsed = parsePlainly(game.input, input)
      if (!parsed.ok) return complaintLine(parsed.complaint)
      const narrated = narrator?.input(state, names)
      const refusal = game.rules.apply(state, parsed.value)
      if (refusal !== null) return refusal
      if (narrator === undefined || narrated === undefined) return null
      return { lines: narrated(parsed.value), standing: narrator.standing(state, names) }
    },
    findings: () => game.rules.findings?.(state) ?? null,
    levels: () => outliner?.levels(state) ?? [],
    save: () => game.rules.save(state),
    outcome: () => game.rules.outcome(state),
    removals: () => game.rules.removals?.(state) ?? [],
    view: (viewer) => game.rules.view(state, viewer) as Json,
  }
}

function rowFoldOf<C, S, I, M extends Json, A, V>(
  game: Game<C, S, I, M, A, V>,
  state: S,
  writer: RowWriter<TableForms>,
): RowFold {
  const rows = game.tables?.rows(state, writer)
  return {
    apply(input) {
      const parsed = parsePlainly(game.input, input)
      if (!parsed.ok) return complaintLine(parsed.complaint)
      const after = rows?.input(parsed.value)
      const refusal = game.rules.apply(state, parsed.value)
      if (refusal === null) after?.()
      return refusal
    },
    end() {
      const outcome = game.rules.outcome(state)
      if (outcome !== null) rows?.end?.(outcome)
      return outcome !== null
    },
  }
}

function typedTable<C, S, I, M extends Json, A, V>(
  game: Game<C, S, I, M, A, V>,
  raw: RawTable,
  state: S,
): Table<M, A, I, S> {
  return {
    seats: raw.seats,
    state,
    now: () => raw.now(),
    random: (stream) => raw.random(stream),
    ask: (question) => raw.ask(question),
    withdraw: (question) => raw.withdraw(question),
    tell: (to: readonly Post[], message: M) => raw.tell(to, message),
    async next(until) {
      const arrival = await raw.next(until)
      return arrival === 'time' ? arrival : typedArrival(game, raw, arrival)
    },
    dismiss: (seat: SeatId) => raw.dismiss(seat),
    commit(input: I, audience: Audience) {
      const { spectators } = raw
      const isShown = spectators?.watched === true && audience === 'public'
      const narrated = isShown ? game.presentation?.spectatorView?.input(state, spectators.names) : undefined
      const refusal = game.rules.apply(state, input)
      if (refusal !== null) return refusal
      const at = raw.now()
      raw.input(at, audience, input as Json, () => game.rules.save(state), game.rules.findings?.(state) ?? null)
      spectators?.event(at, narrated?.(input) ?? null)
      return null
    },
  }
}

/** An answer that the game's schema refuses becomes an `invalid` fault; the referee never sees a malformed value. */
function typedArrival<C, S, I, M extends Json, A, V>(
  game: Game<C, S, I, M, A, V>,
  raw: RawTable,
  arrival: Arrival<Json>,
): Arrival<A> {
  if (arrival.type !== 'answer' && arrival.type !== 'said') return arrival
  const parsed = parsePlainly(game.answer, arrival.value)
  if (parsed.ok) return { ...arrival, value: parsed.value }
  // The message may quote the answer; cutting it may split a surrogate pair, which `toWellFormed` repairs.
  const sentence = complaintSentence(parsed.complaint)
  const cause = noNumber.test(parsed.complaint.message) ? ' NaN and Infinity become null in JSON.' : ''
  const text = `The answer cannot be read: ${sentence}${cause}`.slice(0, 4_000).toWellFormed()
  const { at, post } = arrival
  const to = arrival.type === 'answer' ? arrival.to : null
  const fault: Fault =
    arrival.type === 'answer' ? { kind: 'invalid', text, tookMs: arrival.tookMs } : { kind: 'invalid', text }
  raw.fault(raw.now(), post, to, fault)
  return { at, post, type: 'fault', to, fault, gone: false }
}

/** A null where a number belongs. */
const noNumber = /\bnumber\b.*, found null$| is null and must be a(?: whole)? number\b/

/** If the value is an object: the value with these settings as defaults. */
function withSettings(settings: Readonly<Record<string, Json>>, value: Json): Json {
  const isObject = value !== null && typeof value === 'object' && !Array.isArray(value)
  return isObject ? { ...settings, ...(value as Readonly<Record<string, Json>>) } : value
}
