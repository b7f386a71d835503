import type { EnumDefinition, Field, Form } from '../../../contract/game/message-model.ts'
import { codeOf, madeFrom, type DefinitionWriter, type Emitter } from './emitter.ts'
import { commentOf, expectedOf, lineMarks, membersOf, pascalName, reachedFrom, safeName, snakeName } from './parts.ts'

/**
 * The files of the kit in Rust: `messages.rs` with the types of all messages, and `messages_json.rs`, which reads those to a program and
 * writes its own.
 */
export const rustMessages: Emitter = (model) => {
  const read = reachedFrom(model, model.told)
  const written = reachedFrom(model, model.said)
  const typed = model.definitions.map((each) => codeOf(each, types))
  const functions = model.definitions.flatMap((each) => [
    ...(each.kind === 'enum' ? [wordsOf(each)] : []),
    ...(read.has(each.name) ? [codeOf(each, readers)] : []),
    ...(written.has(each.name) ? [codeOf(each, writers)] : []),
  ])
  const head = `${commentOf(madeFrom(model), '', lineMarks('//!'))}\n`
  const needs = typed.some((each) => /\bJson\b/.test(each)) ? 'use crate::json::Json;\n\n' : ''
  return new Map([
    ['messages.rs', `${head}${needs}${typed.join('\n\n')}\n`],
    [
      'messages_json.rs',
      `${head}use crate::fields::*;
use crate::json::{problem, Json, Result};
use crate::messages::*;

${functions.join('\n\n')}
`,
    ],
  ])
}

const WIDTH = 100

/** A doc comment at an indentation. */
const doc = (text: string, indent = ''): string => commentOf(text, indent, lineMarks('///'), WIDTH)

const types: DefinitionWriter = {
  record({ name, doc: text, fields }) {
    const members = membersOf(fields).map(
      (field) => `${doc(field.doc, '    ')}    pub ${memberName(field)}: ${memberType(field)},`,
    )
    const body = members.length === 0 ? ' {}' : ` {\n${members.join('\n')}\n}`
    return `${doc(text)}#[derive(Clone, Debug, PartialEq)]\npub struct ${named(name)}${body}`
  },
  enum: ({ name, doc: text, values }) =>
    `${doc(text)}#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ${name} {
${values.map((value) => `    ${variant(value)},`).join('\n')}
}`,
  union: ({ name, doc: text, cases }) =>
    `${doc(text)}#[derive(Clone, Debug, PartialEq)]
pub enum ${name} {
${cases.map(({ record }) => `    ${record}(${named(record)}),`).join('\n')}
}`,
}

const memberName = ({ name }: Field): string => safeName(snakeName(name), keywords)

function memberType({ form, optional }: Field): string {
  const isOption = optional && form.kind !== 'nullable' && form.kind !== 'flag'
  return isOption ? `Option<${rustType(form)}>` : rustType(form)
}

function rustType(form: Form): string {
  switch (form.kind) {
    case 'string':
      return 'String'
    case 'number':
      return 'f64'
    case 'boolean':
    case 'flag':
      return 'bool'
    case 'json':
    case 'constant':
      return 'Json'
    case 'int':
      return 'i64'
    case 'list':
      return `Vec<${rustType(form.of)}>`
    case 'nullable':
      return `Option<${rustType(form.of)}>`
    case 'named':
      return named(form.name)
  }
}

const readers: DefinitionWriter = {
  record({ name, fields }) {
    const members = membersOf(fields)
    const lines = members.map((field) => {
      const call = field.form.kind === 'flag' ? 'get_flag' : field.optional ? 'get_optional' : 'get'
      return `            ${memberName(field)}: ${call}(json, ${quoted(field.name)})${field.form.kind === 'flag' ? '' : '?'},`
    })
    const type = named(name)
    const made = members.length === 0 ? `Ok(${type} {})` : `Ok(${type} {\n${lines.join('\n')}\n        })`
    return `impl FromJson for ${type} {
    fn from_json(${members.length === 0 ? '_' : 'json'}: &Json) -> Result<${type}> {
        ${made}
    }
}`
  },
  enum: ({ name }) => `impl FromJson for ${name} {
    fn from_json(json: &Json) -> Result<${name}> {
        ${name}::of(json.as_text()?)
    }
}`,
  union({ name, field, cases }) {
    const branches = cases.map(({ record, key }) => {
      const test =
        field === null ? `json.find(${quoted(key)}).is_some()` : `has(json, ${quoted(field)}, ${quoted(key)})`
      return `if ${test} {
            FromJson::from_json(json).map(${name}::${record})
        }`
    })
    return `impl FromJson for ${name} {
    fn from_json(json: &Json) -> Result<${name}> {
        ${branches.join(' else ')} else {
            problem(${quoted(expectedOf(field, cases))})
        }
    }
}`
  },
}

function wordsOf({ name, values }: EnumDefinition): string {
  return `impl Word for ${name} {
    const ALL: &'static [${name}] = &[
${values.map((value) => `        ${name}::${variant(value)},`).join('\n')}
    ];

    fn text(self) -> &'static str {
        match self {
${values.map((value) => `            ${name}::${variant(value)} => ${quoted(value)},`).join('\n')}
        }
    }
}`
}

const writers: DefinitionWriter = {
  record({ name, fields }) {
    const lines = fields.map((field) => {
      const { form, optional } = field
      const key = quoted(field.name)
      if (form.kind === 'constant') return `        put(&mut members, ${key}, &${constantOf(form.value)});`
      if (form.kind === 'flag') return `        put_flag(&mut members, ${key}, self.${memberName(field)});`
      return `        ${optional ? 'put_optional' : 'put'}(&mut members, ${key}, &self.${memberName(field)});`
    })
    return `impl ToJson for ${named(name)} {
    fn to_json(&self) -> Json {
        let mut members = Members::new();
${lines.join('\n')}
        Json::Object(members)
    }
}`
  },
  enum: ({ name }) => `impl ToJson for ${name} {
    fn to_json(&self) -> Json {
        Json::text(self.text())
    }
}`,
  union: ({ name, cases }) => `impl ToJson for ${name} {
    fn to_json(&self) -> Json {
        match self {
${cases.map(({ record }) => `            ${name}::${record}(each) => each.to_json(),`).join('\n')}
        }
    }
}`,
}

const constantOf = (value: string | true | null): string =>
  value === null ? 'Json::Null' : value === true ? 'true' : `Json::text(${quoted(value)})`

/** A text as Rust writes it, whose escapes are not those of JSON. */
const quoted = (text: string): string =>
  `"${text
    .toWellFormed()
    .replaceAll(/["\\]/g, '\\$&')
    .replaceAll(/\p{Cc}/gu, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`)}"`

/** A word as a case of an enum. */
const variant = (value: string): string => safeName(pascalName(value), keywords)

/** The name of a record as a type, which must not hide one that other code needs. */
const named = (name: string): string =>
  ['Option', 'Result', 'String', 'Vec', 'Json', 'Box'].includes(name) ? `${name}Record` : name

const keywords: ReadonlySet<string> = new Set(
  `abstract as async await become box break const continue crate do dyn else enum extern false final fn for if impl in let loop
  macro match mod move mut override priv pub ref return self static struct super trait true try type typeof unsafe unsized use
  virtual where while yield Self`.split(/\s+/),
)
