import type { CaseRoom, PresentPerson } from '../../contract/cases/case-procedures.ts'
import type { CaseId, Pseudonym } from '../../contract/cases/cases.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { actorIn, caseNumbered, type CaseActor, type ClassCases } from './class-cases.ts'

/** The people who have the room of a case open. It is kept nowhere: a person who closes the room is gone. */
export interface CasePresence {
  /**
   * Somebody opens the room; returns the function that closes it again. Throws ExpectedError 'usage', `case-room-closed` for somebody who
   * is not one of the people of the case.
   */
  enter(id: CaseId, actor: CaseActor): () => void
  /** Those who are here, in the order of the record; without those who have left the class meanwhile. */
  room(id: CaseId): CaseRoom
}

/** `changed`: called when somebody comes to a room or leaves it; a second window of the same person changes nothing. */
export function createPresence(cases: ClassCases, changed: (id: CaseId) => void): CasePresence {
  /** The open windows of each person, by case. */
  const rooms = new Map<CaseId, Map<Pseudonym, number>>()
  const count = (id: CaseId, person: Pseudonym, by: 1 | -1): void => {
    const room = rooms.get(id) ?? new Map<Pseudonym, number>()
    const windows = (room.get(person) ?? 0) + by
    if (windows === 0) room.delete(person)
    else room.set(person, windows)
    if (room.size === 0) rooms.delete(id)
    else rooms.set(id, room)
    if (windows === (by === 1 ? 1 : 0)) changed(id)
  }
  return {
    enter(id, actor) {
      const person = actorIn(cases, caseNumbered(cases, id), actor)
      if (person === null)
        throw new ExpectedError('usage', 'case-room-closed', `Only people of ${id} see who is in its room.`)
      count(id, person, 1)
      let isOpen = true
      return () => {
        if (isOpen) count(id, person, -1)
        isOpen = false
      }
    },
    room(id) {
      const { state } = caseNumbered(cases, id)
      const { outcome } = state
      const { hideNames } = state.filed.settings
      const windows = rooms.get(id) ?? new Map<Pseudonym, number>()
      const isSecret = hideNames && state.rulings.length < state.instance
      const here = [...state.people.values()].flatMap(({ id: person, side, role }): readonly PresentPerson[] => {
        if (!windows.has(person) || state.gone.has(person)) return []
        const isJudge = state.panel.includes(person)
        const part =
          person === state.chair ? 'chair' : isJudge ? 'panel' : (side ?? (role === 'student' ? 'class' : 'staff'))
        // The moment at which a pseudonym comes and goes would tell who it is.
        const mayBeDrawn = part === 'class' || (part === 'staff' && hideNames && outcome === 'open')
        const isHidden = mayBeDrawn || (isSecret && side === null)
        return [{ part, person: isHidden ? null : person }]
      })
      return { here, members: state.panel.length }
    },
  }
}
