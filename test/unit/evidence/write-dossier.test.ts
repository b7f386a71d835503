import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keyText } from '../../../main/histories/keys.ts'
import { games } from '../../../main/referees/games.ts'
import { checkDossier } from '../../../main/services/evidence/check-dossier.ts'
import { openDossier } from '../../../main/services/evidence/open-dossier.ts'
import { dossierWriter } from '../../../main/services/evidence/write-dossier.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { sampleDossier, sampleHistory, sampleKey } from './sample-dossier.ts'

const facts = { by: 'Red', written: '2026-11-28T11:00:00.000Z' }

/** The matches of a class, which notes how many are read at a time. */
function matches(history: Uint8Array = sampleHistory) {
  const source = join(temporaryFolder('exports'), 'match.jsonl')
  writeFileSync(source, history)
  const seen = { now: 0, most: 0 }
  const withExport = async <T>(_: string, __: number, use: (file: string) => Promise<T>): Promise<T> => {
    seen.most = Math.max(seen.most, ++seen.now)
    try {
      return await use(source)
    } finally {
      seen.now--
    }
  }
  return { seen, withExport }
}

test('downloads are written one after the other, one for each person at a time, and leave the zips alone', async () => {
  const class_ = matches()
  const write = dossierWriter(class_, sampleKey)
  const folder = temporaryFolder('downloads')
  const people = ['anna', 'ben', 'cleo', 'anna']
  const done = await Promise.allSettled(
    people.map((who, n) => write(who, sampleDossier(), facts, join(folder, `${n}.zip`))),
  )
  expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected'])
  expect(done[3]).toMatchObject({ reason: { code: 'busy' } })
  expect(class_.seen).toEqual({ now: 0, most: 1 })
  expect(readdirSync(folder).sort()).toEqual(['0.zip', '1.zip', '2.zip'])
  expect(readFileSync(join(folder, '0.zip'))).toEqual(readFileSync(join(folder, '2.zip')))
  const known = new Map([[keyText(sampleKey.publicKey), 'the class']])
  const report = checkDossier(await openDossier(join(folder, '1.zip')), { known, games: (id) => games.get(id) })
  expect(report).toMatchObject({ verdict: 'genuine', problem: null, others: [] })
  await write('anna', sampleDossier(), facts, join(folder, '3.zip'))
})

test('a dossier about a match that was played again is not written, and the next one is', async () => {
  const folder = temporaryFolder('downloads')
  const dossier = sampleDossier()
  const [first] = dossier.items
  if (first?.kind !== 'event') throw new Error('the first item is an event')
  const other = { ...dossier, items: [{ ...first, reference: { ...first.reference, head: 'a'.repeat(64) } }] }
  const write = dossierWriter(matches(), sampleKey)
  await expect(write('anna', other, facts, join(folder, 'a.zip'))).rejects.toMatchObject({ code: 'match-unknown' })
  expect(readdirSync(folder)).toEqual([])
  await write('anna', dossier, facts, join(folder, 'b.zip'))
  expect(existsSync(join(folder, 'b.zip'))).toBe(true)
})
