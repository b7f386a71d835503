import { readdir } from 'node:fs/promises'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import type { ChallengeSummary } from '../../contract/procedures.ts'
import { Trouble } from '../../contract/trouble.ts'
import { resources, shippedChallenge } from '../resources.ts'

/** The challenges that ship, by name. */
export async function listChallenges(): Promise<readonly ChallengeSummary[]> {
  const files = (await readdir(resources.challenges)).filter((file) => file.endsWith('.challenge')).sort()
  const all = await Promise.all(files.map((file) => getChallenge(file.slice(0, -'.challenge'.length))))
  return all.map(({ name, title, text }) => ({ name, title, text }))
}

/** One of them with its source. Throws Trouble 'usage' where there is none of that name. */
export async function getChallenge(name: string): Promise<ChallengeSummary & { readonly source: string }> {
  const source = await shippedChallenge(name)
  const challenge = source === null ? null : readChallenge(source).challenge
  if (source === null || challenge === null) throw new Trouble('usage', `There is no challenge "${name}".`)
  return { name, title: challenge.title, text: challenge.text, source }
}
