import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { EntrantId, Sha256 } from '../../contract/ids.ts'
import type { HandInLook } from '../../contract/people/team-procedures.ts'
import { lookAtSubmission } from '../agents/hand-in.ts'
import { becomesOf, checkContest, gameOf, offeredBy, type TeamHandIn } from './receive.ts'

const HOUR = 60 * 60 * 1_000

/** The times of the looks by the id of a team or a person, in ms since the epoch. In memory: a restart costs nobody anything. */
export type Looks = Map<string, readonly number[]>
/** With more teams and people than this, those without a recent look are forgotten. */
const COUNTED = 2_000

/**
 * Looks at a file as if a team handed it in, and keeps nothing. Throws ExpectedError 'usage' like `receive`, except for the attempts of the
 * day, and `limit-reached` if the team has no look left in this hour.
 */
export async function lookForTeam(
  { home, looks, now }: { readonly home: ClassFolder; readonly looks: Looks; now(): number },
  handIn: Pick<TeamHandIn, 'file' | 'game' | 'team' | 'person' | 'contest' | 'agent'>,
): Promise<HandInLook> {
  const { file, team, person, contest, agent } = handIn
  const game = gameOf(home.content, handIn)
  const becomes = becomesOf(home.content, { game, team, agent })
  checkContest(home.content, contest, game)
  const most = home.content.handInRules.quotas.looksAnHour
  const left = takeLook(looks, [person ?? [], team.id].flat(), now(), most)
  const toolchains = offeredBy(home.content, contest)
  const { name, version } = await lookAtSubmission(home, { file, game, becomes, belonging: {}, team, toolchains })
  return { agent: name, game, version, left }
}

/**
 * Counts a look of a person and their team, or of neither if one of them has none left. Returns how many are left. `most`: in an hour,
 * since each may bundle or build a file, which takes a core for some seconds.
 */
export function takeLook(looks: Looks, whose: readonly string[], now: number, most: number): number {
  // Those of the future were made before the clock was set back.
  const isRecent = (at: number): boolean => at <= now && now - at < HOUR
  if (looks.size >= COUNTED) for (const [each, times] of looks) if (!times.some(isRecent)) looks.delete(each)
  const recentOf = whose.map((each) => (looks.get(each) ?? []).filter(isRecent))
  const recent = recentOf.toSorted((a, b) => b.length - a.length)[0] ?? []
  if (recent.length >= most)
    throw new ExpectedError(
      'usage',
      'limit-reached',
      most === 0
        ? 'The educator of this class lets nobody look at files: hand the file in.'
        : `The team, or you in another one, has looked at ${most} files in an hour. Hand the file in, or wait: ${waitWords(now, recent[recent.length - most]!)}.`,
    )
  for (const [at, each] of whose.entries()) looks.set(each, [...recentOf[at]!, now])
  return most - recent.length - 1
}

function waitWords(now: number, oldest: number): string {
  const minutes = Math.ceil((oldest + HOUR - now) / 60_000)
  return minutes === 1 ? 'the next look is free in a minute' : `the next look is free in ${minutes} minutes`
}

/** Sets the team's note on a version; '' removes it. Throws ExpectedError 'usage' if no team has handed it in. */
export async function noteOnVersion(home: ClassFolder, name: EntrantId, agent: Sha256, note: string): Promise<void> {
  await home.change(({ agents }) => {
    const version = agents.find((each) => each.hash === agent && each.manifest.name === name)
    if (version?.handIn === undefined)
      throw new ExpectedError('usage', 'agent-version-unknown', `No such version of "${name}" was handed in by a team.`)
    if (note === '') delete version.handIn.note
    else version.handIn.note = note
  })
}
