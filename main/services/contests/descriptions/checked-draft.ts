import { checkActive } from '../../../administrator/classroom/active-versions.ts'
import { readAgent } from '../../../administrator/classroom/agents.ts'
import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import { NETWORK } from '../../../contract/players/agents.ts'
import type { ArenaPlace } from '../../../contract/players/arena.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import { whyNoNewName } from '../../../contract/names.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import { foreignScriptJob } from '../../agents/foreign-scripts.ts'
import { readText } from '../../machine/reading.ts'
import type { Challenges } from '../../challenges/class-challenges.ts'
import { checkConnecting } from '../arena/network-contest.ts'
import { checkEntrantNames, completeConfig, formatOf } from './contest-file.ts'

/** Checks a draft and completes its config. Throws ExpectedError 'usage' that says what is wrong with it. */
export async function checkedDraft(
  home: ClassFolder,
  { texts }: Pick<Challenges, 'texts'>,
  draft: ContestDescription,
  arena: ArenaPlace | undefined,
): Promise<ContestDescription> {
  checkEntrantNames(draft, 'The contest')
  const known = new Set(home.content.agents.map(({ manifest }) => manifest.name))
  for (const { name } of draft.entrants) {
    const problem = known.has(name) ? null : whyNoNewName(name)
    if (problem !== null) throw new ExpectedError('usage', 'entrants-invalid', `Entrant "${name}": ${problem}.`)
  }
  const format = await formatOf(draft, null, 'The contest', texts)
  const config = await completeConfig({ ...draft, format }, null, 'The contest', texts)
  checkConnecting(draft, arena)
  /** Many entrants may have the same agent. */
  const checked = new Set<Sha256>()
  for (const { name, agent } of draft.entrants) {
    if (agent === NETWORK || checked.has(agent)) continue
    checked.add(agent)
    const known = home.content.agents.filter(({ hash }) => hash === agent)
    if (known.length === 0)
      throw new ExpectedError('usage', 'agent-unknown', `Entrant "${name}": no such agent has been handed in.`)
    if (!known.some(({ manifest }) => manifest.game === draft.game))
      throw new ExpectedError('usage', 'other-game', `Entrant "${name}" does not play ${draft.game}.`)
    const { kind, bytes } = await readAgent(home.folder, agent)
    const foreign = kind === 'script' ? await readText(foreignScriptJob, { script: bytes, game: draft.game }) : null
    if (foreign !== null) throw new ExpectedError('usage', 'other-game', `Entrant "${name}" ${foreign}.`)
  }
  checkActive(home.content.agents, draft)
  // `Json` is readonly and the schema's type is not; nothing modifies the value.
  return { ...draft, format, config: config as ContestDescription['config'] }
}
