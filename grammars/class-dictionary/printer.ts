import type { Definition, Dictionary, Flag, NameDef, Part, QualifiedName, TypeUse } from './model.ts'
import { encodeText } from './text.ts'

/**
 * The canonical text of a dictionary: one class a line, one space between tokens, alternatives without parentheses.
 * Reading it gives the same dictionary up to positions. Comments are not kept; what was included stays an include.
 */
export function printDictionary(dictionary: Dictionary): string {
  const { includes, using, lookahead, imports, definitions } = dictionary
  const head = [
    ...includes.map((include) => `${flag(include.flag)}include ${encodeText(include.name)};`),
    ...(using.length === 0 ? [] : [`using ${nameDefs(using)};`]),
    ...(dictionary.package === null ? [] : [`package ${qualifiedName(dictionary.package)};`]),
    ...(lookahead === null ? [] : [`lookahead = ${lookahead.value};`]),
    ...imports.map((name) => `import ${qualifiedName(name)};`),
  ]
  return [...head, ...definitions.map(definition)].map((line) => `${line}\n`).join('')
}

/** `List(Pair(int, X))`. */
function printTypeUse(use: TypeUse): string {
  return use.arguments.length === 0 ? use.name : `${use.name}(${use.arguments.map(printTypeUse).join(', ')})`
}

function definition(d: Definition): string {
  const words = [
    `${flag(d.flag)}${d.isInterface ? 'interface ' : ''}${d.name}`,
    ...(d.parameters.length === 0 ? [] : [`(${nameDefs(d.parameters)})`]),
    ' =',
    ...(d.alternatives.length === 0 ? [] : [` ${d.alternatives.map(printTypeUse).join(' | ')}`]),
    ...d.parts.map((one) => ` ${part(one)}`),
    ...(d.implements.length === 0 ? [] : [` implements ${d.implements.map(printTypeUse).join(', ')}`]),
  ]
  const text = words.join('')
  return text.endsWith('=') ? `${text} .` : `${text}.`
}

function part(one: Part): string {
  switch (one.kind) {
    case 'field':
      return `<${one.label}> ${printTypeUse(one.type)}`
    case 'literal':
      return encodeText(one.text)
    case 'print':
      return one.command
    case 'end':
      return 'EOF'
  }
}

function flag(one: Flag | null): string {
  return one === null ? '' : `${one} `
}

function nameDefs(names: readonly NameDef[]): string {
  return names.map(({ name, bound }) => (bound === null ? name : `${name}: ${printTypeUse(bound)}`)).join(', ')
}

function qualifiedName({ name, all }: QualifiedName): string {
  return all ? `${name}.*` : name
}
