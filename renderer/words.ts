import { settings } from './settings.svelte.ts'

// Numbers and dates in the format of the settings' language. Formatters are expensive to create, so they are cached.
const made = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>()

function locale(): string | undefined {
  const chosen = settings.value?.locale ?? ''
  return chosen === '' ? undefined : chosen
}

function numbers(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `n ${locale() ?? ''} ${JSON.stringify(options)}`
  const known = made.get(key)
  if (known instanceof Intl.NumberFormat) return known
  const fresh = new Intl.NumberFormat(locale(), options)
  made.set(key, fresh)
  return fresh
}

function dates(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `d ${locale() ?? ''} ${JSON.stringify(options)}`
  const known = made.get(key)
  if (known instanceof Intl.DateTimeFormat) return known
  const fresh = new Intl.DateTimeFormat(locale(), options)
  made.set(key, fresh)
  return fresh
}

/** 12,345.67, with at most `digits` decimals. */
export function number(value: number, digits = 2): string {
  return numbers({ maximumFractionDigits: digits }).format(value)
}

/** 1.2K, 3.4M. */
export function compact(value: number): string {
  return numbers({ notation: 'compact', maximumFractionDigits: 1 }).format(value)
}

/** 0.25 is 25 %. */
export function percent(value: number, digits = 0): string {
  return numbers({ style: 'percent', maximumFractionDigits: digits }).format(value)
}

/** `3 matches`, `1 match`. */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`
}

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })
const endings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' }

/** `1st`, `2nd`: a place. */
export function ordinal(rank: number): string {
  return `${number(rank)}${endings[ordinals.select(rank)] ?? 'th'}`
}

/** Bytes, in the largest unit that leaves a number from 1. */
export function bytes(value: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']
  const power = value < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value) / 3))
  const options = { style: 'unit', unit: units[power]!, unitDisplay: 'short', maximumFractionDigits: 1 } as const
  return numbers(options).format(value / 1_000 ** power)
}

/** A duration given in ms, in at most two units: `350 ms`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function span(ms: number): string {
  if (ms < 1_000) return `${number(ms, ms < 10 ? 1 : 0)} ms`
  const seconds = ms / 1_000
  if (seconds < 10) return `${number(seconds, 1)} s`
  if (seconds < 60) return `${number(seconds, 0)} s`
  const [large, small, names] =
    seconds < 3_600
      ? [Math.floor(seconds / 60), Math.floor(seconds % 60), ['min', 's']]
      : [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60), ['h', 'min']]
  return `${number(large)} ${names[0]}${small === 0 ? '' : ` ${small} ${names[1]}`}`
}

/** An estimated duration, rounded coarsely: `about 7 s`, `about 28 min`. */
export function about(ms: number): string {
  const grain = ms < 60_000 ? 1_000 : ms < 600_000 ? 10_000 : 60_000
  return `about ${span(Math.max(1_000, Math.round(ms / grain) * grain))}`
}

/** Formats an ISO 8601 time as date and time; returns invalid text unchanged. */
export function moment(iso: string): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return iso
  return dates({ dateStyle: 'medium', timeStyle: 'short' }).format(date)
}

/** Like `moment`, by the clocks of a time zone. */
export function momentIn(iso: string, timeZone: string): string {
  return dates({ dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(iso))
}

/** A day of the week, 1 (Monday) to 7 (Sunday), in a few letters: `Mon`. */
export function weekday(day: number): string {
  // 1 January 2024 was a Monday.
  return dates({ weekday: 'short', timeZone: 'UTC' }).format(new Date(Date.UTC(2024, 0, day)))
}

/** A date without its time. */
export function day(date: Date): string {
  return dates({ dateStyle: 'medium' }).format(date)
}
