import type { ContestId } from '../../contract/ids.ts'
import type { Classroom } from '../../contract/procedures/classroom.ts'

/** The title of a contest, for people, who do not know its id; null: `id` is null, or the contest was deleted. */
export function titleOfContest({ contests }: Pick<Classroom, 'contests'>, id: ContestId | null): string | null {
  return contests.find((each) => each.id === id)?.description.title ?? null
}
