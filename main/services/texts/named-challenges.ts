import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import { didYouMean } from '../../contract/near-miss.ts'
import { challengeName } from '../../contract/procedures/procedures.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { codeOf, machineErrorFrom } from '../../histories/machine-error.ts'
import { placeProblems, problemLine } from '../files/placed-problems.ts'
import { resources, shippedChallenge } from '../machine/resources.ts'

const ENDING = '.challenge'

/** The maximum number of own challenges that an error names; it counts the others. */
const NAMED_MAX = 20

/** The folder of the class's own challenges in a data folder. */
export function ownChallengesFolder(data: string): string {
  return join(data, 'challenges')
}

/** The file of an own challenge. `name` must be a valid `challengeName`; other strings could be paths. */
export function ownChallengeFile(data: string, name: string): string {
  return join(ownChallengesFolder(data), `${name}${ENDING}`)
}

/**
 * The text of an own challenge; null: the class has none of that name. Throws MachineError if the file cannot be read.
 */
export async function ownChallenge(data: string, name: string): Promise<string | null> {
  if (!challengeName.safeParse(name).success) return null
  const file = ownChallengeFile(data, name)
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw machineErrorFrom(error, 'read', file)
  })
}

/** Sorted. Throws MachineError if the folder cannot be read. */
export async function ownChallengeNames(data: string): Promise<readonly string[]> {
  const folder = ownChallengesFolder(data)
  const files = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw machineErrorFrom(error, 'read', folder)
  })
  return namesOf(files).filter((name) => challengeName.safeParse(name).success)
}

/** Sorted. */
export async function shippedChallengeNames(): Promise<readonly string[]> {
  return namesOf(await readdir(resources.challenges))
}

/**
 * The text of a shipped challenge, or of an own one of the class in the data folder. Throws ExpectedError 'usage',
 * which lists both kinds, if there is none, and MachineError.
 */
export async function challengeNamed(name: string, data: string): Promise<string> {
  const text = (await shippedChallenge(name)) ?? (await ownChallenge(data, name))
  if (text === null) throw await noSuchChallenge(name, data)
  return text
}

/**
 * Returns the text of a challenge file if it has no errors. Throws ExpectedError 'usage' with the place of the first
 * error.
 */
export function checkedChallengeText(text: string, file: string): string {
  const [first] = placeProblems(readChallenge(text).problems, file)
  if (first !== undefined) throw new ExpectedError('usage', 'challenge-invalid', problemLine(first))
  return text
}

/** The error for a name that belongs to no challenge. */
export async function noSuchChallenge(name: string, data: string): Promise<ExpectedError> {
  const [shipped, own] = [await shippedChallengeNames(), await ownChallengeNames(data)]
  const more = own.length > NAMED_MAX ? ` and ${own.length - NAMED_MAX} more` : ''
  const has = own.length === 0 ? 'none of its own' : `${own.slice(0, NAMED_MAX).join(', ')}${more} of its own`
  const comes = `Tartaglia includes ${shipped.join(', ')}`
  const hint = didYouMean(name, [...shipped, ...own])
  return new ExpectedError(
    'usage',
    'challenge-unknown',
    `There is no challenge "${name}": ${comes}; the class in ${data} has ${has}.${hint}`,
  )
}

function namesOf(files: readonly string[]): readonly string[] {
  return files
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length))
    .sort()
}
