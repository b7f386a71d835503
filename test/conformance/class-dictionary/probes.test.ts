import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { describedTree, withoutPlaces } from '../../property/class-dictionary/described.ts'
import { judgeDictionary, printDictionary, readDictionary } from '../../../grammars/class-dictionary/index.ts'

const file = new URL('../../../../shared/data/class-dictionary-probes.json', import.meta.url)
const here = existsSync(file)
const probe = z.object({ id: z.string(), text: z.string(), verdict: z.enum(['accept', 'reject']) })
const probes = here
  ? z
      .array(probe)
      .min(50)
      .parse(JSON.parse(readFileSync(file, 'utf8')))
  : []

test.skipIf(!here)('the probes of the 2011 parser are here', () => {
  expect(new Set(probes.map(({ verdict }) => verdict))).toEqual(new Set(['accept', 'reject']))
})

test.each(probes)('$id: $verdict, as the 2011 parser', ({ text, verdict }) => {
  const { dictionary, problems } = readDictionary(text, { dialect: 'C' })
  expect(dictionary === null ? 'reject' : 'accept').toBe(verdict)
  expect(problems.length > 0).toBe(dictionary === null)
  if (dictionary !== null) expect(readDictionary(printDictionary(dictionary), { dialect: 'C' }).problems).toEqual([])
})

test.each(probes)('$id: the dictionary of dictionaries says the same', ({ text }) => {
  expect(describedTree(text)).toEqual(withoutPlaces(readDictionary(text, { dialect: 'C' }).dictionary))
})

/** Probes that the grammar accepts and a check refuses, as docs/class-dictionaries.md names them. */
const exceptions = new Map([
  ['dup_field', 'two fields'],
  ['implements', 'not defined'],
  ['implements_empty', 'not defined'],
  ['include_nogen', 'not found'],
  ['include_two', 'not found'],
  ['param_bound', 'not defined'],
  ['self_alt', 'alternative of itself'],
])

test.each(probes)('$id: the checks agree, or say why not', ({ id, text, verdict }) => {
  const { dictionary } = readDictionary(text, { dialect: 'C' })
  if (dictionary === null) return
  const [error] = judgeDictionary(dictionary).errors
  const reason = exceptions.get(id)
  if (reason === undefined) expect(error === undefined ? 'accept' : 'reject').toBe(verdict)
  else expect(error?.message).toContain(reason)
})

test('docs/class-dictionaries.md names the exceptions', () => {
  const docs = readFileSync(new URL('../../../docs/class-dictionaries.md', import.meta.url), 'utf8')
  const table = /\| Probe[^]*?\n\n/.exec(docs)![0]
  expect(new Set(Array.from(table.matchAll(/`([a-z_]+)`/g), ([, id]) => id))).toEqual(new Set(exceptions.keys()))
})
