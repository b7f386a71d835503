import { checkAgentFile } from '../../../administrator/classroom/agents.ts'
import { versionsOf } from '../../../administrator/classroom/active-versions.ts'
import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import { HUMAN, NETWORK } from '../../../contract/players/agents.ts'
import type { ContestEntry } from '../../../contract/procedures/classroom.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { ContestId } from '../../../contract/ids.ts'
import type { Contests } from './class-contests.ts'
import type { Manifests } from '../descriptions/new-contest.ts'

/**
 * Adds a contest that repeats one that is over: the same settings, the same packages of the agents, whatever has become of
 * them in the class since, and the same seed, derivation and phrase. So agents that repeat themselves get the same results.
 * It does not count among the results of its agents, because those of the first time do. Throws ExpectedError 'usage' if the
 * contest is not over or its players cannot play again, 'host' if a package is missing.
 */
export async function addRerun(home: ClassFolder, contests: Contests, id: ContestId): Promise<ContestEntry> {
  return home.inTurn(async () => {
    const { state, phrase, seeds, rebuilt, decisions } = contests.entry(id)
    if (rebuilt !== undefined)
      throw new ExpectedError(
        'usage',
        'seed-lost',
        `The contest ${id} was rebuilt from its histories, without its seed: run its file again instead.`,
      )
    if (state === 'open')
      throw new ExpectedError(
        'usage',
        'contest-not-over',
        `The contest ${id} is not over: its seed, and so what follows, is secret until then.`,
      )
    const description = { ...(await contests.complete(id)) }
    // It is a contest of its own.
    delete description.phase
    const manifests: Manifests = new Map(
      description.entrants.flatMap((entrant) => {
        const [version] = versionsOf(home.content.agents, entrant)
        // Teams and policies were checked the first time.
        if (version === undefined) return []
        return [[entrant.agent, { ...version.manifest, team: undefined, policies: undefined }]]
      }),
    )
    for (const { name, agent } of description.entrants) {
      if (agent === HUMAN)
        throw new ExpectedError('usage', 'plays-in-window', `A person plays in ${id}: begin a new match instead.`)
      if (agent === NETWORK)
        throw new ExpectedError(
          'usage',
          'entrants-invalid',
          `Entrant "${name}" connected from another machine: nobody knows its version.`,
        )
      await checkAgentFile(home.folder, agent).catch((error: unknown) => {
        if (!(error instanceof ExpectedError)) throw error
        throw new ExpectedError(
          error.kind,
          error.code,
          `Entrant "${name}" of ${id} cannot play again: ${error.message}`,
        )
      })
    }
    // A ruling is about what happened the first time.
    const again = decisions?.filter(({ decision }) => decision.type !== 'ruling')
    return contests.add(description, {
      manifests,
      rerun: { of: id, phrase, seeds, decisions: again?.length === 0 ? undefined : again },
    })
  })
}
