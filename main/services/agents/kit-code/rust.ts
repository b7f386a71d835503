import type {
  Definition,
  EnumDefinition,
  Field,
  Form,
  RecordDefinition,
  UnionDefinition,
} from '../../../contract/game/message-model.ts'
import { madeFrom, pascal, type Emitter } from './emitter.ts'
import { commentOf, reachedFrom, safeName, snakeName } from './parts.ts'

/**
 * The files of the kit in Rust: `messages.rs` with the types of all messages, and `messages_json.rs`, which reads those to a program and
 * writes its own.
 */
export const rustMessages: Emitter = (model) => {
  const read = reachedFrom(model, model.told)
  const written = reachedFrom(model, model.said)
  const types = model.definitions.map(typeOf)
  const functions = model.definitions.flatMap((each) => [
    ...(each.kind === 'enum' ? [wordsOf(each)] : []),
    ...(read.has(each.name) ? [reader(each)] : []),
    ...(written.has(each.name) ? [writer(each)] : []),
  ])
  const head = `//! ${madeFrom(model)}\n\n`
  const needs = types.some((each) => /\bJson\b/.test(each)) ? 'use crate::json::Json;\n\n' : ''
  return new Map([
    ['messages.rs', `${head}${needs}${types.join('\n\n')}\n`],
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
const doc = (text: string, indent = ''): string =>
  commentOf(text, indent, { open: '/// ', next: '/// ', close: '' }, WIDTH)

function typeOf(definition: Definition): string {
  switch (definition.kind) {
    case 'enum':
      return `${doc(definition.doc)}#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ${definition.name} {
${definition.values.map((value) => `    ${pascal(value)},`).join('\n')}
}`
    case 'record':
      return recordType(definition)
    case 'union':
      return `${doc(definition.doc)}#[derive(Clone, Debug, PartialEq)]
pub enum ${definition.name} {
${definition.cases.map(({ record }) => `    ${record}(${named(record)}),`).join('\n')}
}`
  }
}

function recordType({ name, doc: text, fields }: RecordDefinition): string {
  const members = membersOf(fields).map(
    (field) => `${doc(field.doc, '    ')}    pub ${memberName(field)}: ${memberType(field)},`,
  )
  const body = members.length === 0 ? ' {}' : ` {\n${members.join('\n')}\n}`
  return `${doc(text)}#[derive(Clone, Debug, PartialEq)]\npub struct ${named(name)}${body}`
}

/** Fields with a value of their own; a constant has none. */
const membersOf = (fields: readonly Field[]): readonly Field[] => fields.filter(({ form }) => form.kind !== 'constant')

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

function reader(definition: Definition): string {
  const { name } = definition
  if (definition.kind === 'enum')
    return `impl FromJson for ${name} {
    fn from_json(json: &Json) -> Result<${name}> {
        ${name}::of(json.as_text()?)
    }
}`
  if (definition.kind === 'union') return unionReader(definition)
  const members = membersOf(definition.fields)
  const lines = members.map((field) => {
    const { form, optional, name: key } = field
    const call = form.kind === 'flag' ? 'get_flag' : optional ? 'get_optional' : 'get'
    return `            ${memberName(field)}: ${call}(json, "${key}")${form.kind === 'flag' ? '' : '?'},`
  })
  const type = named(name)
  const made = members.length === 0 ? `Ok(${type} {})` : `Ok(${type} {\n${lines.join('\n')}\n        })`
  return `impl FromJson for ${type} {
    fn from_json(${members.length === 0 ? '_' : 'json'}: &Json) -> Result<${type}> {
        ${made}
    }
}`
}

function wordsOf({ name, values }: EnumDefinition): string {
  return `impl Word for ${name} {
    const ALL: &'static [${name}] = &[
${values.map((value) => `        ${name}::${pascal(value)},`).join('\n')}
    ];

    fn text(self) -> &'static str {
        match self {
${values.map((value) => `            ${name}::${pascal(value)} => "${value}",`).join('\n')}
        }
    }
}`
}

function unionReader({ name, field, cases }: UnionDefinition): string {
  const branches = cases.map(({ record, key }) => {
    const test = field === null ? `json.find("${key}").is_some()` : `has(json, "${field}", "${key}")`
    return `if ${test} {
            FromJson::from_json(json).map(${name}::${record})
        }`
  })
  const keys = cases.map(({ key }) => key).join(', ')
  const expected = field === null ? `expected one of the fields ${keys}` : `expected one of these as ${field}: ${keys}`
  return `impl FromJson for ${name} {
    fn from_json(json: &Json) -> Result<${name}> {
        ${branches.join(' else ')} else {
            problem("${expected}")
        }
    }
}`
}

function writer(definition: Definition): string {
  const { name } = definition
  if (definition.kind === 'enum')
    return `impl ToJson for ${name} {
    fn to_json(&self) -> Json {
        Json::text(self.text())
    }
}`
  if (definition.kind === 'union')
    return `impl ToJson for ${name} {
    fn to_json(&self) -> Json {
        match self {
${definition.cases.map(({ record }) => `            ${name}::${record}(each) => each.to_json(),`).join('\n')}
        }
    }
}`
  const lines = definition.fields.map((field) => {
    const { form, optional } = field
    if (form.kind === 'constant') return `        put(&mut members, "${field.name}", &${constantOf(form.value)});`
    if (form.kind === 'flag') return `        put_flag(&mut members, "${field.name}", self.${memberName(field)});`
    return `        ${optional ? 'put_optional' : 'put'}(&mut members, "${field.name}", &self.${memberName(field)});`
  })
  return `impl ToJson for ${named(name)} {
    fn to_json(&self) -> Json {
        let mut members = Members::new();
${lines.join('\n')}
        Json::Object(members)
    }
}`
}

const constantOf = (value: string | true | null): string =>
  value === null ? 'Json::Null' : value === true ? 'true' : `Json::text(${JSON.stringify(value)})`

/** The name of a record as a type, which must not hide one that other code needs. */
const named = (name: string): string =>
  ['Option', 'Result', 'String', 'Vec', 'Json', 'Box'].includes(name) ? `${name}Record` : name

const keywords: ReadonlySet<string> = new Set(
  `abstract as async await become box break const continue crate do dyn else enum extern false final fn for if impl in let loop
  macro match mod move mut override priv pub ref return self static struct super trait true try type typeof unsafe unsized use
  virtual where while yield`.split(/\s+/),
)
