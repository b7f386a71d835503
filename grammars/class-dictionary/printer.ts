import type {
  Code,
  Definition,
  Dictionary,
  FieldPart,
  Flag,
  NameDef,
  Part,
  QualifiedName,
  Repetition,
  TypeUse,
} from './model.ts'
import { encodeText } from './parsing/text.ts'

/**
 * The canonical text of a dictionary: one class per line, one space between tokens, alternatives without parentheses;
 * the first line states dialect A or B. Reading it gives the same dictionary up to positions. Comments are not kept;
 * includes remain includes.
 */
export function printDictionary(dictionary: Dictionary): string {
  const { dialect, includes, using, lookahead, definitions, terminalSets } = dictionary
  const head = [
    ...(dialect === 'C' ? [] : [`// dialect: ${dialect}`]),
    ...includes.map((include) => `${flag(include.flag)}include ${encodeText(include.name)};`),
    ...(using.length === 0 ? [] : [`using ${nameDefs(using)};`]),
    ...(dictionary.package === null ? [] : [`package ${qualifiedName(dictionary.package)};`]),
    ...(lookahead === null ? [] : [`lookahead = ${lookahead.value};`]),
    ...imports(dictionary.imports),
  ]
  const write = dialect === 'C' ? definition : olderDefinition
  const sets = terminalSets === undefined ? [] : [`*terminal_sets* ${typeUses(terminalSets)}.`]
  return [...head, ...definitions.flatMap(write), ...sets].map((line) => `${line}\n`).join('')
}

/** `List(Pair(int, X))`. */
function typeUse(use: TypeUse): string {
  const { external, module, lookahead } = use
  const sign = `${lookahead === undefined ? '' : `lookahead ${lookahead.text} `}${external ? '$ ' : ''}`
  const name = module === undefined ? use.name : `${use.name} ${module.sign} ${module.name}`
  return use.arguments.length === 0 ? `${sign}${name}` : `${sign}${name}(${typeUses(use.arguments)})`
}

function typeUses(uses: readonly TypeUse[]): string {
  return uses.map(typeUse).join(', ')
}

function definition(d: Definition): string {
  return classText([
    `${flag(d.flag)}${d.isInterface ? 'interface ' : ''}${d.name}${parameters(d)} =`,
    d.alternatives.length === 0 ? '' : alternatives(d),
    ...d.parts.map(part),
    d.implements.length === 0 ? '' : `implements ${typeUses(d.implements)}`,
  ])
}

/** A definition in dialects A and B. */
function olderDefinition(d: Definition): readonly string[] {
  const { package: directive, modifiers = [], repetition, common = '', extends: supers = [], methods } = d
  const sign = repetition !== undefined ? '~' : d.alternatives.length > 0 ? ':' : '='
  const text = classText([
    `${words(modifiers)}${flag(d.flag)}${d.isInterface ? 'interface ' : ''}${d.name}${parameters(d)} ${sign}`,
    d.alternatives.length === 0 ? '' : alternatives(d),
    repetition === undefined ? '' : repeated(repetition),
    common,
    ...(repetition === undefined ? d.parts.map(part) : []),
    supers.length === 0 ? '' : `extends ${typeUses(supers)}`,
    d.implements.length === 0 ? '' : `implements ${typeUses(d.implements)}`,
    code(methods),
    // Only an EOF can follow a repetition.
    ...(repetition === undefined ? [] : d.parts.map(part)),
  ])
  if (directive === undefined) return [text]
  return [`package ${qualifiedName(directive.name)};`, ...imports(directive.imports), text]
}

/** Joins the words, of which the first is the head, and adds a dot directly after the last one; after a space if there is only the head. */
function classText(all: readonly string[]): string {
  const text = spaced(all)
  return text === all[0] ? `${text} .` : `${text}.`
}

function alternatives(d: Definition): string {
  return d.alternatives.map(typeUse).join(' | ')
}

function repeated({ before, first, lookahead, open, of, close, after }: Repetition): string {
  const hint = lookahead === undefined ? '' : `lookahead ${lookahead.text}`
  return spaced([
    ...before.map(part),
    first === null ? '' : typeUse(first),
    '{',
    hint,
    ...open.map(part),
    typeUse(of),
    ...close.map(part),
    '}',
    ...after.map(part),
  ])
}

function part(one: Part): string {
  switch (one.kind) {
    case 'field':
      return field(one)
    case 'literal':
      return encodeText(one.text)
    case 'print':
      return one.command
    case 'end':
      return one.starred ? '*EOF*' : 'EOF'
    case 'inherit':
      return `*inherit* ${typeUses(one.types)}`
    case 'optional': {
      const hint = one.lookahead === undefined ? '' : `lookahead ${one.lookahead.text}`
      return spaced(['[', hint, ...one.before.map(part), field(one.field), ...one.after.map(part), ']'])
    }
  }
}

function field({ label, type, implicit, modifiers = [], initial }: FieldPart): string {
  const value = initial === undefined ? '' : `= ${initial.text}`
  return spaced([implicit ? '' : `<${label}>`, ...modifiers, typeUse(type), value])
}

/** A list and not arguments: a class may have more parts than a call may have arguments. */
function spaced(words: readonly string[]): string {
  return words.filter((word) => word !== '').join(' ')
}

function words(all: readonly string[]): string {
  return all.map((word) => `${word} `).join('')
}

function code(one: Code | undefined): string {
  return one === undefined ? '' : one.text
}

function flag(one: Flag | null): string {
  return one === null ? '' : `${one} `
}

function parameters(d: Definition): string {
  return d.parameters.length === 0 ? '' : `(${nameDefs(d.parameters)})`
}

function nameDefs(names: readonly NameDef[]): string {
  return names.map(({ name, bound }) => (bound === null ? name : `${name}: ${typeUse(bound)}`)).join(', ')
}

function imports(names: readonly QualifiedName[]): readonly string[] {
  return names.map((name) => `import ${qualifiedName(name)};`)
}

function qualifiedName({ name, all }: QualifiedName): string {
  return all ? `${name}.*` : name
}
