import type { Field, Form, MessageModel, RecordDefinition } from '../../../contract/game/message-model.ts'
import { codeOf, madeFrom, type DefinitionWriter } from './emitter.ts'
import { commentOf, lineMarks, quoted } from './parts.ts'

/** `messages.py`: a TypedDict per message, for Python from 3.8 on. Messages are dictionaries, as JSON gives them. */
export function pythonMessages(model: MessageModel): ReadonlyMap<string, string> {
  const parts = model.definitions.map((each) => codeOf(each, types))
  const text = parts.join('\n\n')
  const names = ['Any', 'List', 'Literal', 'Optional', 'TypedDict', 'Union'].filter((name) =>
    new RegExp(`\\b${name}\\b`).test(text),
  )
  return new Map([
    ['messages.py', `${docText(madeFrom(model))}\n\nfrom typing import ${names.join(', ')}\n\n\n${text}`],
  ])
}

const WIDTH = 120

const comment = (text: string, indent = ''): string => commentOf(text, indent, lineMarks('#'), WIDTH)

/** A text as the documentation of a class or file. */
const docText = (text: string): string =>
  `"""${text
    .replaceAll('\\', '\\\\')
    .replaceAll('\0', '\\x00')
    .replaceAll(/"{3,}|"+$/g, (marks) => marks.replaceAll('"', '\\"'))}"""`

function typeOf(form: Form): string {
  switch (form.kind) {
    case 'string':
      return 'str'
    case 'number':
      return 'float'
    case 'boolean':
      return 'bool'
    case 'int':
      return 'int'
    case 'json':
      return 'Any'
    case 'flag':
      return 'Literal[True]'
    case 'constant':
      return form.value === null ? 'None' : `Literal[${literal(form.value)}]`
    case 'list':
      return `List[${typeOf(form.of)}]`
    case 'nullable':
      return `Optional[${typeOf(form.of)}]`
    case 'named':
      return form.name
  }
}

const literal = (value: string | true): string => (value === true ? 'True' : quoted(value))

const types: DefinitionWriter = {
  record: recordOf,
  enum: ({ name, doc, values }) => `${comment(doc)}${name} = Literal[${values.map(literal).join(', ')}]\n`,
  union: ({ name, doc, cases }) => `${comment(doc)}${name} = Union[${cases.map(({ record }) => record).join(', ')}]\n`,
}

/** The fields that are always there and, in a class of their own, those that may be absent. */
function recordOf({ name, doc, fields }: RecordDefinition): string {
  const always = fields.filter(({ optional }) => !optional)
  const others = fields.filter(({ optional }) => optional)
  if (others.length === 0) return dictionary(name, doc, always, true)
  if (always.length === 0) return dictionary(name, doc, others, false)
  const base = `${name}Always`
  const needed = dictionary(base, `The fields of ${name} that are always there.`, always, true)
  if (others.every(isPlain)) return `${needed}\n\n${classOf(name, `${base}, total=False`, doc, others)}`
  const more = `${name}Sometimes`
  const rest = dictionary(more, `The fields of ${name} that may be absent.`, others, false)
  return `${needed}\n\n${rest}\n\n${classOf(name, `${base}, ${more}`, doc, [])}`
}

/** A class or, where a field's name is one that no member may have, a call that makes the same. `total`: no field may be absent. */
function dictionary(name: string, doc: string, fields: readonly Field[], total: boolean): string {
  if (fields.every(isPlain)) return classOf(name, total ? 'TypedDict' : 'TypedDict, total=False', doc, fields)
  const members = fields.map(
    (field) => `${comment(field.doc, '        ')}        ${quoted(field.name)}: ${typeOf(field.form)},\n`,
  )
  const last = total ? '' : '    total=False,\n'
  return `${comment(doc)}${name} = TypedDict(\n    "${name}",\n    {\n${members.join('')}    },\n${last})\n`
}

const isPlain = ({ name }: Field): boolean => /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name)

function classOf(name: string, bases: string, doc: string, fields: readonly Field[]): string {
  const members = fields.map((field) => `${comment(field.doc, '    ')}    ${field.name}: ${typeOf(field.form)}\n`)
  return `class ${name}(${bases}):\n    ${docText(doc)}\n\n${members.join('')}`
}

const keywords: ReadonlySet<string> = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if import in is
  lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
)
