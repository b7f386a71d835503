import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { printDictionary, readDictionary } from '../../../grammars/class-dictionary/index.ts'

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
  const { dictionary, problems } = readDictionary(text)
  expect(dictionary === null ? 'reject' : 'accept').toBe(verdict)
  expect(problems.length > 0).toBe(dictionary === null)
  if (dictionary !== null) expect(readDictionary(printDictionary(dictionary)).problems).toEqual([])
})
