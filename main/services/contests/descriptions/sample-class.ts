import { readFile } from 'node:fs/promises'
import { storeAgent } from '../../../administrator/classroom/agents.ts'
import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import type { ContestId } from '../../../contract/ids.ts'
import { newNonce } from '../../../histories/nonce.ts'
import { completeConfig } from './contest-file.ts'
import { matchConditions } from './match-conditions.ts'
import { keepTexts } from '../../texts/kept-texts.ts'
import { textsOf } from '../../texts/named-texts.ts'
import { SAMPLE_TITLE, sampleContest } from './sample-contest.ts'
import { newContest } from './new-contest.ts'

const SAMPLE_DUELS = 'Sample duels'

/** The titles of the contests of the sample class. */
export const sampleTitles: ReadonlySet<string> = new Set([SAMPLE_TITLE, SAMPLE_DUELS])

/**
 * Fills a new data folder with the sample class: the agents of the sample contest, that contest, and, unless it is one of pairs itself,
 * a second contest of the same agents in pairs. Everything is saved at once, so that an interrupted first start can be repeated.
 * Returns the contest to run.
 */
export async function makeFirstClass(home: ClassFolder, sample = sampleContest()): Promise<ContestId> {
  // `Json` is readonly and the schema's type is not; nothing modifies the value.
  const config = (await completeConfig(
    sample,
    null,
    'The sample contest',
    textsOf(home.folder),
  )) as ContestDescription['config']
  const entrants: { name: string; agent: string }[] = []
  for (const { name, agent: file } of sample.entrants) {
    const { agent } = await storeAgent(home.folder, { kind: 'script', bytes: await readFile(file) })
    entrants.push({ name, agent })
  }
  const contest = { ...sample, ...matchConditions(sample.game, { ...sample, config }), entrants }
  await keepTexts(home.folder, contest)
  const duels: ContestDescription = {
    ...contest,
    title: SAMPLE_DUELS,
    format: { type: 'round-robin', seats: 2, repeats: 2 },
    seed: 'Milan, 10 August 1548',
  }
  const isOfPairs = 'seats' in sample.format && sample.format.seats === 2
  const [first, second] = [newNonce(), newNonce()]
  let id = ''
  await home.change((content) => {
    id = newContest(content, home.folder, contest, { nonce: first })
    if (!isOfPairs) newContest(content, home.folder, duels, { nonce: second })
  })
  return id
}
