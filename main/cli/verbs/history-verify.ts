import type { Command } from 'commander'
import type { ErrorCode } from '../../contract/error-codes.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Signer } from '../../contract/histories/trusted-keys.ts'
import {
  givenKeys,
  historyVerifier,
  type FileVerdict,
  type CheckedEntry,
} from '../../services/histories/verify-histories.ts'
import { verifyCaseFile, type CaseVerdict } from '../../services/cases/verify-case.ts'
import { givenHistories, type GivenHistory } from '../../services/histories/given-histories.ts'
import { knownSignersIn } from '../../services/histories/known-signers.ts'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { addVerb, dataOption, type Context } from '../context.ts'
import type { Terminal } from '../terminal.ts'
import { count, safeLine } from '../text.ts'

/** The verdicts on a file, best first, and the exit code of each; the worst of all files counts. */
const exitCodes = { genuine: 0, 'signer-unknown': 4, 'not-genuine': 1, unreadable: 2 } as const
type Verdict = keyof typeof exitCodes
const bestFirst = Object.keys(exitCodes) as readonly Verdict[]

/** The verdict on one file; `verdict` is an additional field of --json. */
type Checked = { readonly verdict: Verdict } & (FileVerdict | CaseVerdict | Unreadable)
interface Unreadable {
  readonly file: string
  readonly ok: false
  readonly code: ErrorCode
  readonly message: string
}

const verdictHelp = `
Verdicts and exit codes (of several files, the worst):
  0  genuine: intact, and signed with a known key: one given with --key, or
     without --key that of the class in the data folder or one that it trusts
  4  intact, signer unknown: complete, unchanged and consistent with the rules
     (if they are available here), but anybody may have signed it
  1  not genuine: damaged, changed, against the rules, or not signed with --key,
     or it says that a school entered what the school did not enter
  2  a file that cannot be read

The key in an archive proves nothing, because whoever made it has put it there.

If agents of other schools play, give the key of each school too: for each of
its agents a line says whether the school has signed that very package.`

/** `tartaglia history verify FILE... [--key KEY]...`: three verdicts with an exit code each. */
export function addHistoryVerify(group: Command, context: Context): void {
  addVerb(
    group,
    'verify',
    'Verify exported matches and records of cases: complete, unchanged, signed, and consistent with the rules',
    'tartaglia history verify match-0001.jsonl --key class.pub',
  )
    .argument('<files...>', 'exported matches, records of cases, and folders or archives of them')
    .option(
      '--key <key>',
      'a public key that they must be signed with (tartaglia-ed25519:...), or a file of it; repeat it for several schools',
      (key: string, before: readonly string[]) => [...before, key],
      [],
    )
    .addOption(dataOption())
    .addHelpText('after', verdictHelp)
    .action((files: string[], options: { key: string[]; data?: string }) => verify(context, files, options))
}

async function verify(
  { terminal, done }: Context,
  files: readonly string[],
  { key: keys, data = defaultDataFolder() }: { readonly key: readonly string[]; readonly data?: string },
): Promise<void> {
  const signers = keys.length === 0 ? await knownSignersIn(data) : givenKeys(keys)
  const matches = historyVerifier(keys, signers)
  const verifier = async (file: string): Promise<FileVerdict | CaseVerdict> =>
    (await verifyCaseFile(file, { signers, mustBeKnown: keys.length > 0 })) ?? (await matches(file))
  const checked: Checked[] = []
  for await (const given of givenHistories(files)) {
    const one = await check(given, verifier)
    checked.push(one)
    if (one.ok || 'line' in one) terminal.print(verdictLine(terminal, one))
    else terminal.note(one.message)
  }
  report(terminal, keys, checked)
  const worst = bestFirst.findLast((verdict) => checked.some((each) => each.verdict === verdict)) ?? 'genuine'
  terminal.output('history verify', { ok: worst === 'genuine', files: checked })
  done(exitCodes[worst])
}

/** Prints what concerns all verified matches. */
function report(terminal: Terminal, keys: readonly string[], checked: readonly Checked[]): void {
  const matches = checked.flatMap((each) => (each.ok && 'match' in each ? [each] : []))
  const bySigner = Map.groupBy(matches, ({ signer }) => signerLine(signer))
  for (const [line, { length }] of bySigner)
    terminal.print(bySigner.size === 1 ? line : line.replace(/^Signed/, `${count(length, 'match', 'matches')} signed`))
  terminal.print(...entryLines(terminal, matches))
  if (keys.length > 1) for (const note of unusedKeyNotes(givenKeys(keys), matches)) terminal.note(note)
  for (const line of new Set(matches.flatMap(({ revealed }) => revealedLine(revealed)))) terminal.print(line)
  for (const note of new Set(matches.flatMap(({ notes }) => notes))) terminal.note(note)
  if (checked.length > 1) terminal.print(tally(checked))
}

async function check(
  given: GivenHistory,
  verifier: (file: string) => Promise<FileVerdict | CaseVerdict>,
): Promise<Checked> {
  const file = given.name
  try {
    if (given.path === null) throw given.problem
    const found = { ...(await verifier(given.path)), file }
    if (!found.ok) return { verdict: 'not-genuine', ...found }
    return { verdict: found.signer.name === null ? 'signer-unknown' : 'genuine', ...found }
  } catch (error) {
    if (!(error instanceof ExpectedError) || error.kind !== 'usage') throw error
    return { verdict: 'unreadable', file, ok: false, code: error.code, message: error.message }
  }
}

/** The verdict on one file: where the first problem is, or what was verified. */
export function verdictLine(terminal: Terminal, checked: FileVerdict | CaseVerdict): string {
  const file = safeLine(checked.file)
  if (!checked.ok) {
    return `${terminal.paint('red', `${file}:${checked.line}:`)} not genuine: ${safeLine(checked.message)}`
  }
  if ('case' in checked) return caseLineOf(terminal, checked)
  const { contest, match, inputs, lines, replayed, practice, signer } = checked
  const what = replayed
    ? `${count(inputs, 'input', 'inputs')} replayed`
    : `${count(lines, 'line', 'lines')}, NOT replayed through the rules`
  const verdict =
    signer.name === null ? terminal.paint('yellow', 'intact, signer unknown') : terminal.paint('green', 'genuine')
  return `${file}: ${verdict}, match ${match} of ${contest}${practice ? ' (practice)' : ''}, ${what}`
}

/** The verdict on the record of a case that holds. */
function caseLineOf(
  terminal: Terminal,
  { file, case: id, entries, head, outcome, signer }: Extract<CaseVerdict, { ok: true }>,
): string {
  const verdict =
    signer.name === null
      ? terminal.paint('yellow', 'intact, signer unknown')
      : `${terminal.paint('green', 'genuine')}, signed by ${safeLine(signer.name)}`
  const what = `${id}, ${count(entries, 'entry', 'entries')}; stages, lots, votes and rulings recomputed`
  return `${safeLine(file)}: ${verdict}, ${what}; ${outcome}, head ${head}`
}

function signerLine({ name, key, fingerprint }: Signer): string {
  if (name !== null) return `Signed by ${safeLine(name)}, fingerprint ${fingerprint}.`
  return `Signed by nobody known, fingerprint ${fingerprint}. If the class has given you ${key}, use it as --key.`
}

function revealedLine(revealed: Extract<FileVerdict, { ok: true }>['revealed']): readonly string[] {
  if (revealed === null) return []
  const { seed, phrase } = revealed
  const both = phrase === null ? 'it' : `it and the phrase "${safeLine(phrase)}" of the class`
  const committed = `The contest was committed to the seed "${safeLine(seed)}" before its start`
  return [`${committed}; the seeds of its matches follow from ${both}.`]
}

function tally(checked: readonly Checked[]): string {
  const of = (...verdicts: readonly Verdict[]): number =>
    checked.filter(({ verdict }) => verdicts.includes(verdict)).length
  const unknown = of('signer-unknown')
  const bad = of('not-genuine', 'unreadable')
  return `${of('genuine')} genuine, ${unknown} intact with an unknown signer, ${bad} not.`
}

type Genuine = Extract<FileVerdict, { ok: true }>

/**
 * The proofs of verified matches about entries of schools, a line for each entry, and which entrants have no statement of
 * a school; nothing if there are no such entries.
 */
function entryLines(terminal: Terminal, matches: readonly Genuine[]): readonly string[] {
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

/** The given keys that signed neither a match nor an entry, as sentences. `keys`: their names by their texts. */
function unusedKeyNotes(keys: ReadonlyMap<string, string>, matches: readonly Genuine[]): readonly string[] {
  const used = new Set(
    matches.flatMap(({ signer, entries }) => [signer.key, ...entries.map((each) => each.signer.key)]),
  )
  return [...keys].flatMap(([key, name]) =>
    used.has(key) ? [] : [`Nothing in the genuine files was signed with ${name}, ${key}.`],
  )
}
