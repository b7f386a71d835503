import { closeSync, existsSync, openSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ExpectedError } from '../../contract/expected-error.ts'
import { makeFolder } from '../../histories/durable.ts'
import { codeOf, machineErrorFrom } from '../../histories/machine-error.ts'
import { renamedSync } from '../../histories/put-in-place.ts'
import { checkOutFile } from '../files/output-file.ts'

/** The folder of the matches that `tartaglia run` keeps, in the folder of an agent. */
const MATCHES = 'matches'
const keptName = /^match-(\d{1,9})\.history$/
/** The second form is of earlier versions. */
const temporaryName = /^match(?:-\d{1,9}\.history|\.history\.\d+)\.tmp$/

/** A match is written and gets its name within seconds: what is older is left from a program that was killed meanwhile. */
const LEFT_AFTER_MS = 3_600_000

/** A match that was kept. */
export interface KeptMatch {
  /** In the order in which the matches were kept, from 1. */
  readonly number: number
  readonly path: string
}

/** The matches that are kept in the folder of an agent, the last one first. */
export function keptMatches(folder: string): readonly KeptMatch[] {
  return numbersIn(folder)
    .toSorted((a, b) => b - a)
    .map((number) => ({ number, path: pathOf(folder, number) }))
    .filter(({ path }) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0)
}

/** The match that was kept last. Throws ExpectedError `match-unknown` if there is none. */
export function lastMatch(folder: string): string {
  const [last] = keptMatches(folder)
  if (last !== undefined) return last.path
  throw new ExpectedError(
    'usage',
    'match-unknown',
    `${join(folder, MATCHES)} keeps no match yet: play one with "tartaglia run".`,
  )
}

/**
 * Makes the folder for kept matches, before one is played, and removes what programs left there that were killed while they kept one.
 * Throws MachineError if nothing can be written there.
 */
export function prepareMatches(folder: string): void {
  makeFolder(join(folder, MATCHES))
  removeLeftovers(join(folder, MATCHES))
  checkOutFile({ path: join(folder, MATCHES, 'match.history'), overwrite: true })
}

/**
 * Keeps a match under the next number, and returns its file. Each number is taken once, also by programs that keep matches in the same
 * folder at the same time. Throws MachineError.
 */
export function keepMatch(folder: string, history: Uint8Array): string {
  try {
    for (let number = Math.max(0, ...numbersIn(folder)) + 1; ; number++) {
      const path = pathOf(folder, number)
      if (putUnderNewName(path, history)) return path
    }
  } catch (error) {
    throw machineErrorFrom(error, 'write', join(folder, MATCHES))
  }
}

/**
 * Writes a file whole or not at all; false: there is one of this name, or another program is writing one. Not every file system has hard
 * links, and a rename replaces what has the name: the temporary file, which one program alone can make, reserves it. Throws the system's error.
 */
function putUnderNewName(path: string, content: Uint8Array): boolean {
  const temporary = `${path}.tmp`
  let file: number
  try {
    file = openSync(temporary, 'wx')
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
  try {
    try {
      writeFileSync(file, content)
    } finally {
      closeSync(file)
    }
    if (existsSync(path)) return false
    renamedSync(temporary, path)
    return true
  } finally {
    rmSync(temporary, { force: true })
  }
}

function removeLeftovers(matches: string): void {
  for (const name of readdirSync(matches).filter((each) => temporaryName.test(each) || keptName.test(each))) {
    try {
      const { size, mtimeMs } = statSync(join(matches, name))
      const isLeft = temporaryName.test(name) || size === 0
      if (isLeft && Date.now() - mtimeMs > LEFT_AFTER_MS) rmSync(join(matches, name))
    } catch {
      // Another program removed it, or it cannot be removed: then it stays, and hinders no match.
    }
  }
}

const pathOf = (folder: string, number: number): string => join(folder, MATCHES, `match-${number}.history`)

function numbersIn(folder: string): readonly number[] {
  try {
    return readdirSync(join(folder, MATCHES)).flatMap((name) => {
      const number = keptName.exec(name)?.[1]
      return number === undefined ? [] : [Number(number)]
    })
  } catch {
    return []
  }
}
