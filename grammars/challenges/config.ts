import { nearest } from '../class-dictionary/checking/suggest.ts'
import { exactly, order, toNumber, toFraction } from '../formulas/index.ts'
import type { Exact } from '../formulas/index.ts'
import type { Json } from '../json.ts'
import type { ClassShape } from '../values/index.ts'
import type { Checked } from './challenge.ts'
import type { SettingTree } from './tree.ts'

/** The shape of a config: a class of numbers; a field is an integer if its default and range are. */
export function configShape(settings: readonly SettingTree[]): ClassShape {
  const fields = settings.map((setting) => ({ label: setting.name, type: { kind: kindOf(setting) } }))
  return { kind: 'class', name: 'config', fields }
}

/** Fills in defaults and checks ranges; `value` is hostile. `what`: the word for one of them in messages. */
export function checkConfig(
  settings: readonly SettingTree[],
  value: Json,
  what: 'setting' | 'parameter' = 'setting',
): Checked<{ readonly value: Json }> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refusal(`The ${what}s of a challenge must be an object.`)
  }
  const given = new Map<string, unknown>(Object.entries(value))
  const filled: [string, number][] = []
  for (const setting of settings) {
    const { name, low, high } = setting
    const number = given.has(name) ? given.get(name) : decimal(setting.standard)
    given.delete(name)
    const kind = kindOf(setting)
    if (typeof number !== 'number' || !(kind === 'int' ? Number.isSafeInteger(number) : Number.isFinite(number))) {
      return refusal(`The ${what} ${name} must be ${kind === 'int' ? 'an integer' : 'a number'}.`)
    }
    if (order(exactly(number), low) < 0 || order(exactly(number), high) > 0) {
      return refusal(`The ${what} ${name} must be from ${decimal(low)} to ${decimal(high)}, not ${number}.`)
    }
    // -0 is 0.
    filled.push([name, number + 0])
  }
  const [unknown] = given.keys()
  if (unknown !== undefined) return refusal(noSetting(unknown, settings, what))
  return { ok: true, value: Object.fromEntries(filled) }
}

function noSetting(unknown: string, settings: readonly SettingTree[], what: string): string {
  const names = settings.map(({ name }) => name)
  const near = nearest(unknown, names)
  const known = names.length === 0 ? `it has no ${what}s` : `the ${what}s are ${names.join(', ')}`
  const hint = near === null ? `; ${known}.` : `. Did you mean "${near}"?`
  return `The challenge has no ${what} ${JSON.stringify(unknown.slice(0, 60))}${hint}`
}

/** The value as a JSON number, which is exact because the reader has checked it. */
export function decimal(value: Exact): number {
  return typeof value === 'number' ? value : toNumber(toFraction(value))
}

export function kindOf(setting: SettingTree): 'int' | 'number' {
  const { standard, low, high } = setting
  return [standard, low, high].every((value) => typeof value === 'number') ? 'int' : 'number'
}

function refusal(error: string): { readonly ok: false; readonly error: string } {
  return { ok: false, error }
}
