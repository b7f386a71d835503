import type { ClassMember, RosterImport } from '../../../main/contract/people/people-procedures.ts'
import type { NetworkState } from '../../../main/contract/procedures/network.ts'
import type { Role } from '../../../main/contract/people/people.ts'
import { count, moment } from '../../words.ts'

export const roleLabels: Readonly<Record<Role, string>> = {
  educator: 'Educator',
  assistant: 'Assistant',
  student: 'Student',
  guest: 'Guest',
}
export const roleOptions = Object.entries(roleLabels).map(([value, label]) => ({ value: value as Role, label }))

/** How a person stands with signing in. */
export function signInState({ asking, seen, hasPassword, codeUntil }: ClassMember): string {
  if (asking === true) return 'asks to join'
  if (seen !== null) return `seen ${moment(seen)}`
  if (hasPassword) return 'signed out'
  return codeUntil === null ? 'has no code yet' : 'has not signed in yet'
}

/** The consequences of a roster, in sentences. */
export function importSentences({ added, changed, gone, unchanged }: RosterImport): readonly string[] {
  const back = changed.filter(({ returns }) => returns).length
  const edited = changed.length - back
  const sentences = [
    added.length > 0 && `${count(added.length, 'person is', 'people are')} new.`,
    edited > 0 && `${count(edited, 'person', 'people')} will be changed.`,
    back > 0 && `${count(back, 'person', 'people')} who left will be taken back.`,
    unchanged > 0 && `${count(unchanged, 'person stays as they are', 'people stay as they are')}.`,
    gone.length > 0 &&
      `${count(gone.length, 'student is', 'students are')} not in the roster and will stay in the class.`,
  ]
  return sentences.filter((sentence) => sentence !== false)
}

/** A text as base64 of its UTF-8 bytes. */
export function base64Of(text: string): string {
  let bytes = ''
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte)
  return btoa(bytes)
}

/**
 * The address on slips, by which students reach the class: that of the open network, else that of this page unless only this computer
 * reaches it. '': there is none. `page`: the origin of this page; null: it is not served.
 */
export function addressForStudents(network: NetworkState | null, page: string | null): string {
  if (network?.isOpen === true) return network.addresses[0] ?? ''
  return page === null || /^https?:\/\/(127\.|localhost|\[::1\])/.test(page) ? '' : page
}
