import type { OrderedPairs, RoundRobin } from '../../../main/contract/contests.ts'
import type { ContestDraft } from '../../../main/contract/procedures.ts'
import type { GameFormat, Settings } from '../../games/field.ts'
import { configOf, wordsOf } from '../../games/settings-fields.ts'
import { count, number } from '../../words.ts'
import type { Form } from './form.ts'
import type { NumberOf } from './number-fields.svelte'

type Words = readonly (readonly [label: string, value: string])[]

/** What the window knows of a contest format that every game has. */
export interface FormatForm {
  readonly label: string
  readonly fields: readonly NumberOf[]
  /** The description's `format` as the fields say it, without its type. */
  settings(form: Form): object
  /** How many players a match needs; null: any number. */
  players(form: Form): number | null
}

const nothing = { settings: () => ({}), players: () => null }

export const formatForms: Readonly<Record<string, FormatForm>> = {
  'round-robin': {
    label: 'Round-robin',
    fields: [
      { name: 'seats', label: 'Players a match', min: 1, max: 100 },
      { name: 'repeats', label: 'Each set meets', hint: 'times; seats change each time', min: 1 },
    ],
    settings: ({ seats, repeats }) => ({ seats, repeats }),
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
        hint: 'more of them, for the finalists',
        min: 1,
        max: 100_000_000,
      },
    ],
    ...nothing,
    settings: ({ seeds, finalists, finalSeeds }) => ({ seeds, finalists, finalSeeds }),
  },
}

/** Before the name of a game's own format in the choice of formats. */
const OWN = 'game:'

/** The formats to choose from. `own`: those of the game. */
export function formatOptions(
  own: readonly GameFormat[],
): readonly { readonly value: string; readonly label: string }[] {
  const usual = Object.entries(formatForms).map(([value, { label }]) => ({ value, label }))
  return [...own.map(({ name, label }) => ({ value: OWN + name, label })), ...usual]
}

/** The game's own format that is chosen; undefined: it is one that all games have. */
export function ownFormat(chosen: string, own: readonly GameFormat[]): GameFormat | undefined {
  return own.find(({ name }) => OWN + name === chosen)
}

/** The description's `format` that the fields describe. */
export function formatOf(form: Form, own: readonly GameFormat[]): object {
  const format = ownFormat(form.format, own)
  if (format === undefined) return { type: form.format, ...formatForms[form.format]?.settings(form) }
  return { type: 'game', name: format.name, settings: configOf(format.fields, form.formatSettings) }
}

/** Labels of the game's settings that have no meaning in this format. */
export function replacedBy(format: Format, own: readonly GameFormat[]): readonly string[] {
  return (format.type === 'game' ? own.find(({ name }) => name === format.name)?.replaces : undefined) ?? []
}

type Format = ContestDraft['format']
type FormatOf<T extends Format['type']> = Extract<Format, { type: T }>

const words: { readonly [T in Format['type']]: (format: FormatOf<T>) => Words } = {
  single: () => [['Format', 'one match of all']],
  'round-robin': ({ seats, repeats }: RoundRobin) => [
    ['Format', 'round-robin'],
    ['Players a match', number(seats)],
    ['Each set meets', count(repeats, 'time')],
  ],
  'ordered-pairs': ({ seeds, phrase, finalists, finalSeeds }: OrderedPairs) => [
    ['Format', 'all ordered pairs'],
    ['Scenarios', scenarios(seeds)],
    ...(phrase === undefined ? [] : [['Phrase of the seeds', phrase] as const]),
    ['Finalists', finalists === 0 ? 'no final' : number(finalists)],
    ...(finalists === 0 ? [] : [['Scenarios of the final', scenarios(finalSeeds)] as const]),
  ],
  game: ({ name, settings }) => [
    ['Format', name],
    ...Object.entries(settings ?? {}).map(([key, value]) => [key, JSON.stringify(value)] as const),
  ],
}

const scenarios = (seeds: number | readonly number[]): string =>
  typeof seeds === 'number' ? number(seeds) : `${number(seeds.length)}, listed`

/** A format as people say it: labels and values. `own`: the formats of the game. */
export function formatWords(format: Format, own: readonly GameFormat[]): Words {
  const known = format.type === 'game' ? own.find(({ name }) => name === format.name) : undefined
  if (format.type !== 'game' || known === undefined) return usualWords(format)
  return [['Format', known.label], ...wordsOf(known.fields, (format.settings ?? {}) as Settings)]
}

function usualWords<T extends Format['type']>(format: FormatOf<T>): Words {
  return words[format.type](format)
}
