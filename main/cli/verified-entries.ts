import type { CheckedEntry, FileVerdict } from '../services/histories/verify-histories.ts'
import type { Terminal } from './terminal.ts'
import { count, safeLine } from './text.ts'

type Genuine = Extract<FileVerdict, { ok: true }>

/**
 * The proofs of verified matches about entries of schools, a line for each entry, and which entrants have no statement of
 * a school; nothing if there are no such entries.
 */
export function entryLines(terminal: Terminal, matches: readonly Genuine[]): readonly string[] {
  const entries = Map.groupBy(
    matches.flatMap((match) => match.entries),
    ({ name, statement }) => `${name}\n${statement.package}\n${statement.key}`,
  )
  if (entries.size === 0) return []
  const stated = new Set([...entries.values()].flatMap(([entry]) => (entry === undefined ? [] : [entry.name])))
  const others = new Set(matches.flatMap(({ seats }) => seats.map(({ name }) => name)))
  const unstated = [...others].filter((name) => !stated.has(name)).map(safeLine)
  return [
    ...[...entries.values()].map((seats) => entryLine(terminal, seats)),
    ...(unstated.length === 0
      ? []
      : [`Without a statement of a school, by the word of the signer: ${unstated.join(', ')}.`]),
  ]
}

function entryLine(terminal: Terminal, seats: readonly CheckedEntry[]): string {
  const { name, statement, signer } = seats[0]!
  const pseudonym = statement.name === name ? '' : ` as "${safeLine(statement.name)}"`
  const who = `"${safeLine(name)}", ${count(seats.length, 'seat', 'seats')}`
  const entered = `entered package ${statement.package}${pseudonym}, handed in ${statement.submitted}`
  if (signer.name === null) {
    const key = `that needs its key (--key), fingerprint ${signer.fingerprint}`
    return `${who}: ${terminal.paint('yellow', 'NOT PROVEN')} that ${safeLine(statement.school)} ${entered}: ${key}.`
  }
  const by = `signed by ${safeLine(signer.name)}`
  return `${who}: ${terminal.paint('green', 'proven')} that ${safeLine(statement.school)} ${entered}: ${by}.`
}

/** Which of the given keys signed neither a match nor an entry, as sentences. `keys`: their names by their texts. */
export function unusedKeyNotes(keys: ReadonlyMap<string, string>, matches: readonly Genuine[]): readonly string[] {
  const used = new Set(
    matches.flatMap(({ signer, entries }) => [signer.key, ...entries.map((each) => each.signer.key)]),
  )
  return [...keys].flatMap(([key, name]) =>
    used.has(key) ? [] : [`Nothing in the genuine files was signed with ${name}, ${key}.`],
  )
}
