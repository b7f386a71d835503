import { DEFAULT_SAMPLE } from '../../../../main/contract/contests/contests.ts'
import type { GameId } from '../../../../main/contract/ids.ts'
import { defaultPolicy } from '../../../../main/contract/contests/policy.ts'
import type { Preset, PresetFormat, Settings } from '../../../games/field.ts'
import type { GameSettings } from '../../../games/game.ts'
import { initialOf } from '../../../games/settings-fields.ts'
import { randomHex } from '../../../random-hex.ts'
import { arenaForm } from '../arena/arena-form.ts'
import { limitFields } from './draft.ts'
import type { Form } from './form.ts'
import { usualRules, schemaFormat } from '../formats/format-forms.ts'

type PresetGame = Pick<GameSettings, 'initial' | 'presets' | 'quick' | 'roles' | 'formats'>
type PresetForm = Pick<
  Form,
  'title' | 'format' | 'formatSettings' | 'settings' | 'untilTop' | 'ties' | keyof PresetFormat
>

/** The contents of the formats' fields if a preset does not set them. */
export const defaultFormat: Required<PresetFormat> = {
  format: 'round-robin',
  seats: 2,
  repeats: 2,
  seeds: 500,
  finalists: 50,
  finalSeeds: 500,
}

/** The initial contents of the form, before the settings of the game are known. */
export function emptyForm(game: GameId): Form {
  return {
    title: '',
    game,
    formatSettings: {},
    ...defaultFormat,
    ...usualRules,
    seed: randomHex(),
    classPhrase: false,
    ...limitFields(undefined),
    isolation: 'bubblewrap',
    clock: 'frozen',
    samplePercent: DEFAULT_SAMPLE * 100,
    sharePercent: 0,
    toolchains: '',
    policy: defaultPolicy,
    entrants: [],
    order: [],
    connecting: '',
    arena: arenaForm(),
    settings: {},
  }
}

/** Fields under Advanced, beside the limits and the settings of a format. */
export const advancedFields: readonly string[] = [
  'format',
  'seats',
  'repeats',
  'untilTop',
  'untilConfidence',
  'seeds',
  'finalists',
  'finalSeeds',
  'ties',
  'seed',
  'clock',
  'samplePercent',
  'sharePercent',
  'toolchains',
]

/** Presets of every game, then those of this one. `today`: a date as people read it. */
export function presetsOf({ presets = [], quick, roles }: PresetGame, today: string): readonly Preset[] {
  // Two repeats are a first and a return match.
  const meetings = roles === true ? 'twice, once in each role' : 'once'
  return [
    {
      label: 'This week’s round-robin',
      hint: 'Everybody meets everybody twice.',
      title: `Round-robin of ${today}`,
      format: {},
      settings: {},
    },
    {
      label: 'Quick test',
      hint: `Everybody meets everybody ${meetings}${quick === undefined ? '' : ', in short matches'}.`,
      title: 'Quick test',
      format: { repeats: roles === true ? 2 : 1 },
      settings: quick ?? {},
    },
    {
      label: 'Tournament',
      hint: 'All pairs in both orders, then a final of the best eight.',
      title: `Tournament of ${today}`,
      format: { format: 'ordered-pairs', seeds: 4, finalists: 8, finalSeeds: 16 },
      settings: {},
    },
    ...presets,
  ]
}

/** The fields as a preset has them. A title that somebody has written stays. */
export function withPreset<F extends PresetForm>(form: F, preset: Preset, all: readonly Preset[], game: PresetGame): F {
  const { title } = form
  const own = title.trim() !== '' && all.every((each) => each.title !== title)
  return {
    ...form,
    ...defaultFormat,
    ...usualRules,
    ...preset.format,
    formatSettings: formatSettingsOf(preset, game),
    settings: { ...form.settings, ...settingsOf(preset, all, game) },
    title: own ? title : preset.title,
  }
}

/** The preset that the fields agree with, if any. */
export function presetIn(form: PresetForm, all: readonly Preset[], game: PresetGame): Preset | undefined {
  return all.find((preset) => {
    const format: Required<PresetFormat> = { ...defaultFormat, ...preset.format }
    const names = [...(formatNames[format.format] ?? []), 'format'] as const
    return (
      names.every((name) => form[name] === format[name]) &&
      (format.format !== 'round-robin' || form.untilTop === null) &&
      (format.format !== 'ordered-pairs' || form.ties === usualRules.ties) &&
      agree(form.formatSettings, formatSettingsOf(preset, game)) &&
      agree(form.settings, settingsOf(preset, all, game))
    )
  })
}

/** The fields that matter to a format. */
const formatNames: Readonly<Record<string, readonly (keyof PresetFormat)[]>> = {
  'round-robin': ['seats', 'repeats'],
  'ordered-pairs': ['seeds', 'finalists', 'finalSeeds'],
}

/** The contents of the fields of a preset's format, if it is one of the game's own. */
function formatSettingsOf({ format }: Preset, { formats = [] }: PresetGame): Settings {
  return initialOf(schemaFormat(format.format ?? '', formats)?.fields ?? [])
}

/** True if fields hold these settings, which may be lists. */
const agree = (fields: Settings, settings: Settings): boolean =>
  Object.entries(settings).every(([name, value]) => JSON.stringify(fields[name]) === JSON.stringify(value))

/** The game's settings that presets speak of, as this one has them: what another one has changed is as usual again. */
function settingsOf(preset: Preset, all: readonly Preset[], { initial }: PresetGame): Settings {
  const names = new Set(all.flatMap(({ settings }) => Object.keys(settings)))
  const usual = [...names].flatMap((name) => (initial[name] === undefined ? [] : [[name, initial[name]] as const]))
  return { ...Object.fromEntries(usual), ...preset.settings }
}
