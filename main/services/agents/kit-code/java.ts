import type { Field, Form, MessageModel, RecordDefinition } from '../../../contract/game/message-model.ts'
import { codeOf, madeFrom, type DefinitionWriter } from './emitter.ts'
import { camelName, membersOf, quoted, safeName, snakeName } from './parts.ts'

/** `Messages.java`: records, enums and sealed interfaces of the unnamed package. An optional member that is absent is null. */
export function javaMessages(model: MessageModel): ReadonlyMap<string, string> {
  const { definitions } = model
  const enums = new Set(definitions.flatMap((each) => (each.kind === 'enum' ? [each.name] : [])))
  const unions = definitions.flatMap((each) => (each.kind === 'union' ? [each] : []))
  const unionsOf = (record: string): readonly string[] =>
    unions.flatMap(({ name, cases }) => (cases.some((each) => each.record === record) ? [name] : []))
  const types: DefinitionWriter = {
    record: (each) => recordOf(each, unionsOf(each.name), enums),
    ...otherTypes,
  }
  const parts = definitions.map((each) => codeOf(each, types))
  return new Map([['Messages.java', `// ${inComment(madeFrom(model))}\n\n${parts.join('\n')}`]])
}

const INT_MAX = 2 ** 31 - 1

/** `boxed`: as an object, which may be null. */
function typeOf(form: Form, boxed = false): string {
  switch (form.kind) {
    case 'string':
      return 'String'
    case 'number':
      return boxed ? 'Double' : 'double'
    case 'boolean':
    case 'flag':
      return boxed ? 'Boolean' : 'boolean'
    case 'int':
      return isInt(form) ? (boxed ? 'Integer' : 'int') : boxed ? 'Long' : 'long'
    case 'json':
    case 'constant':
      return 'Object'
    case 'list':
      return `java.util.List<${typeOf(form.of, true)}>`
    case 'nullable':
      return typeOf(form.of, true)
    case 'named':
      return form.name
  }
}

/** Counts and limited numbers; amounts of money and ids of maps may need more bits. */
const isInt = ({ min, max }: { readonly min: number | null; readonly max: number | null }): boolean =>
  min !== null && (max === null || max <= INT_MAX)

/** An expression: a function from JSON. */
function readerOf(form: Form): string {
  switch (form.kind) {
    case 'string':
      return 'Json::string'
    case 'number':
      return 'Json::number'
    case 'boolean':
    case 'flag':
      return 'Json::bool'
    case 'int':
      return isInt(form) ? 'Json::integer' : 'Json::whole'
    case 'json':
    case 'constant':
      return 'Json::any'
    case 'list':
      return `Json.list(${readerOf(form.of)})`
    case 'nullable':
      return `Json.orNull(${readerOf(form.of)})`
    case 'named':
      return `${form.name}::read`
  }
}

/** An expression: JSON of a value. */
function jsonOf(form: Form, value: string, enums: ReadonlySet<string>): string {
  if (form.kind === 'list') return `Json.listOf(${value}, each -> ${jsonOf(form.of, 'each', enums)})`
  if (form.kind === 'nullable') return `${value} == null ? null : ${jsonOf(form.of, value, enums)}`
  if (form.kind === 'named') return enums.has(form.name) ? `${value}.text` : `${value}.json()`
  return value
}

function recordOf(
  { name, doc, fields }: RecordDefinition,
  unions: readonly string[],
  enums: ReadonlySet<string>,
): string {
  const members = membersOf(fields)
  const memberType = ({ form, optional }: Field): string => typeOf(form, optional && form.kind !== 'flag')
  const components = members.map((field) => `    ${memberType(field)} ${memberName(field.name)}`)
  const needed = members.filter(({ optional }) => !optional)
  const short =
    needed.length === members.length
      ? ''
      : `    /** With nothing that may be absent. */
    ${name}(${needed.map((field) => `${memberType(field)} ${memberName(field.name)}`).join(', ')}) {
        this(${members.map((field) => absent(field)).join(', ')});
    }

`
  const reading = members.map(({ name: field, form, optional }) => {
    if (form.kind === 'flag') return `Boolean.TRUE.equals(fields.get(${quoted(field)}))`
    const inner = optional && form.kind === 'nullable' ? form.of : form
    const reader = optional ? `Json.orNull(${readerOf(inner)})` : readerOf(form)
    return `Json.field(fields, ${quoted(field)}, ${reader})`
  })
  const writing = fields.map(({ name: field, form, optional }) => {
    const put = (value: string): string => `fields.put(${quoted(field)}, ${value});`
    if (form.kind === 'constant') return optional ? '' : `        ${put(constantOf(form.value))}\n`
    const value = memberName(field)
    if (form.kind === 'flag') return `        if (${value}) ${put('true')}\n`
    if (!optional) return `        ${put(jsonOf(form, value, enums))}\n`
    const inner = form.kind === 'nullable' ? form.of : form
    return `        if (${value} != null) ${put(jsonOf(inner, value, enums))}\n`
  })
  const texts = members.flatMap((field) =>
    field.doc === '' ? [] : [` * @param ${memberName(field.name)} ${inComment(field.doc)}\n`],
  )
  const also = unions.length === 0 ? '' : ` implements ${unions.join(', ')}`
  return `/**
 * ${inComment(doc)}
${texts.join('')} */
record ${name}(
${components.join(',\n')}) ${also} {
${short}    static ${name} read(Object value) {
        var fields = Json.object(value);
        return new ${name}(
            ${reading.join(',\n            ')});
    }

    /** The message as it is written. */
    public java.util.Map<String, Object> json() {
        var fields = new java.util.LinkedHashMap<String, Object>();
${writing.join('')}        return fields;
    }
}
`
}

function absent({ name, form, optional }: Field): string {
  if (!optional) return memberName(name)
  return form.kind === 'flag' ? 'false' : 'null'
}

/** Types that need no look at the others. */
const otherTypes: Omit<DefinitionWriter, 'record'> = {
  enum({ name, doc, values }) {
    const constants = values.map((value) => `    ${snakeName(value).toUpperCase()}(${quoted(value)})`)
    return `/** ${inComment(doc)} */
enum ${name} {
${constants.join(',\n')};

    /** As in JSON. */
    final String text;

    ${name}(String text) {
        this.text = text;
    }

    static ${name} read(Object value) {
        for (var each : values()) if (each.text.equals(value)) return each;
        throw new IllegalArgumentException("expected a ${name}, not " + value);
    }
}
`
  },
  union({ name, doc, field, cases }) {
    const branches = cases.map(({ record, key }) => {
      const test =
        field === null ? `fields.containsKey(${quoted(key)})` : `${quoted(key)}.equals(fields.get(${quoted(field)}))`
      return `        if (${test}) return ${record}.read(value);\n`
    })
    return `/** ${inComment(doc)} */
sealed interface ${name} permits ${cases.map(({ record }) => record).join(', ')} {
    java.util.Map<String, Object> json();

    static ${name} read(Object value) {
        var fields = Json.object(value);
${branches.join('')}        throw new IllegalArgumentException("a message of another kind than those of ${name}");
    }
}
`
  },
}

/** A backslash before a u would be an escape even here. */
const inComment = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll('*/', '* /')
    .replaceAll('\\', '&#92;')

const constantOf = (value: string | true | null): string => (typeof value === 'string' ? quoted(value) : String(value))

const memberName = (field: string): string => safeName(camelName(field), taken)

/** Keywords, and names that the methods of a record need. */
const taken: ReadonlySet<string> = new Set(
  `abstract assert boolean break byte case catch char class const continue default do double else enum extends false final finally
  float for goto if implements import instanceof int interface long native new null package private protected public return short
  static strictfp super switch synchronized this throw throws transient true try void volatile while
  clone fields finalize getClass hashCode json notify notifyAll toString wait`.split(/\s+/),
)
