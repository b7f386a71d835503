import type { Survey } from '../challenges/index.ts'
import { typeOf } from '../formulas/checking/types.ts'
import type { Type } from '../formulas/checking/types.ts'

/** Knowledge of a text during editing; for parts that cannot be parsed now, that from before. */
export interface Knowledge {
  readonly survey: Survey
  /** The text that the offsets refer to. */
  readonly source: string
}

/** A newer survey, completed with what only the older one knows. */
export function merged(older: Survey | null, newer: Survey): Survey {
  if (older === null) return newer
  const last = <T extends { readonly length: number }>(new_: T, old: T): T => (new_.length > 0 ? new_ : old)
  return {
    settings: last(newer.settings, older.settings),
    definitions: last(newer.definitions, older.definitions),
    leagues: last(newer.leagues, older.leagues),
    classes: newer.classes ?? older.classes,
    // A picture that the text does not declare any more is not shown.
    picture: newer.picture,
    generator: newer.generator,
    types: newer.types,
    names: newer.names.size > 0 ? newer.names : older.names,
  }
}

/** The fields of a value that formulas can refer to. */
export function fieldsOfType(type: Type): readonly { readonly label: string; readonly type: Type }[] {
  if (type.kind === 'class') return type.fields.map(({ label, type: shape }) => ({ label, type: typeOf(shape) }))
  if (type.kind !== 'choice') return []
  const [first, ...others] = type.alternatives.map(fieldsOfType)
  return (first ?? []).filter(({ label }) => others.every((fields) => fields.some((field) => field.label === label)))
}

/** `instance.items[i].` before the cursor: a name, then fields and elements. The innermost index contains no bracket. */
const chain = /([A-Za-z_$][\w$]*)((?:\s*\.\s*[A-Za-z_$][\w$]*|\s*\[[^[\]]*\])*)$/

/** The possible types of the text before a `.`; several if a name has several meanings in the file. */
export function typesBefore(text: string, { names, classes, settings }: Survey): readonly Type[] {
  const found = chain.exec(text)
  if (found === null) return []
  const [, root = '', rest = ''] = found
  const own = classes?.find(({ name }) => name === root)
  // Even if no formula could be parsed, config is known from its section.
  const config: Type = {
    kind: 'class',
    name: 'config',
    fields: settings.map(({ name, type }) => ({ label: name, type: { kind: type } })),
  }
  let types: readonly Type[] = names.get(root) ?? (own ? [own] : root === 'config' ? [config] : [])
  for (const step of rest.match(/\.\s*[A-Za-z_$][\w$]*|\[[^[\]]*\]/g) ?? []) {
    const label = /^\.\s*(.*)$/.exec(step)?.[1]
    types = types.flatMap((type) => {
      if (label === undefined) return type.kind === 'list' ? [type.of] : []
      return fieldsOfType(type)
        .filter((field) => field.label === label)
        .map((field) => field.type)
    })
  }
  return types
}
