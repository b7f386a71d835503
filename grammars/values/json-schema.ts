import type { Lexical } from '../class-dictionary/built-in.ts'
import type { ClassNode, Node } from '../class-dictionary/expand.ts'
import type { Vocabulary } from '../class-dictionary/vocabulary.ts'
import type { Json } from '../json.ts'
import { declare } from './declare.ts'
import type { Declared } from './declare.ts'

/**
 * A JSON Schema (draft 2020-12) of a type: one definition for each class, and one more, `Circle.alternative`, for a
 * class where "$" names it. It accepts every value, and in addition only what a schema cannot exclude: -0, lone
 * surrogates in strings, and sets and maps in another order or with duplicate keys.
 */
export function jsonSchemaOf(root: Node, vocabulary: Vocabulary): JsonSchema {
  const declared = declare(root, new Set(), (node) => node.kind !== 'foreign' && !isPlain(node))
  const { bare, tagged } = uses(root, declared.all)
  const definitions: (readonly [string, Json])[] = []
  for (const { name, node } of declared.named) {
    if (bare.has(node)) definitions.push([name, schemaOf(node, declared, vocabulary)])
    if (node.kind === 'class' && tagged.has(node)) {
      definitions.push([`${name}.alternative`, objectSchema(node, declared, vocabulary, true)])
    }
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: root.text,
    ...reference(root, declared, vocabulary),
    ...(definitions.length === 0 ? {} : { $defs: Object.fromEntries(definitions) }),
  }
}

/** A JSON Schema as a document. */
export type JsonSchema = JsonObject & { readonly $schema: string }

type JsonObject = { readonly [key: string]: Json }

/** The types that are used directly, and the classes that are used as alternatives. */
function uses(root: Node, all: ReadonlySet<Node>): { bare: ReadonlySet<Node>; tagged: ReadonlySet<ClassNode> } {
  const bare = new Set([root])
  const tagged = new Set<ClassNode>()
  for (const node of all) {
    if (node.kind === 'list' || node.kind === 'option') bare.add(node.of)
    else if (node.kind === 'choice') for (const { node: one } of node.alternatives) tagged.add(one)
    else if (node.kind === 'class') for (const item of node.items) if (item.kind === 'field') bare.add(item.type)
  }
  return { bare, tagged }
}

/** True if a type's schema is short enough to be repeated instead of referenced. */
function isPlain(node: Node): boolean {
  return node.kind === 'lexical' && ['number', 'boolean', 'string'].includes(node.lexical)
}

function reference(node: Node, declared: Declared, vocabulary: Vocabulary): JsonObject {
  const name = declared.nameOf(node)
  return name === undefined ? schemaOf(node, declared, vocabulary) : { $ref: `#/$defs/${name}` }
}

/** The schema of a type without its name. Recurs only through unnamed lists and options, whose nesting is limited. */
function schemaOf(node: Node, declared: Declared, vocabulary: Vocabulary): JsonObject {
  switch (node.kind) {
    case 'lexical':
      return lexicalSchema(node.lexical, vocabulary)
    case 'option':
      return { anyOf: [reference(node.of, declared, vocabulary), { type: 'null' }] }
    case 'list':
      return {
        type: 'array',
        items: reference(node.of, declared, vocabulary),
        ...(node.layout?.first === true ? { minItems: 1 } : {}),
        ...(node.sorted === null ? {} : { uniqueItems: true, description: inWords[node.sorted] }),
      }
    case 'class':
      return objectSchema(node, declared, vocabulary, false)
    case 'choice': {
      const names = node.alternatives.map(({ node: one }) => `${declared.nameOf(one)!}.alternative`)
      return names.length === 0 ? { not: {} } : { oneOf: names.map((name) => ({ $ref: `#/$defs/${name}` })) }
    }
    case 'foreign':
      return { not: {} }
  }
}

const inWords = {
  set: 'A set: sorted, each element once.',
  map: 'A map: entries sorted by their keys, each key once.',
}

function objectSchema(node: ClassNode, declared: Declared, vocabulary: Vocabulary, tagged: boolean): JsonObject {
  const fields = node.items.flatMap((item): readonly (readonly [string, Json])[] =>
    item.kind === 'field' ? [[item.label, reference(item.type, declared, vocabulary)]] : [],
  )
  const properties = tagged ? [['$', { const: node.name }] as const, ...fields] : fields
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: properties.map(([label]) => label),
    additionalProperties: false,
  }
}

function lexicalSchema(lexical: Lexical, vocabulary: Vocabulary): JsonObject {
  switch (lexical) {
    case 'int':
      return { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
    case 'number':
    case 'boolean':
    case 'string':
      return { type: lexical }
    case 'char':
      return { type: 'string', minLength: 1, maxLength: 1 }
    case 'ident': {
      const words = vocabulary.literals.filter((text) => /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(text))
      const name = { type: 'string', pattern: '^[A-Za-z_$][A-Za-z0-9_$]*$' }
      return words.length === 0 ? name : { ...name, not: { enum: words } }
    }
    case 'verbatim':
      return { type: 'string', pattern: '^([^}]|\\}(?!\\}|$))*$' }
  }
}
