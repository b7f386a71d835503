import * as z from 'zod'
import {
  FORGOTTEN_TEXT,
  isLocked,
  lockedPerson,
  LOCKED_TEXT,
  lockedTeam,
  namelessPerson,
  namelessTeam,
} from '../../contract/people/locked-names.ts'
import { erasedName, person, personId, type Person } from '../../contract/people/people.ts'
import type { Extension } from '../../contract/people/closing-time.ts'
import { newName } from '../../contract/ids.ts'
import { teamId } from '../../contract/people/teams.ts'
import type { Classroom } from '../../contract/procedures/classroom.ts'

/** Everything in a class that names people, or is free text about them: all that a passphrase locks. */
export const classNames = z.strictObject({
  people: z.record(personId, person.pick({ name: true, email: true, ids: true, section: true })),
  /** The names that teams under pseudonyms gave themselves. */
  teams: z.record(teamId, newName),
  /** Notes of hand-ins, by the number of the receipt. */
  notes: z.record(z.string(), z.string()),
  /** Reasons of extensions. */
  reasons: z.record(z.string(), z.string()),
})
export type ClassNames = z.infer<typeof classNames>

const keyOf = ({ of, contest, at }: Extension): string => `${of.who === 'team' ? of.team : of.person} ${contest} ${at}`

/** The names of a class, without placeholders. */
export function namesOf({ people, teams, agents, extensions }: Classroom): ClassNames {
  return {
    people: Object.fromEntries(people.filter((each) => !isLocked(each)).map((each) => [each.id, own(each)])),
    teams: Object.fromEntries(
      teams.flatMap(({ id, called }) => (called === undefined || called === lockedTeam(id) ? [] : [[id, called]])),
    ),
    notes: Object.fromEntries(
      agents.flatMap(({ handIn }) =>
        handIn?.note === undefined || handIn.note === LOCKED_TEXT ? [] : [[String(handIn.receipt), handIn.note]],
      ),
    ),
    reasons: Object.fromEntries(
      extensions.flatMap((each) => (each.reason === LOCKED_TEXT ? [] : [[keyOf(each), each.reason]])),
    ),
  }
}

/** The part of a person that names them. */
function own({ name, email, ids, section }: Person): ClassNames['people'][string] {
  return { name, ids, ...(email === undefined ? {} : { email }), ...(section === undefined ? {} : { section }) }
}

/** A class with placeholders. */
export function withoutNames(content: Classroom): Classroom {
  return {
    ...content,
    people: content.people.map(({ name: _, email: __, section: ___, ...rest }) => ({
      ...rest,
      name: lockedPerson(rest.id),
      ids: {},
    })),
    teams: content.teams.map((team) => (team.called === undefined ? team : { ...team, called: lockedTeam(team.id) })),
    agents: content.agents.map((version) =>
      version.handIn?.note === undefined ? version : { ...version, handIn: { ...version.handIn, note: LOCKED_TEXT } },
    ),
    extensions: content.extensions.map((each) => ({ ...each, reason: LOCKED_TEXT })),
  }
}

/** A class with names in the places of its placeholders; nothing else is touched, as it may have been written since. */
export function withNames(content: Classroom, names: ClassNames): Classroom {
  return {
    ...content,
    people: content.people.map((each) => (isLocked(each) ? { ...each, ...names.people[each.id] } : each)),
    teams: content.teams.map((team) => {
      const called = names.teams[team.id]
      return called !== undefined && team.called === lockedTeam(team.id) ? { ...team, called } : team
    }),
    agents: content.agents.map((version) => {
      const note = version.handIn === undefined ? undefined : names.notes[String(version.handIn.receipt)]
      return version.handIn?.note === LOCKED_TEXT && note !== undefined
        ? { ...version, handIn: { ...version.handIn, note } }
        : version
    }),
    extensions: content.extensions.map((each) =>
      each.reason === LOCKED_TEXT ? { ...each, reason: names.reasons[keyOf(each)] ?? LOCKED_TEXT } : each,
    ),
  }
}

/**
 * A locked class that goes on without its names and its lock. Names and texts that were written since it was locked stay, and erased people are
 * called as before.
 */
export function withForgottenNames({ names: _, ...content }: Classroom): Classroom {
  const [personDigits, teamDigits] = [digitsFor(content.people), digitsFor(content.teams)]
  const forgotten = ({ id, erased }: Person): string =>
    erased === undefined ? namelessPerson(id, personDigits) : erasedName(id)
  return {
    ...content,
    people: content.people.map((each) => (isLocked(each) ? { ...each, name: forgotten(each) } : each)),
    teams: content.teams.map((team) =>
      team.called === lockedTeam(team.id) ? { ...team, called: namelessTeam(team.id, teamDigits) } : team,
    ),
    agents: content.agents.map((version) => {
      if (version.handIn?.note !== LOCKED_TEXT) return version
      const { note: __, ...handIn } = version.handIn
      return { ...version, handIn }
    }),
    extensions: content.extensions.map((each) =>
      each.reason === LOCKED_TEXT ? { ...each, reason: FORGOTTEN_TEXT } : each,
    ),
  }
}

/** The number of characters, at least 4, by which the beginnings of ids differ. */
function digitsFor(all: readonly { readonly id: string }[]): number {
  for (let digits = 4; ; digits++) {
    const beginnings = new Set(all.map(({ id }) => id.slice(0, digits)))
    if (beginnings.size === all.length || digits === 64) return digits
  }
}

/** True if two states of a class have the same people under the same names. */
export function haveSameNames(a: Classroom, b: Classroom): boolean {
  return namedPeople(a) === namedPeople(b)
}

const namedPeople = ({ people }: Classroom): string => JSON.stringify(people.map((each) => [each.id, own(each)]))
