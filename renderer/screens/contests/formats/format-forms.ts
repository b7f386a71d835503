import type * as z from 'zod'
import {
  doubleRoundRobinSettings,
  gauntletSettings,
  knockoutSettings,
  ladderSettings,
  poolsSettings,
  swissSettings,
  type OrderedPairs,
  type RoundRobin,
} from '../../../../main/contract/contests/format-settings.ts'
import type { ContestDraft } from '../../../../main/contract/procedures/procedures.ts'
import type { GameFormat, Settings } from '../../../games/field.ts'
import { configOf, fieldsOf, wordsOf } from '../../../games/settings-fields.ts'
import { count, number, percent } from '../../../words.ts'
import type { Form } from '../new/form.ts'
import type { NumberOf } from './number-fields.svelte'

type Words = readonly (readonly [label: string, value: string])[]

/** A contest format that every game has, as forms show it. */
export interface FormatForm {
  readonly label: string
  readonly fields: readonly NumberOf[]
  /** The rule for entrants that are tied at a cut. Absent: it has no cut. */
  readonly ties?: TiesChoice
  /** The description's `format` as the fields say it, without its type. */
  settings(form: Form): object
  /** How many players a match needs; null: any number. */
  players(form: Form): number | null
}

/** The choice of the rule for ties. */
interface TiesChoice {
  readonly label: string
  readonly options: readonly { readonly value: Form['ties']; readonly label: string }[]
  /** False if nobody can be tied; it is then hidden. */
  readonly when: (form: Form) => boolean
}

/** The fields of a round-robin that plays all matches, and of ordered pairs whose ties play on: no preset differs. */
export const usualRules = { untilTop: null, untilConfidence: 95, ties: 'play-on' } as const

/** The rules for entrants that are tied at the cut of a final. */
const tiedAtCut = { 'play-on': 'play on', seed: 'order of players' } as const

const nothing = { settings: () => ({}), players: () => null }

export const formatForms: Readonly<Record<string, FormatForm>> = {
  'round-robin': {
    label: 'Round-robin',
    fields: [
      { name: 'seats', label: 'Players a match', min: 1, max: 100 },
      { name: 'repeats', label: 'Each set meets', hint: 'times; seats change each time', min: 1 },
      {
        name: 'untilTop',
        label: 'Ends when the best are known',
        hint: 'number of best entrants; the contest then ends before all matches are played',
        min: 1,
        max: 10_000,
        empty: 'plays all matches',
      },
      {
        name: 'untilConfidence',
        label: 'Confidence',
        hint: '% certainty that they are better than all others',
        min: 50,
        max: 99.9,
        step: 'any',
        when: ({ untilTop }) => untilTop !== null,
      },
    ],
    settings: ({ seats, repeats, untilTop, untilConfidence }) => ({
      seats,
      repeats,
      ...(untilTop !== null && { until: { top: untilTop, confidence: (untilConfidence ?? NaN) / 100 } }),
    }),
    players: ({ seats }) => seats,
  },
  single: { label: 'One match of all', fields: [], ...nothing },
  'ordered-pairs': {
    label: 'All pairs, then a final',
    fields: [
      { name: 'seeds', label: 'Scenarios', hint: 'each ordered pair meets once on each', min: 1, max: 100_000_000 },
      { name: 'finalists', label: 'Finalists', hint: '0: no final', min: 0, max: 10_000 },
      {
        name: 'finalSeeds',
        label: 'Scenarios of the final',
        hint: 'additional scenarios for the finalists',
        min: 1,
        max: 100_000_000,
      },
    ],
    ties: {
      label: 'Tied at the cut',
      options: [
        { value: 'play-on', label: tiedAtCut['play-on'] },
        { value: 'seed', label: tiedAtCut.seed },
      ],
      when: ({ finalists }) => finalists !== 0,
    },
    ...nothing,
    settings: ({ seeds, finalists, finalSeeds, ties }) => ({
      ...{ seeds, finalists, finalSeeds },
      // Without a final nobody is tied at its cut.
      ...(finalists !== 0 && { ties }),
    }),
  },
}

const seats = { label: 'Players a match', empty: 'set by the game' }
const swissShape = swissSettings.shape

/** Formats that every game has whose fields follow from their schema. */
const schemaFormats: readonly GameFormat[] = [
  {
    name: 'double-round-robin',
    label: 'Double round-robin',
    fields: fieldsOf(withSeats(doubleRoundRobinSettings), { seats }),
  },
  {
    name: 'swiss',
    label: 'Swiss',
    fields: fieldsOf(withSeats(swissSettings).extend({ rounds: swissShape.rounds.unwrap().nullable() }), {
      seats,
      rounds: {
        empty: 'until one is ahead',
        hint: 'each round pairs entrants with equal points that have not met yet',
      },
    }),
  },
  {
    name: 'knockout',
    label: 'Knockout',
    fields: fieldsOf(knockoutSettings, {
      bestOf: { label: 'Best of', hint: 'matches of two; an odd number' },
      thirdPlace: { label: 'Match for third place' },
      seeding: { options: { listed: 'in the order of players, strongest first', drawn: 'drawn by lot' } },
      ties: {
        label: 'A tied encounter',
        options: { 'play-on': 'is played on', score: 'goes to the higher score', seed: 'goes to the better seed' },
      },
    }),
  },
  {
    name: 'gauntlet',
    label: 'Gauntlet',
    fields: fieldsOf(withSeats(gauntletSettings), {
      seats,
      challengers: { hint: 'the first in the order of players; they play all others' },
      repeats: { label: 'Matches with each', hint: 'seats change each time' },
    }),
  },
  {
    name: 'ladder',
    label: 'Ladder (pyramid)',
    fields: fieldsOf(withSeats(ladderSettings), {
      seats,
      repeats: { label: 'Matches with each before it', hint: 'entrants join in the order of players' },
    }),
  },
  {
    name: 'pools',
    label: 'Pools',
    fields: fieldsOf(withSeats(poolsSettings), {
      seats,
      games: { label: 'Matches of each', hint: 'at random tables' },
      house: { label: 'House agents', hint: 'the last in the order of players; they only fill tables' },
    }),
  },
]

interface Seated extends z.ZodRawShape {
  readonly seats: z.ZodExactOptional<z.ZodInt>
}

/** The schema of a format whose number of seats may be left to the game. */
function withSeats<S extends Seated>(schema: z.ZodObject<S>) {
  return schema.extend({ seats: schema.shape.seats.unwrap().nullable() })
}

/** Before the name of a game's own format in the choice of formats. */
const OWN = 'game:'

/** The formats to choose from. `own`: those of the game. */
export function formatOptions(
  own: readonly GameFormat[],
): readonly { readonly value: string; readonly label: string }[] {
  const usual = Object.entries(formatForms).map(([value, { label }]) => ({ value, label }))
  const [roundRobin, ...rest] = usual
  const others = [...schemaFormats.map(({ name, label }) => ({ value: name, label })), ...rest]
  return [...own.map(({ name, label }) => ({ value: OWN + name, label })), roundRobin!, ...others]
}

/** The chosen format, if its fields follow from a schema: one of the game's own, or one that all games have. */
export function schemaFormat(chosen: string, own: readonly GameFormat[]): GameFormat | undefined {
  return own.find(({ name }) => OWN + name === chosen) ?? schemaFormats.find(({ name }) => name === chosen)
}

/** The description's `format` that the fields describe. */
export function formatOf(form: Form, own: readonly GameFormat[]): object {
  const format = schemaFormat(form.format, own)
  if (format === undefined) return { type: form.format, ...formatForms[form.format]?.settings(form) }
  const settings = configOf(format.fields, form.formatSettings)
  if (form.format.startsWith(OWN)) return { type: 'game', name: format.name, settings }
  const given = Object.entries(settings).filter(([, value]) => value !== null)
  return { type: format.name, ...Object.fromEntries(given) }
}

/** Labels of the game's settings that have no meaning in this format. */
export function replacedBy(format: Format, own: readonly GameFormat[]): readonly string[] {
  return (format.type === 'game' ? own.find(({ name }) => name === format.name)?.replaces : undefined) ?? []
}

type Format = ContestDraft['format']
type FormatOf<T extends Format['type']> = Extract<Format, { type: T }>

const words = {
  single: () => [['Format', 'one match of all']],
  'round-robin': ({ seats: players = 2, repeats, until }: RoundRobin) => [
    ['Format', 'round-robin'],
    ['Players a match', number(players)],
    ['Each set meets', count(repeats, 'time')],
    ...(until === undefined ? [] : [['Ends when the best are known', untilWords(until)] as const]),
  ],
  'ordered-pairs': ({ seeds, phrase, finalists, finalSeeds, ties }: OrderedPairs) => [
    ['Format', 'all ordered pairs'],
    ['Scenarios', scenarios(seeds)],
    ...(phrase === undefined ? [] : [['Phrase of the seeds', phrase] as const]),
    ['Finalists', finalists === 0 ? 'no final' : number(finalists)],
    ...(finalists === 0 ? [] : [['Scenarios of the final', scenarios(finalSeeds)] as const]),
    ...(finalists === 0 ? [] : [['Tied at the cut', tiedAtCut[ties ?? 'seed']] as const]),
  ],
  game: ({ name, settings }) => [
    ['Format', name],
    ...Object.entries(settings ?? {}).map(([key, value]) => [key, JSON.stringify(value)] as const),
  ],
} satisfies { readonly [T in Format['type']]?: (format: FormatOf<T>) => Words }

const untilWords = ({ top, confidence }: NonNullable<RoundRobin['until']>): string =>
  `the best ${number(top)}, with ${percent(confidence, 1)} confidence`

const scenarios = (seeds: number | readonly number[]): string =>
  typeof seeds === 'number' ? number(seeds) : `${number(seeds.length)}, listed`

/** A format as people say it: labels and values. `own`: the formats of the game. */
export function formatWords(format: Format, own: readonly GameFormat[]): Words {
  const name = format.type === 'game' ? OWN + format.name : format.type
  const known = schemaFormat(name, own)
  if (known !== undefined) {
    const settings = format.type === 'game' ? (format.settings ?? {}) : format
    // A knockout without the setting is older, and goes by score.
    const older = format.type === 'knockout' ? { ties: 'score' } : {}
    return [['Format', known.label], ...wordsOf(known.fields, { ...older, ...(settings as Settings) })]
  }
  switch (format.type) {
    case 'single':
      return words.single()
    case 'round-robin':
      return words['round-robin'](format)
    case 'ordered-pairs':
      return words['ordered-pairs'](format)
    case 'game':
      return words.game(format)
    default:
      return [['Format', format.type]]
  }
}
