import { createRequire } from 'node:module'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { readDictionary } from '../../../grammars/class-dictionary/index.ts'
import type { Json } from '../../../grammars/json.ts'
import { compileValues } from '../../../grammars/values/index.ts'
import { repeats } from '../../long.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { randomDictionary, randomFrom } from './random-dictionary.ts'

const require = createRequire(import.meta.url)
const dictionaries = repeats({ short: 12, long: 60 })
interface Validator {
  compile(schema: Json): (value: unknown) => boolean
}
/** Ajv for draft 2020-12, by way of fastify. */
const Ajv2020 = createRequire(createRequire(require.resolve('fastify')).resolve('@fastify/ajv-compiler'))(
  'ajv/dist/2020.js',
) as new (options: object) => Validator

type Fields = { readonly [label: string]: Json }

function without(fields: Fields, label: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([one]) => one !== label))
}

/** A value with something done to it somewhere: a key gone or too many, another kind of thing, an element more. */
function spoilt(value: Json, random: () => number): Json {
  const below = (count: number): number => Math.floor((random() / 2 ** 32) * count)
  const others: readonly Json[] = [null, true, 0.5, -3, 1e300, '', 'a b', 'name', '}', [], {}, [1], { $: 'K0' }]
  if (typeof value !== 'object' || value === null || below(4) === 0) return others[below(others.length)]!
  if (Array.isArray(value)) {
    const list = value as readonly Json[]
    if (list.length === 0) return [others[below(others.length)]!]
    const at = below(list.length)
    return list.map((one, i) => (i === at ? spoilt(one, random) : one))
  }
  const fields = value as Fields
  const labels = Object.keys(fields)
  const label = labels[below(labels.length)]
  if (label === undefined || below(6) === 0) return { ...fields, extra: 1 }
  if (below(6) === 0) return without(fields, label)
  return { ...fields, [label]: spoilt(fields[label]!, random) }
}

test('a JSON Schema lets through what is valid, and nothing else that it has words for', () => {
  let refused = 0
  let accepted = 0
  for (let which = 0; which < dictionaries; which++) {
    const { dictionary, types, source } = randomDictionary(which, which % 3 === 0 ? 'A' : 'C')
    const values = compileValues(dictionary)
    for (const type of types) {
      const made = values.jsonSchema(type)
      if (!made.ok) throw new Error(made.problem.message)
      const validate = new Ajv2020({ strict: true, strictTuples: false, allErrors: false }).compile(made.schema)
      const random = randomFrom(which)
      for (let i = 0; i < 8; i++) {
        const sample = values.sample(type, random, { size: 30 })
        if (!sample.ok) throw new Error(sample.problem.message)
        expect({ source, type, value: sample.value, ok: validate(sample.value) }).toMatchObject({ ok: true })
        const other = spoilt(sample.value, random)
        const wrong = values.validate(other, type)
        if (wrong !== null && /must come before|is there twice/.test(wrong.message)) continue
        expect({ source, type, other, wrong, ok: validate(other) }).toMatchObject({ ok: wrong === null })
        if (wrong === null) accepted++
        else refused++
      }
    }
  }
  expect(refused / dictionaries).toBeGreaterThan(12)
  expect(accepted / dictionaries).toBeGreaterThan(0.125)
})

/** The compiler's errors in these files, which import nothing. */
function complaints(files: ReadonlyMap<string, string>): readonly string[] {
  const folder = temporaryFolder('types')
  for (const [name, text] of files) writeFileSync(join(folder, name), text)
  const program = ts.createProgram(
    [...files.keys()].map((name) => join(folder, name)),
    { strict: true, exactOptionalPropertyTypes: true, noEmit: true, lib: ['lib.es5.d.ts'], types: [] },
  )
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file === undefined ? '' : file.text.slice(0, start).split('\n').length
    return `${file?.fileName ?? ''}:${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
  })
}

/** The type that a declaration file names first: the one asked for. */
function firstName(text: string): string {
  return /^export (?:type|interface) (\S+)/m.exec(text)![1]!
}

test('TypeScript takes every value for its type, and refuses a value without one of its fields', () => {
  const files = new Map<string, string>()
  let negatives = 0
  for (let which = 0; which < dictionaries; which++) {
    const { dictionary, types } = randomDictionary(which, which % 3 === 0 ? 'A' : 'C')
    const values = compileValues(dictionary)
    types.forEach((type, t) => {
      const made = values.typescript(type)
      if (!made.ok) throw new Error(made.problem.message)
      const name = firstName(made.text)
      const lines = [made.text]
      const random = randomFrom(which)
      for (let i = 0; i < 3; i++) {
        const sample = values.sample(type, random, { size: 20 })
        if (!sample.ok) throw new Error(sample.problem.message)
        lines.push(`export const value${i}: ${name} = ${JSON.stringify(sample.value)}`)
        const label =
          typeof sample.value === 'object' && sample.value !== null ? Object.keys(sample.value)[0] : undefined
        if (label === undefined || Array.isArray(sample.value)) continue
        const less = without(sample.value as Fields, label)
        lines.push('// @ts-expect-error', `export const less${i}: ${name} = ${JSON.stringify(less)}`)
        negatives++
      }
      files.set(`d${which}_${t}.ts`, lines.join('\n'))
    })
  }
  expect(complaints(files)).toEqual([])
  expect(negatives / dictionaries).toBeGreaterThan(1.5)
})

test('every word of TypeScript can name a class', () => {
  const words: string[] = []
  for (let kind = ts.SyntaxKind.FirstKeyword; kind <= ts.SyntaxKind.LastKeyword; kind++) {
    const word = ts.tokenToString(kind)
    if (word !== undefined && /^[a-z]+$/.test(word)) words.push(word)
  }
  const free = words.filter(
    (word) =>
      !/^(include|using|package|import|lookahead|interface|implements|true|false|extern|number|string|boolean)$/.test(
        word,
      ),
  )
  expect(free.length).toBeGreaterThan(60)
  const classes = free.map((word) => `${word} = "${word}" <${word}> int.`).join('\n')
  const fields = free.map((word) => `<${word}> ${word}`).join(' ')
  const { dictionary } = readDictionary(`Root = ${fields}.\n${classes}\nAny = ${free.join(' | ')}.`)
  const values = compileValues(dictionary!)
  const files = new Map<string, string>()
  for (const type of ['Root', 'Any', 'List(Root)', 'List(Option(Any))']) {
    const made = values.typescript(type)
    const sample = values.sample(type, randomFrom(1), { size: 3 })
    if (!made.ok || !sample.ok) throw new Error(type)
    files.set(
      `${files.size}.ts`,
      `${made.text}\nexport const value: ${firstName(made.text)} = ${JSON.stringify(sample.value)}`,
    )
  }
  expect(complaints(files)).toEqual([])
})
