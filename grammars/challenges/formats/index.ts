import type { Json } from '../../json.ts'
import type { Values } from '../../values/index.ts'
import { courseCsp } from './course-csp.ts'
import { dimacs } from './dimacs.ts'
import { fits, patternText } from './fit.ts'
import { colouringGraphs, coverGraphs } from './graph.ts'
import { setCovers } from './or-library.ts'
import { tours } from './tsplib.ts'
import type { BestKnown, Exchange, ImportedMaterial } from './format.ts'

export type { BestKnown, Exchange, Imported, ImportedMaterial } from './format.ts'

/** The exchanges of each format that a challenge can name. One with several reads the same texts for different fields. */
const exchanges: ReadonlyMap<string, readonly Exchange[]> = new Map([
  ['course-csp', [courseCsp]],
  ['dimacs-cnf', [dimacs]],
  ['dimacs-graph', [colouringGraphs, coverGraphs]],
  ['or-library-scp', [setCovers]],
  ['tsplib', [tours]],
])

/** The formats that a challenge can name. */
export const formatNames: readonly string[] = [...exchanges.keys()]

/** The formats of challenges that name none, by the names of the challenges. */
const unnamed: ReadonlyMap<string, string> = new Map([
  ['max-sat', 'dimacs-cnf'],
  ['max-csp', 'course-csp'],
  ['graph-colouring', 'dimacs-graph'],
  ['vertex-cover', 'dimacs-graph'],
  ['set-cover', 'or-library-scp'],
  ['travelling-salesman', 'tsplib'],
])

/** The names of the challenges with a format that they do not name. */
export const exchanged: readonly string[] = [...unnamed.keys()]

/** The format that a challenge names. `best`: its measure is that of the collection, so that the best known ones count for it. */
export interface NamedFormat {
  readonly name: string
  readonly best: boolean
}

/** The parts of a challenge that decide about its format. */
export interface Exchanging {
  readonly name: string
  readonly format: NamedFormat | null
  readonly largestConfig: Json
  readonly values: Values
}

/** How the raw material of a challenge is exchanged with other programs; null: no format is known for the challenge. */
export function exchangeOf({ name, format, largestConfig, values }: Exchanging): Exchange | null {
  const named = format ?? { name: unnamed.get(name) ?? '', best: true }
  const exchange = fitting(named.name, values)
  if (exchange === null) return null
  return {
    ...exchange,
    read(text, file) {
      const read = exchange.read(text, file)
      if (!read.ok) return read
      const { material } = read
      const predicate = values.validate(material.predicate, 'Predicate') === null ? material.predicate : null
      const has = (setting: string): boolean => Object.hasOwn(largestConfig as object, setting)
      const config = Object.fromEntries(Object.entries(material.config).filter(([setting]) => has(setting)))
      const best =
        named.best && material.best !== null && Object.keys(material.best.settings).every(has) ? material.best : null
      const notes = best === null ? material.notes : [...material.notes, bestKnownNote(best)]
      return { ok: true, material: { ...material, predicate, config, notes, best } }
    },
    write(instance, wanted) {
      if (wanted === undefined || exchange.formats.includes(wanted)) return exchange.write(instance, wanted)
      return { ok: false, error: `${name} can be written as ${exchange.formats.join(', ')}, not as ${wanted}.` }
    },
    recognized: (instance) => (named.best ? exchange.recognized(instance) : null),
  }
}

function bestKnownNote({ name, measure, settings }: BestKnown): string {
  const least = Object.entries(settings).map(([setting, value]) => `, with ${setting} from ${value}`)
  return `Best known: measure ${measure} (${name})${least.join('')}.`
}

/** The exchange of a format whose fields the challenge has. */
function fitting(format: string, values: Values): Exchange | null {
  const found = values.shape('Instance')
  if (!found.ok) return null
  return exchanges.get(format)?.find(({ instance }) => fits(found.shape, instance)) ?? null
}

/** Why a challenge with these values cannot have the format, in a sentence with the fields that it needs; null: it can. */
export function misfit(format: string, values: Values): string | null {
  if (fitting(format, values) !== null) return null
  const forms = (exchanges.get(format) ?? []).map(({ instance }) => `(${patternText(instance)})`)
  return `The format ${format} needs other fields of Instance: ${forms.join(' or ')}.`
}

/**
 * The best known solution of an instance, if the settings allow it; null: none is known. `material`: with which it was read; null: it
 * is recognized by its value alone. `config`: complete.
 */
export function bestKnownOf(
  challenge: Exchanging,
  config: Json,
  instance: Json,
  material: Pick<ImportedMaterial, 'best'> | null,
): BestKnown | null {
  if (challenge.values.validate(instance, 'Instance') !== null) return null
  const best = material?.best ?? exchangeOf(challenge)?.recognized(instance) ?? null
  if (best === null) return null
  const settings = config as { readonly [setting: string]: Json }
  return Object.entries(best.settings).every(([name, least]) => Number(settings[name]) >= least) ? best : null
}
