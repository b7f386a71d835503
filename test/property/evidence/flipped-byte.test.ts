import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyText } from '../../../main/histories/keys.ts'
import { checkDossier } from '../../../main/services/evidence/check-dossier.ts'
import { noPython, pythonVerdicts } from '../../unit/evidence/python-verifier.ts'
import { sampleFiles, sampleKey } from '../../unit/evidence/sample-dossier.ts'

const files = await sampleFiles()
const paths = [...files.keys()]

/** A bit of a byte of a file. */
const place = fc.record({ path: fc.constantFrom(...paths), at: fc.nat(), bit: fc.nat(7) })

function flipped({
  path,
  at,
  bit,
}: {
  readonly path: string
  readonly at: number
  readonly bit: number
}): Record<string, Uint8Array> {
  const bytes = Uint8Array.from(files.get(path)!)
  bytes[at % bytes.length]! ^= 1 << bit
  return { [path]: bytes }
}

test('a flipped bit in any file of a dossier is found', () => {
  fc.assert(
    fc.property(place, (change) => {
      const changed = new Map([...files, ...Object.entries(flipped(change))])
      // The rules are not needed to find it.
      const { verdict } = checkDossier(changed, { known: new Map(), games: () => undefined })
      expect(verdict).toBe('not-genuine')
    }),
    { numRuns: 300 },
  )
})

test.skipIf(noPython !== null)('verify.py finds it, too (needs python3)', () => {
  const changes = fc.sample(place, 200).map(flipped)
  const all = paths.map((path) => flipped({ path, at: 0, bit: 0 }))
  const { codes } = pythonVerdicts(files, [...changes, ...all], keyText(sampleKey.publicKey))
  expect(new Set(codes)).toEqual(new Set([1]))
})
