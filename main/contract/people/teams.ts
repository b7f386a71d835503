import * as z from 'zod'
import { newName } from '../ids.ts'
import { PEOPLE_MAX, personId } from './people.ts'

/** The maximum number of members of a team, and of teams of a class. */
export const TEAM_MEMBERS_MAX = 8
export const TEAMS_MAX = 10_000

/** A random id that a team keeps when its name or its members change. */
export const teamId = z.string().regex(/^[0-9a-f]{16}$/, 'expected 16 lower-case hex digits')
export type TeamId = z.infer<typeof teamId>

/** A random code of a team, for joining it. */
export const invitation = z.string().regex(/^[2-9A-HJKMNP-Z]{10}$/, 'expected the ten characters of an invitation')

/**
 * A team of students, to which agents belong. Its name is public and stands in histories, receipts and cases. class.json
 * holds the teams, oldest first. A student is in at most one team that is not dissolved.
 */
export const team = z.strictObject({
  id: teamId,
  name: newName,
  /** The name that the team gave itself, for its members and staff; `name` is a pseudonym then. Absent: `name` is that name. */
  called: newName.exactOptional(),
  /** The pseudonyms that it had before: nobody else gets them. Absent: it had none. */
  formerly: z.array(newName).exactOptional(),
  /** Empty: it is dissolved; its agents and receipts stay. */
  members: z.array(personId).max(TEAM_MEMBERS_MAX),
  formed: z.iso.datetime(),
  /** When members joined it. A member who is not named has been in it since it was formed. Absent: so have all. */
  joined: z.record(personId, z.iso.datetime()).exactOptional(),
  /** Those who were members and are not now: they do not judge its cases. Absent: nobody. */
  former: z.array(personId).max(PEOPLE_MAX).exactOptional(),
  /** With this code, which members give to others, students join. A new one ends it. Absent: nobody can join. */
  invitation: invitation.exactOptional(),
})
export type Team = z.infer<typeof team>
