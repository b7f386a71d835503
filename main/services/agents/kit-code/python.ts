import type {
  EnumDefinition,
  Field,
  Form,
  MessageModel,
  RecordDefinition,
  UnionDefinition,
} from '../../../contract/game/message-model.ts'
import { madeFrom } from './emitter.ts'
import { commentOf } from './parts.ts'

/** `messages.py`: a TypedDict per message, for Python from 3.8 on. Messages are dictionaries, as JSON gives them. */
export function pythonMessages(model: MessageModel): ReadonlyMap<string, string> {
  const parts = model.definitions.map((each) => {
    if (each.kind === 'enum') return enumOf(each)
    return each.kind === 'union' ? unionOf(each) : recordOf(each)
  })
  const text = parts.join('\n\n')
  const names = ['Any', 'List', 'Literal', 'Optional', 'TypedDict', 'Union'].filter((name) =>
    new RegExp(`\\b${name}\\b`).test(text),
  )
  return new Map([['messages.py', `"""${madeFrom(model)}"""\n\nfrom typing import ${names.join(', ')}\n\n\n${text}`]])
}

const WIDTH = 120

const comment = (text: string, indent = ''): string =>
  commentOf(text, indent, { open: '# ', next: '# ', close: '' }, WIDTH)

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

const literal = (value: string | true): string => (value === true ? 'True' : JSON.stringify(value))

/** The fields that are always there and, in a class of their own, those that may be absent. */
function recordOf({ name, doc, fields }: RecordDefinition): string {
  const always = fields.filter(({ optional }) => !optional)
  const others = fields.filter(({ optional }) => optional)
  if (others.length === 0) return classOf(name, 'TypedDict', doc, always)
  if (always.length === 0) return classOf(name, 'TypedDict, total=False', doc, others)
  const base = `${name}Always`
  const needed = classOf(base, 'TypedDict', `The fields of ${name} that are always there.`, always)
  return `${needed}\n\n${classOf(name, `${base}, total=False`, doc, others)}`
}

/** A class or, where a field's name is a keyword, which no member may have, a call that makes the same. */
function classOf(name: string, bases: string, doc: string, fields: readonly Field[]): string {
  const isPlain = fields.every((field) => /^[A-Za-z_]\w*$/.test(field.name) && !keywords.has(field.name))
  if (isPlain) {
    const members = fields.map((field) => `${comment(field.doc, '    ')}    ${field.name}: ${typeOf(field.form)}\n`)
    return `class ${name}(${bases}):\n    """${doc.replaceAll('\\', '\\\\')}"""\n\n${members.join('')}`
  }
  if (bases !== 'TypedDict') throw new Error(`${name}: no form for an optional field whose name is a keyword of Python`)
  const members = fields.map(
    (field) => `${comment(field.doc, '        ')}        ${JSON.stringify(field.name)}: ${typeOf(field.form)},\n`,
  )
  return `${comment(doc)}${name} = TypedDict(\n    "${name}",\n    {\n${members.join('')}    },\n)\n`
}

const enumOf = ({ name, doc, values }: EnumDefinition): string =>
  `${comment(doc)}${name} = Literal[${values.map(literal).join(', ')}]\n`

const unionOf = ({ name, doc, cases }: UnionDefinition): string =>
  `${comment(doc)}${name} = Union[${cases.map(({ record }) => record).join(', ')}]\n`

const keywords: ReadonlySet<string> = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if import in is
  lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
)
