import type { Field, Form, MessageModel } from '../../../contract/game/message-model.ts'
import { codeOf, madeFrom, type DefinitionWriter, type Emitter } from './emitter.ts'
import {
  blockMarks,
  commentOf,
  expectedOf,
  lineMarks,
  membersOf,
  quoted,
  reachedFrom,
  safeName,
  snakeName,
} from './parts.ts'

/**
 * The files of the kit in C++, by name: `messages.hpp` with the types of all messages, and `messages-json.hpp`, which reads those to
 * a program and writes its own.
 */
export const cppMessages: Emitter = (model) => {
  const read = reachedFrom(model, model.told)
  const written = reachedFrom(model, model.said)
  const writer = typesOf(model)
  const types = model.definitions.map((each) => codeOf(each, writer))
  const functions = model.definitions.flatMap((each) => [
    ...(read.has(each.name) ? [codeOf(each, readers)] : []),
    ...(written.has(each.name) ? [codeOf(each, writers)] : []),
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
  `${commentOf(madeFrom(model), '', lineMarks('//'))}#pragma once

#include "${needs}"

namespace ${snakeName(model.game)} {

${parts.join('\n\n')}

} // namespace ${snakeName(model.game)}
${end}`

const WIDTH = 120

/** A doc comment at an indentation. */
const doc = (text: string, indent = ''): string => commentOf(text, indent, blockMarks, WIDTH)

const typesOf = (model: MessageModel): DefinitionWriter => ({
  record({ name, doc: text, fields }) {
    const members = membersOf(fields).map(
      (field) => `${doc(field.doc, '    ')}    ${memberType(field)} ${memberName(field)}${initial(field, model)};`,
    )
    return members.length === 0
      ? `${doc(text)}struct ${name} {};`
      : `${doc(text)}struct ${name} {\n${members.join('\n')}\n};`
  },
  enum({ name, doc: text, values }) {
    const words = values.map(quoted)
    const line = words.join(', ')
    const listed = line.length < WIDTH - 54 ? line : `\n${words.map((word) => `        ${word},`).join('\n')}\n    `
    return `${doc(text)}enum class ${name} { ${values.map(wordOf).join(', ')} };

inline const std::vector<std::string> &words_of(${name}) {
    static const std::vector<std::string> words = {${listed}};
    return words;
}`
  },
  union({ name, doc: text, cases }) {
    return `${doc(text)}using ${name} = std::variant<${cases.map(({ record }) => record).join(', ')}>;`
  },
})

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

const readers: DefinitionWriter = {
  record({ name, fields }) {
    const lines = membersOf(fields).map((field) => {
      const call = field.form.kind === 'flag' ? 'get_flag' : field.optional ? 'get_optional' : 'get'
      return `    ${call}(json, ${quoted(field.name)}, value.${memberName(field)});`
    })
    return lines.length === 0
      ? `inline void from_json(const Json &, ${name} &) {}`
      : `inline void from_json(const Json &json, ${name} &value) {\n${lines.join('\n')}\n}`
  },
  enum: () => '',
  union({ name, field, cases }) {
    const branches = cases.map(({ record, key }) => {
      const test =
        field === null ? `json.find(${quoted(key)}) != nullptr` : `has(json, ${quoted(field)}, ${quoted(key)})`
      return `if (${test}) from_json(json, value.emplace<${record}>());`
    })
    return `inline void from_json(const Json &json, ${name} &value) {
    ${branches.join('\n    else ')}
    else throw JsonError(${quoted(expectedOf(field, cases))});
}`
  },
}

const writers: DefinitionWriter = {
  record({ name, fields }) {
    const lines = fields.map((field) => {
      const { form } = field
      const key = quoted(field.name)
      if (form.kind === 'constant') return `    put(object, ${key}, Json(${constantOf(form.value)}));`
      const call = form.kind === 'flag' ? 'put_flag' : field.optional ? 'put_optional' : 'put'
      return `    ${call}(object, ${key}, value.${memberName(field)});`
    })
    const value = membersOf(fields).length === 0 ? '' : 'value'
    return `inline Json to_json(const ${name} &${value}) {
    Json::Object object;
${lines.join('\n')}
    return object;
}`
  },
  enum: () => '',
  union: ({ name }) => `inline Json to_json(const ${name} &value) {
    return std::visit([](const auto &each) { return to_json(each); }, value);
}`,
}

const constantOf = (value: string | true | null): string =>
  value === null ? '' : value === true ? 'true' : quoted(value)

/** A field's own name or, where no member may have it, one like it. */
const memberName = ({ name }: Field): string => safeName(/^[A-Za-z]\w*$/.test(name) ? name : snakeName(name), keywords)

const wordOf = (value: string): string => safeName(snakeName(value), keywords)

const keywords: ReadonlySet<string> = new Set(
  `alignas alignof and asm auto bool break case catch char class const constexpr continue decltype default delete do double else
  enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not nullptr operator
  or private protected public register return short signed sizeof static struct switch template this throw true try typedef
  typename union unsigned using virtual void volatile while xor`.split(/\s+/),
)
