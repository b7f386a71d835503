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

/** `messages.d.ts`: interfaces and unions. Agents in JavaScript have the same types through JSDoc, with `@import`. */
export function typescriptMessages(model: MessageModel): ReadonlyMap<string, string> {
  const parts = model.definitions.map((each) => {
    if (each.kind === 'enum') return enumOf(each)
    return each.kind === 'union' ? unionOf(each) : recordOf(each)
  })
  return new Map([['messages.d.ts', `// ${madeFrom(model)}\n\n${parts.join('\n')}`]])
}

const WIDTH = 120

const doc = (text: string, indent = ''): string =>
  commentOf(text, indent, { open: '/** ', next: ' * ', close: ' */' }, WIDTH)

/** A type; `inList`: as the elements of a list have it. */
function typeOf(form: Form, inList = false): string {
  switch (form.kind) {
    case 'string':
    case 'number':
    case 'boolean':
      return form.kind
    case 'int':
      return 'number'
    case 'json':
      return 'unknown'
    case 'flag':
      return 'true'
    case 'constant':
      return literal(form.value)
    case 'list':
      return inList ? `(readonly ${typeOf(form.of, true)}[])` : `readonly ${typeOf(form.of, true)}[]`
    case 'nullable':
      return inList ? `(${typeOf(form.of)} | null)` : `${typeOf(form.of)} | null`
    case 'named':
      return form.name
  }
}

const literal = (value: string | true | null): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value)

const nameOf = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : literal(name))

function recordOf({ name, doc: text, fields }: RecordDefinition): string {
  const member = ({ name: field, doc: about, form, optional }: Field): string =>
    `${doc(about, '  ')}  readonly ${nameOf(field)}${optional ? '?' : ''}: ${typeOf(form)}\n`
  return `${doc(text)}export interface ${name} {\n${fields.map(member).join('')}}\n`
}

const enumOf = ({ name, doc: text, values }: EnumDefinition): string =>
  `${doc(text)}export type ${name} = ${values.map(literal).join(' | ')}\n`

const unionOf = ({ name, doc: text, cases }: UnionDefinition): string =>
  `${doc(text)}export type ${name} = ${cases.map(({ record }) => record).join(' | ')}\n`
