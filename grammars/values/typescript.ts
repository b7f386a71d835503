import type { ClassNode, Node } from '../class-dictionary/expand.ts'
import { declare } from './declare.ts'
import type { Declared } from './declare.ts'

/** Names that cannot be type names in TypeScript. */
const reserved: ReadonlySet<string> = new Set(
  [
    'any unknown never void null undefined string number boolean symbol object bigint true false this typeof keyof',
    'unique readonly infer asserts is abstract break case catch class const continue debugger default delete do else',
    'enum export extends finally for function if import in instanceof new return super switch throw try var while with',
    'implements interface let package private protected public static yield await async type declare namespace module',
    'intrinsic as satisfies of get set accessor from global require constructor out override using defer',
  ].flatMap((line) => line.split(' ')),
)

const lexicalTypes = {
  int: { type: 'number', comment: 'A whole number from -9007199254740991 to 9007199254740991.' },
  number: { type: 'number', comment: '' },
  boolean: { type: 'boolean', comment: '' },
  char: { type: 'string', comment: 'One character.' },
  ident: {
    type: 'string',
    comment: "A name: letters, digits, _ and $, not beginning with a digit; not one of the dictionary's own words.",
  },
  string: { type: 'string', comment: '' },
  verbatim: { type: 'string', comment: 'A text without }}, and without } at its end.' },
} as const

/**
 * TypeScript declarations of the JSON form of a type and of all that it can contain, one exported type for each class;
 * the last one is the requested type. Comments describe what types cannot express (ranges of numbers, names, the order
 * of sets).
 */
export function typescriptOf(root: Node): string {
  const declared = declare(root, reserved, (node) =>
    node.kind === 'lexical' ? lexicalTypes[node.lexical].comment !== '' : node.kind !== 'foreign',
  )
  const texts = declared.named.map(({ name, node }) => declaration(name, node, declared))
  if (declared.nameOf(root) === undefined) {
    const taken = new Set(declared.named.map(({ name }) => name))
    let name = 'Value'
    for (let number = 2; taken.has(name); number++) name = `Value_${number}`
    texts.unshift(`export type ${name} = ${typeText(root, declared)}\n`)
  }
  return texts.join('\n')
}

function declaration(name: string, node: Node, declared: Declared): string {
  switch (node.kind) {
    case 'lexical': {
      const { type, comment } = lexicalTypes[node.lexical]
      return `/** ${comment} */\nexport type ${name} = ${type}\n`
    }
    case 'class': {
      // An interface without fields would accept anything.
      if (!node.items.some((item) => item.kind === 'field'))
        return `export type ${name} = Readonly<Record<string, never>>\n`
      const fields = node.items.flatMap((item) =>
        item.kind === 'field' ? [`  readonly ${item.label}: ${typeText(item.type, declared)}\n`] : [],
      )
      return `export interface ${name} {\n${fields.join('')}}\n`
    }
    case 'choice': {
      const alternatives = node.alternatives.map(({ node: one }) => `\n  | ${alternative(one, declared)}`)
      return `export type ${name} =${alternatives.join('') || ' never'}\n`
    }
    default:
      return `export type ${name} = ${wrapped(node, declared)}\n`
  }
}

function alternative(node: ClassNode, declared: Declared): string {
  const tag = `{ readonly $: '${node.name}' }`
  return node.items.some((item) => item.kind === 'field') ? `(${tag} & ${declared.nameOf(node)!})` : tag
}

function typeText(node: Node, declared: Declared): string {
  return declared.nameOf(node) ?? wrapped(node, declared)
}

/** The text of a type without its own name. Recurs only through unnamed lists and options, whose nesting is limited. */
function wrapped(node: Node, declared: Declared): string {
  switch (node.kind) {
    case 'lexical':
      return lexicalTypes[node.lexical].type
    case 'option':
      return `${typeText(node.of, declared)} | null`
    case 'list': {
      const of = typeText(node.of, declared)
      const element = of.includes(' ') ? `(${of})` : of
      return node.layout?.first === true ? `readonly [${of}, ...${element}[]]` : `readonly ${element}[]`
    }
    default:
      return 'never'
  }
}
