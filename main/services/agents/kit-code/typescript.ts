import type { Field, Form, MessageModel } from '../../../contract/game/message-model.ts'
import { codeOf, madeFrom, type DefinitionWriter } from './emitter.ts'
import { blockMarks, commentOf, lineMarks, singleQuoted } from './parts.ts'

/** `messages.d.ts`: interfaces and unions. Agents in JavaScript have the same types through JSDoc, with `@import`. */
export function typescriptMessages(model: MessageModel): ReadonlyMap<string, string> {
  const parts = model.definitions.map((each) => codeOf(each, types))
  return new Map([['messages.d.ts', `${commentOf(madeFrom(model), '', lineMarks('//'))}\n${parts.join('\n')}`]])
}

const WIDTH = 120

const doc = (text: string, indent = ''): string => commentOf(text, indent, blockMarks, WIDTH)

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
  typeof value === 'string' ? singleQuoted(value) : String(value)

const nameOf = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : literal(name))

const member = ({ name, doc: about, form, optional }: Field): string =>
  `${doc(about, '  ')}  readonly ${nameOf(name)}${optional ? '?' : ''}: ${typeOf(form)}\n`

const types: DefinitionWriter = {
  record: ({ name, doc: text, fields }) => `${doc(text)}export interface ${name} {\n${fields.map(member).join('')}}\n`,
  enum: ({ name, doc: text, values }) => `${doc(text)}export type ${name} = ${values.map(literal).join(' | ')}\n`,
  union: ({ name, doc: text, cases }) =>
    `${doc(text)}export type ${name} = ${cases.map(({ record }) => record).join(' | ')}\n`,
}
