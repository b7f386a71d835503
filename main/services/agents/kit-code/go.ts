import type { Field, Form, MessageModel } from '../../../contract/game/message-model.ts'
import { codeOf, madeFrom, type DefinitionWriter } from './emitter.ts'
import { commentOf, lineMarks, membersOf, pascalName, quoted } from './parts.ts'

/** `messages.go`. Readers panic with the field's name; lists that are nil are written as empty ones. */
export function goMessages(model: MessageModel): ReadonlyMap<string, string> {
  const interfaces = new Set(model.definitions.flatMap((each) => (each.kind === 'union' ? [each.name] : [])))
  const enums = new Set(model.definitions.flatMap((each) => (each.kind === 'enum' ? [each.name] : [])))
  const go = writerFor(fieldsFor(formsFor(interfaces, enums)))
  const parts = model.definitions.map((each) => codeOf(each, go))
  return new Map([['messages.go', `${comment(madeFrom(model))}\npackage main\n\n${parts.join('\n')}`]])
}

/** Types, readers and JSON of forms. `interfaces`, `enums`: the names of unions and of lists of words. */
function formsFor(interfaces: ReadonlySet<string>, enums: ReadonlySet<string>) {
  const typeOf = (form: Form): string => {
    switch (form.kind) {
      case 'string':
        return 'string'
      case 'number':
        return 'float64'
      case 'boolean':
      case 'flag':
        return 'bool'
      case 'int':
        return 'int'
      case 'json':
      case 'constant':
        return 'any'
      case 'list':
        return `[]${typeOf(form.of)}`
      case 'nullable':
        return pointerOf(form.of)
      case 'named':
        return form.name
    }
  }
  /** A value that may be nil anyway needs no pointer. */
  const mayBeNil = (form: Form): boolean =>
    ['list', 'json', 'nullable'].includes(form.kind) || (form.kind === 'named' && interfaces.has(form.name))
  const pointerOf = (form: Form): string => (mayBeNil(form) ? typeOf(form) : `*${typeOf(form)}`)

  /** An expression: a function from JSON. */
  const readerOf = (form: Form): string => {
    switch (form.kind) {
      case 'string':
        return 'readString'
      case 'number':
        return 'readNumber'
      case 'boolean':
      case 'flag':
        return 'readBool'
      case 'int':
        return 'readInt'
      case 'json':
      case 'constant':
        return 'readAny'
      case 'list':
        return `readList(${readerOf(form.of)})`
      case 'nullable':
        return mayBeNil(form.of) ? `orNil(${readerOf(form.of)})` : `orPointer(${readerOf(form.of)})`
      case 'named':
        return `read${form.name}`
    }
  }
  /** An expression: JSON of a value. */
  const jsonOf = (form: Form, value: string): string => {
    if (form.kind === 'list')
      return `jsonList(${value}, func(each ${typeOf(form.of)}) any { return ${jsonOf(form.of, 'each')} })`
    if (form.kind === 'nullable') {
      const of = mayBeNil(form.of) ? value : `(*${value})`
      return `jsonUnless(${value} == nil, func() any { return ${jsonOf(form.of, of)} })`
    }
    if (form.kind === 'named') return enums.has(form.name) ? `string(${value})` : `${value}.JSON()`
    return value
  }
  return { typeOf, mayBeNil, pointerOf, readerOf, jsonOf }
}

/** The lines of a field: in its type, where it is read and where it is written. */
function fieldsFor({ typeOf, mayBeNil, pointerOf, readerOf, jsonOf }: ReturnType<typeof formsFor>) {
  const member = ({ name, doc, form, optional }: Field): string =>
    `${comment(doc, '\t')}\t${memberName(name)} ${optional && form.kind !== 'flag' ? pointerOf(form) : typeOf(form)}\n`

  const reading = ({ name, form, optional }: Field): string => {
    const given = `fields[${quoted(name)}]`
    if (form.kind === 'flag') return `\t\t${memberName(name)}: ${given} == true,\n`
    const inner = optional && form.kind === 'nullable' ? form.of : form
    const reader = !optional
      ? readerOf(form)
      : mayBeNil(inner)
        ? `orNil(${readerOf(inner)})`
        : `orPointer(${readerOf(inner)})`
    return `\t\t${memberName(name)}: field(fields, ${quoted(name)}, ${reader}),\n`
  }

  const writing = ({ name, form, optional }: Field): string => {
    const set = (json: string): string => `fields[${quoted(name)}] = ${json}\n`
    if (form.kind === 'constant') return optional ? '' : `\t${set(constant(form.value))}`
    const value = `message.${memberName(name)}`
    if (form.kind === 'flag') return `\tif ${value} {\n\t\t${set('true')}\t}\n`
    if (!optional) return `\t${set(jsonOf(form, value))}`
    const inner = form.kind === 'nullable' ? form.of : form
    return `\tif ${value} != nil {\n\t\t${set(jsonOf(inner, mayBeNil(inner) ? value : `(*${value})`))}\t}\n`
  }
  return { member, reading, writing }
}

/** The text of each kind of definition. */
function writerFor({ member, reading, writing }: ReturnType<typeof fieldsFor>): DefinitionWriter {
  return {
    record({ name, doc, fields }) {
      const members = membersOf(fields)
      const read =
        members.length === 0
          ? `func read${name}(any) ${name} { return ${name}{} }\n`
          : `func read${name}(value any) ${name} {\n\tfields := readObject(value)\n\treturn ${name}{\n${members.map(reading).join('')}\t}\n}\n`
      return `${comment(`${name}: ${doc}`)}type ${name} struct {
${members.map(member).join('')}}

${read}
// JSON returns the message as it is written.
func (message ${name}) JSON() map[string]any {
	fields := map[string]any{}
${fields.map(writing).join('')}	return fields
}
`
    },
    enum({ name, doc, values }) {
      const constants = values.map((value) => `\t${name}${pascalName(value)} ${name} = ${quoted(value)}\n`)
      return `${comment(`${name}: ${doc}`)}type ${name} string

const (
${constants.join('')})

func read${name}(value any) ${name} { return ${name}(readString(value)) }
`
    },
    union({ name, doc, field, cases }) {
      const marks = cases.map(({ record }) => `func (${record}) is${name}() {}\n`).join('')
      const branches = cases.map(({ record, key }) => {
        const test = field === null ? `has(fields, ${quoted(key)})` : quoted(key)
        return `\tcase ${test}:\n\t\treturn read${record}(value)\n`
      })
      const on = field === null ? 'switch {' : `switch fields[${quoted(field)}] {`
      return `${comment(`${name}: ${doc} One of ${cases.map(({ record }) => record).join(', ')}.`)}type ${name} interface {
	is${name}()
	JSON() map[string]any
}

${marks}
func read${name}(value any) ${name} {
	fields := readObject(value)
	${on}
${branches.join('')}	}
	panic("a message of another kind than those of ${name}")
}
`
    },
  }
}

const constant = (value: string | true | null): string =>
  value === null ? 'nil' : value === true ? 'true' : quoted(value)

const comment = (text: string, indent = ''): string => commentOf(text, indent, lineMarks('//'))

/** A member that is not the method of all messages. */
const memberName = (field: string): string => (pascalName(field) === 'JSON' ? 'JSON_' : pascalName(field))
