import type * as z from 'zod'
import { complaintLine, complaintSentence, parsePlainly } from '../complaints.ts'
import type { Fault } from '../faults.ts'
import type {
  Arrival,
  Audience,
  Deed,
  Replayer,
  Game,
  ErasedGame,
  NativeWire,
  NetworkPlay,
  Post,
  RawTable,
  Retelling,
  Seat,
  Table,
} from './game.ts'
import type { Wire } from './wire.ts'
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
  return {
    id: game.id,
    title: game.title,
    version: game.version,
    script: game.script,
    lanes: game.lanes ?? 1,
    config: (value, age = 'new') => {
      const complete = age === 'new' ? withSettings(game.newContestSettings ?? {}, value) : value
      const parsed = parsePlainly(game.config, complete)
      return parsed.ok
        ? { ok: true, value: parsed.value as Json }
        : { ok: false, error: complaintLine(parsed.complaint) }
    },
    timed: (config) => game.timed?.(configOf(config)) ?? false,
    length: (config) => game.length?.(configOf(config)) ?? 1,
    seats: (config, entrants) => game.seats(configOf(config), entrants),
    unreadable(answer) {
      const parsed = parsePlainly(game.answer, answer)
      return parsed.ok ? null : complaintLine(parsed.complaint)
    },
    fold,
    retelling: eraseRetelling(game),
    wire:
      game.wire === undefined
        ? undefined
        : (post, config, seats, host) => game.wire!(post, configOf(config), seats, host) as Wire<Json, Json>,
    seatWire:
      game.seatWire === undefined
        ? undefined
        : (seat, config, seats, host) => game.seatWire!(seat, configOf(config), seats, host) as Wire<Json, Json>,
    moveWire:
      game.moveWire === undefined
        ? undefined
        : (post, config, seats, host) => game.moveWire!(post, configOf(config), seats, host) as Wire<Json, Json>,
    scoreText: (score) => game.scoreText?.(score) ?? String(score),
    limits: game.limits ?? {},
    submission: game.submission === undefined ? undefined : (files) => game.submission!(files),
    trial: game.trial ?? {},
    example: game.example,
    keptFromKits: game.keptFromKits ?? [],
    texts: game.texts ?? {},
    subject: (config) => game.subject?.(config) ?? null,
    network: eraseNetwork(game.network, configOf),
    contests: game.contests ?? {},
    encounters:
      game.encounters === undefined
        ? undefined
        : (config, players, inputs) => game.encounters!(configOf(config), players, parsedInputs(game, inputs)),
    parts:
      game.parts === undefined
        ? undefined
        : {
            ...game.parts,
            of: (config, players, inputs) => game.parts!.of(configOf(config), players, parsedInputs(game, inputs)),
          },
    ground: (config) => game.spectatorView?.ground(configOf(config)) ?? null,
    async conduct(raw, configJson, seed, limits) {
      const config = configOf(configJson)
      const state = game.rules.initial(config, raw.seats, seed)
      raw.spectators?.begin(() => game.spectatorView?.scene(state) ?? null)
      await game.referee(typedTable(game, raw, state), config, limits)
      return replayerOf(game, state)
    },
  }
}

function eraseNetwork<C, M extends Json, A, V>(
  network: NetworkPlay<C, M, A, V> | undefined,
  configOf: (from: Json) => C,
): ErasedGame['network'] {
  if (network === undefined) return undefined
  const { plain, rejoins, native } = network
  if (native === undefined) return { plain, rejoins }
  return {
    plain,
    rejoins,
    native: {
      ...native,
      wire: (post, config, seats, host) =>
        native.wire(post, configOf(config), seats, host) as NativeWire<Json, Json, Json>,
    },
  }
}

function* parsedInputs<I>({ input }: { readonly input: z.ZodType<I> }, inputs: Iterable<Json>): Generator<I> {
  for (const each of inputs) yield input.parse(each)
}

function eraseRetelling<C, S, I, M extends Json, A, V>({
  retelling,
  input,
}: Game<C, S, I, M, A, V>): Retelling<Json, Json, Json> | undefined {
  if (retelling === undefined) return undefined
  return {
    // Messages come from the game's own referee, so the cast is safe.
    ready: (message) => retelling.ready(message as M) as Json,
    ...(retelling.asksPerson === undefined
      ? {}
      : { asksPerson: (message: Json) => retelling.asksPerson?.(message as M) === true }),
    deeds: (given) => retelling.deeds(input.parse(given)) as readonly Deed<Json>[],
  }
}

function replayerOf<C, S, I, M extends Json, A, V>(game: Game<C, S, I, M, A, V>, state: S): Replayer {
  return {
    apply(input) {
      const parsed = parsePlainly(game.input, input)
      return parsed.ok ? game.rules.apply(state, parsed.value) : complaintLine(parsed.complaint)
    },
    tell(input) {
      const parsed = parsePlainly(game.input, input)
      if (!parsed.ok) return complaintLine(parsed.complaint)
      const outline = game.outline?.input(state)
      const swings = game.outline?.swings?.(state, parsed.value)
      const refusal = game.rules.apply(state, parsed.value)
      if (refusal !== null) return refusal
      const { round, seat, lines, marks } = outline?.(parsed.value) ?? { round: 1, seat: null, lines: 1, marks: [] }
      return { round, seat, lines, marks, swings: swings?.() ?? [] }
    },
    describe(input, names) {
      const parsed = parsePlainly(game.input, input)
      if (!parsed.ok) return complaintLine(parsed.complaint)
      const { storyteller } = game
      const told = storyteller?.input(state, names)
      const refusal = game.rules.apply(state, parsed.value)
      if (refusal !== null) return refusal
      if (storyteller === undefined || told === undefined) return null
      return { lines: told(parsed.value), standing: storyteller.standing(state, names) }
    },
    levels: () => game.outline?.levels(state) ?? [],
    save: () => game.rules.save(state),
    outcome: () => game.rules.outcome(state),
    removals: () => game.rules.removals?.(state) ?? [],
    view: (viewer) => game.rules.view(state, viewer) as Json,
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
      const isTold = spectators?.watched === true && audience === 'public'
      const told = isTold ? game.spectatorView?.input(state, spectators.names) : undefined
      const refusal = game.rules.apply(state, input)
      if (refusal !== null) return refusal
      const at = raw.now()
      raw.input(at, audience, input as Json, () => game.rules.save(state))
      spectators?.event(at, told?.(input) ?? null)
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
  const text = `The answer cannot be read: ${complaintSentence(parsed.complaint)}`.slice(0, 4_000).toWellFormed()
  const { at, post } = arrival
  const to = arrival.type === 'answer' ? arrival.to : null
  const fault: Fault =
    arrival.type === 'answer' ? { kind: 'invalid', text, tookMs: arrival.tookMs } : { kind: 'invalid', text }
  raw.fault(raw.now(), post, to, fault)
  return { at, post, type: 'fault', to, fault, gone: false }
}

/** If the value is an object: the value with these settings as defaults. */
function withSettings(settings: Readonly<Record<string, Json>>, value: Json): Json {
  const isObject = value !== null && typeof value === 'object' && !Array.isArray(value)
  return isObject ? { ...settings, ...(value as Readonly<Record<string, Json>>) } : value
}
