import type { ErrorCode } from '../../contract/error-codes.ts'
import type { Caller } from '../../contract/people/caller.ts'
import type { CallerView, ObjectRef } from '../../contract/people/objects.ts'
import type { PersonId } from '../../contract/people/people.ts'
import { plainSentence } from '../../contract/plain-sentence.ts'
import { reachOf, type Access } from '../../contract/procedures/access.ts'
import type { CallError, CallReply } from '../../contract/procedures/procedures.ts'

/** The maximum number of files whose owners are kept: more than can be kept of files themselves. */
const FILES_MAX = 100_000

/** The owners of uploaded and opened files, by their handles. A file without an entry belongs to the person at this machine. */
export interface FileOwners {
  add(caller: Caller, handle: string): void
  /** True also if the caller is at this machine and there is no such file. */
  owns(caller: Caller, handle: string): boolean
}

/** Guests have no accounts, so they own together what one of them has begun: only that one knows its handle, which cannot be guessed. */
const guests = Symbol('guests')

export function createFileOwners(): FileOwners {
  const owners = new Map<string, PersonId | typeof guests>()
  const holderOf = (caller: Caller): PersonId | typeof guests | null =>
    caller.role === 'guest' ? guests : ownerOf(caller)
  return {
    add(caller, handle) {
      const owner = holderOf(caller)
      if (owner === null) return
      owners.set(handle, owner)
      const [oldest] = owners.keys()
      if (owners.size > FILES_MAX && oldest !== undefined) owners.delete(oldest)
    },
    owns: (caller, handle) => (owners.get(handle) ?? null) === holderOf(caller),
  }
}

/** The owner of a caller's files; null: the person at this machine. */
export function ownerOf({ person }: Caller): PersonId | null {
  return person
}

/** True if a caller may not act on an object, or it does not exist. `view` null: they reach all objects, except for the files of others. */
export function outOfReach(
  ref: ObjectRef,
  access: Access,
  view: CallerView | null,
  caller: Caller,
  owners: FileOwners,
): boolean {
  if ('file' in ref) return !owners.owns(caller, ref.file)
  if (view === null || caller.role === null) return false
  const reach = reachOf(access, caller)
  return reach === undefined || (reach !== 'all' && !view.reaches(reach, ref))
}

/** The answer for an object that does not exist, or that the caller may not see: nobody can tell which. */
export function absent(ref?: ObjectRef): CallReply<never> {
  const [reason, message] = absence(ref)
  return { ok: false, error: { code: reason === 'sign-in-needed' ? 'forbidden' : 'refused', reason, message } }
}

function absence(ref?: ObjectRef): readonly [ErrorCode, string] {
  if (ref === undefined) return ['procedure-unknown', 'There is nothing like that.']
  if ('agent' in ref) return ['agent-unknown', `There is no agent "${ref.agent}".`]
  if ('version' in ref) return ['agent-version-unknown', `The agent "${ref.version.name}" has no such version.`]
  if ('source' in ref) return ['agent-version-unknown', `The agent "${ref.source.name}" has no such version.`]
  if ('contest' in ref) return ['contest-unknown', `There is no contest "${ref.contest}".`]
  if ('file' in ref) return ['file-not-open', 'That file is no longer open; open or upload it again.']
  if ('component' in ref) return ['component-unknown', `There is no component ${ref.component} in this class.`]
  if ('challenge' in ref) return ['challenge-unknown', `There is no challenge "${ref.challenge}".`]
  if ('setting' in ref) return ['sign-in-needed', `Only an educator may change the setting "${ref.setting}".`]
  if ('dossier' in ref) return ['dossier-unknown', 'There is no such dossier.']
  if ('case' in ref) return ['case-unknown', `The case ${ref.case} is unknown.`]
  if ('team' in ref) return ['person-unknown', 'There is no such team.']
  return ['person-unknown', 'There is no such person.']
}

/**
 * An error without the details of the machine, such as paths, which are for those who administer the class. The log of a build may name
 * the folder in which it ran.
 */
export function withoutMachine(error: CallError): CallError {
  const { details } = error
  if (error.code !== 'host') return details === undefined ? error : { ...error, details: plainSentence(details) }
  if (error.reason === 'internal-error') return error
  return { code: 'host', reason: error.reason, message: 'The machine of the class had a problem; tell your educator.' }
}
