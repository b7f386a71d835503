import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { contestDescription } from '../../main/contract/contests/contests.ts'
import { createExporter } from '../../main/histories/export.ts'
import { hashOf } from '../../main/histories/canonical.ts'
import { generateKey, signingKey } from '../../main/histories/keys.ts'
import { openSegments } from '../../main/histories/segments/writer.ts'
import { scanContest } from '../../main/histories/segments/contest-scan.ts'
import { bundlesOf, configOf, playBundles, type Trade } from './traders.ts'

/** Plays such a match and exports it as a contest's only one. Gives the file's path. */
export async function historyFile(folder: string, name: string, trade: Trade): Promise<string> {
  const key = signingKey(generateKey())
  if (key === null) throw new Error('no key could be made')
  const contest = 'bench-1'
  const config = configOf(trade)
  const entrants = [0, 1].map((seat) => ({ name: `player ${seat}`, agent: hashOf(seat) }))
  const described = { title: name, game: 'specker', config, format: { type: 'single' }, seed: 'bench', entrants }
  const description = contestDescription.parse({ ...described, isolation: 'none' })
  const dir = join(folder, name)
  mkdirSync(dir)
  const opened = await openSegments({ dir, contest, key, blobs: [description, config] })
  if (!opened.ok) throw new Error(opened.damage.message)
  const { writer } = opened
  await playBundles([bundlesOf(0, trade), bundlesOf(1, trade)], config, hashOf(description), (text) =>
    writer.append(text),
  )
  await writer.close()
  const scan = await scanContest({ dir, contest, key: key.publicKey })
  if (!scan.ok) throw new Error(scan.damage.message)
  const file = join(folder, `${name}.jsonl`)
  await (await createExporter(scan, key)).write(0, 'none', file)
  return file
}
