import type {
  Definition,
  EnumDefinition,
  Field,
  Form,
  MessageModel,
  RecordDefinition,
  UnionDefinition,
} from '../../../contract/game/message-model.ts'
import { madeFrom, type Emitter } from './emitter.ts'
import { commentOf, reachedFrom, safeName, snakeName } from './parts.ts'

/**
 * The files of the kit in C++, by name: `messages.hpp` with the types of all messages, and `messages-json.hpp`, which reads those to
 * a program and writes its own.
 */
export const cppMessages: Emitter = (model) => {
  const read = reachedFrom(model, model.told)
  const written = reachedFrom(model, model.said)
  const types = model.definitions.map((each) => typeOf(each, model))
  const functions = model.definitions.flatMap((each) => [
    ...(read.has(each.name) ? [reader(each)] : []),
    ...(written.has(each.name) ? [writer(each)] : []),
  ])
  return new Map([
    [
      'messages.hpp',
      fileOf(model, 'fields.hpp', ['using tartaglia::Json;', ...types], '\n#include "messages-json.hpp"\n'),
    ],
    [
      'messages-json.hpp',
      fileOf(model, 'messages.hpp', ['using tartaglia::JsonError;', ...functions.filter((each) => each !== '')]),
    ],
  ])
}

const fileOf = (model: MessageModel, needs: string, parts: readonly string[], end = ''): string =>
  `// ${madeFrom(model)}
#pragma once

#include "${needs}"

namespace ${model.game} {

${parts.join('\n\n')}

} // namespace ${model.game}
${end}`

const WIDTH = 120

/** A doc comment at an indentation. */
const doc = (text: string, indent = ''): string =>
  commentOf(text, indent, { open: '/** ', next: ' * ', close: ' */' }, WIDTH)

function typeOf(definition: Definition, model: MessageModel): string {
  switch (definition.kind) {
    case 'enum':
      return enumType(definition)
    case 'record':
      return recordType(definition, model)
    case 'union': {
      const members = definition.cases.map(({ record }) => record).join(', ')
      return `${doc(definition.doc)}using ${definition.name} = std::variant<${members}>;`
    }
  }
}

function enumType({ name, doc: text, values }: EnumDefinition): string {
  const line = values.map((value) => `"${value}"`).join(', ')
  const listed = line.length < WIDTH - 54 ? line : `\n${values.map((value) => `        "${value}",`).join('\n')}\n    `
  return `${doc(text)}enum class ${name} { ${values.map(wordOf).join(', ')} };

inline const std::vector<std::string> &words_of(${name}) {
    static const std::vector<std::string> words = {${listed}};
    return words;
}`
}

function recordType({ name, doc: text, fields }: RecordDefinition, model: MessageModel): string {
  const members = membersOf(fields).map(
    (field) =>
      `${doc(field.doc, '    ')}    ${memberType(field)} ${safeName(field.name, keywords)}${initial(field, model)};`,
  )
  return members.length === 0
    ? `${doc(text)}struct ${name} {};`
    : `${doc(text)}struct ${name} {\n${members.join('\n')}\n};`
}

/** Fields with a value of their own; a constant has none. */
const membersOf = (fields: readonly Field[]): readonly Field[] => fields.filter(({ form }) => form.kind !== 'constant')

function memberType({ form, optional }: Field): string {
  if (form.kind === 'flag') return 'bool'
  return optional && form.kind !== 'nullable' ? `std::optional<${cppType(form)}>` : cppType(form)
}

function cppType(form: Form): string {
  switch (form.kind) {
    case 'string':
      return 'std::string'
    case 'number':
      return 'double'
    case 'boolean':
    case 'flag':
      return 'bool'
    case 'json':
    case 'constant':
      return 'Json'
    case 'int':
      return 'std::int64_t'
    case 'list':
      return `std::vector<${cppType(form.of)}>`
    case 'nullable':
      return `std::optional<${cppType(form.of)}>`
    case 'named':
      return form.name
  }
}

/** The initial value of a member that would have none otherwise. */
function initial({ form, optional }: Field, { definitions }: MessageModel): string {
  if (form.kind === 'flag') return ' = false'
  if (optional) return ''
  if (form.kind === 'boolean') return ' = false'
  if (form.kind === 'int' || form.kind === 'number') return ' = 0'
  if (form.kind !== 'named') return ''
  const named = definitions.find(({ name }) => name === form.name)
  return named?.kind === 'enum' ? ` = ${named.name}::${wordOf(named.values[0]!)}` : ''
}

function reader(definition: Definition): string {
  if (definition.kind === 'enum') return ''
  const { name } = definition
  if (definition.kind === 'union') return unionReader(definition)
  const lines = membersOf(definition.fields).map((field) => {
    const call = field.form.kind === 'flag' ? 'get_flag' : field.optional ? 'get_optional' : 'get'
    return `    ${call}(json, "${field.name}", value.${safeName(field.name, keywords)});`
  })
  return lines.length === 0
    ? `inline void from_json(const Json &, ${name} &) {}`
    : `inline void from_json(const Json &json, ${name} &value) {\n${lines.join('\n')}\n}`
}

function unionReader({ name, field, cases }: UnionDefinition): string {
  const branches = cases.map(({ record, key }) => {
    const test = field === null ? `json.find("${key}") != nullptr` : `has(json, "${field}", "${key}")`
    return `if (${test}) from_json(json, value.emplace<${record}>());`
  })
  const keys = cases.map(({ key }) => key).join(', ')
  const expected = field === null ? `expected one of the fields ${keys}` : `expected one of these as ${field}: ${keys}`
  return `inline void from_json(const Json &json, ${name} &value) {
    ${branches.join('\n    else ')}
    else throw JsonError("${expected}");
}`
}

function writer(definition: Definition): string {
  if (definition.kind === 'enum') return ''
  const { name } = definition
  if (definition.kind === 'union')
    return `inline Json to_json(const ${name} &value) {
    return std::visit([](const auto &each) { return to_json(each); }, value);
}`
  const lines = definition.fields.map((field) => {
    const { form } = field
    if (form.kind === 'constant') return `    put(object, "${field.name}", Json(${constantOf(form.value)}));`
    const call = form.kind === 'flag' ? 'put_flag' : field.optional ? 'put_optional' : 'put'
    return `    ${call}(object, "${field.name}", value.${safeName(field.name, keywords)});`
  })
  const value = membersOf(definition.fields).length === 0 ? '' : 'value'
  return `inline Json to_json(const ${name} &${value}) {
    Json::Object object;
${lines.join('\n')}
    return object;
}`
}

const constantOf = (value: string | true | null): string =>
  value === null ? '' : value === true ? 'true' : JSON.stringify(value)

const wordOf = (value: string): string => safeName(snakeName(value), keywords)

const keywords: ReadonlySet<string> = new Set(
  `alignas alignof and asm auto bool break case catch char class const constexpr continue decltype default delete do double else
  enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not nullptr operator
  or private protected public register return short signed sizeof static struct switch template this throw true try typedef
  typename union unsigned using virtual void volatile while xor`.split(/\s+/),
)
