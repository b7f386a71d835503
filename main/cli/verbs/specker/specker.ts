import { type Command, Option, InvalidArgumentError } from 'commander'
import { addGroup, type Context, addVerb, wholeNumber, challengeDataOption } from '../../context.ts'
import type { PartRow } from '../../../contract/game/match-parts.ts'
import { scoreText } from '../../../services/game-facts.ts'
import {
  predicateColumns,
  predicatesIn,
  type ReadExports,
  targetingIn,
  type ExportsTargeting,
} from '../../../services/games/specker/exported-matches.ts'
import { table, count, safeLine, safe } from '../../text.ts'
import type { Terminal } from '../../terminal.ts'
import {
  finitePrice,
  limitPrice,
  readClauses,
  readRelations,
  type PredicatePart,
} from '../../../services/games/specker/price.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { bestKnownSentence } from '../../../services/challenges/instance-files.ts'
import { solveFile } from '../../../services/games/specker/solve.ts'
import { which } from '../challenge.ts'

/** `tartaglia specker price|solve|targeting|predicates`. */
export function addSpecker(program: Command, context: Context): void {
  const group = addGroup(
    program,
    'specker',
    'Tools for the Specker Challenge Game: price, solve, targeting, predicates',
  )
  addPrice(group, context)
  addSolve(group, context)
  addTargeting(group, context)
  addPredicates(group, context)
}

/** The maximum number of rows that a terminal shows; `--json` has more. */
const ROWS_MAX = 40

/** `tartaglia specker predicates histories/*.jsonl` */
function addPredicates(group: Command, { terminal }: Context): void {
  const verb = addVerb(
    group,
    'predicates',
    'Show what each agent earned with each predicate, from the histories of a contest',
    'tartaglia specker predicates histories/*.jsonl',
  )
  addExports(verb).action(async (files: readonly string[], { key }: { readonly key?: string }) => {
    const report = await predicatesIn(files, key)
    noteOwnKeys(terminal, key)
    terminal.output('specker predicates', report)
    const { predicates } = report
    const shown = predicates.slice(0, ROWS_MAX)
    terminal.print(
      `${readLine(report)}; amounts in energy.`,
      '',
      ...table([...left, ...right], shown.map(cells)),
      ...(predicates.length > shown.length ? ['', `${predicates.length - shown.length} more rows: see --json.`] : []),
    )
  })
}

const left = ['agent', 'predicate', 'as'].map((title) => ({ title, align: 'left' as const }))
const right = predicateColumns.map(({ id }) => ({ title: id, align: 'right' as const }))

function cells(row: PartRow): readonly string[] {
  const { agent, part, role } = row
  const values = predicateColumns.map(({ id, kind }) => {
    const value = row[id]
    if (typeof value !== 'number') return '-'
    if (kind === 'amount') return scoreText('specker', value)
    return kind === 'mean' ? value.toFixed(4) : String(value)
  })
  return [agent, part ?? '(all others)', role, ...values]
}

/** `tartaglia specker targeting histories/*.jsonl` */
function addTargeting(group: Command, { terminal }: Context): void {
  const verb = addVerb(
    group,
    'targeting',
    'Test whether agents treat others differently, from the histories of a contest',
    'tartaglia specker targeting histories/*.jsonl',
  )
  addExports(verb).action(async (files: readonly string[], { key }: { readonly key?: string }) => {
    const report = await targetingIn(files, key)
    noteOwnKeys(terminal, key)
    terminal.output('specker targeting', report)
    terminal.print(...lines(report))
  })
}

type Agent = ExportsTargeting['agents'][number]

function lines(report: ExportsTargeting): readonly string[] {
  return [
    `${readLine(report)}; p is the probability of so large a difference by chance alone.`,
    ...report.agents.flatMap(agentLines),
  ]
}

function agentLines({ agent, p, flagged, findings }: Agent): readonly string[] {
  const [clearest, ...others] = findings
  if (clearest === undefined) return ['', `${safeLine(agent)}: nothing to compare.`]
  const verdict = flagged ? 'treats others differently' : 'no sign of targeting'
  const events = flagged ? clearest.events : []
  return [
    '',
    `${safeLine(agent)}: ${verdict}, p = ${p.toPrecision(2)}`,
    findingLine(clearest),
    ...events.map(({ match, input, what }) => `    match ${match}, input ${input}: ${safeLine(what)}`),
    ...others.map(findingLine),
  ]
}

function findingLine({ about, p, compared, other, mean, expected }: Agent['findings'][number]): string {
  const seen = `${mean.toPrecision(3)} towards ${safeLine(other ?? '')}, expected ${expected.toPrecision(3)}`
  return `  ${about}: ${seen}; p = ${p.toPrecision(2)}, ${count(compared, 'observation', 'observations')}`
}

/** The arguments of a verb that reads exported matches. */
function addExports(verb: Command): Command {
  return verb
    .argument('<files...>', 'exported matches of one contest (`contest run --export`)')
    .option('--key <key>', "the class's public key (tartaglia-ed25519:...), or a file that contains it")
}

/** Without a key, says that the files vouch for themselves. */
function noteOwnKeys(terminal: Terminal, key: string | undefined): void {
  if (key !== undefined) return
  terminal.note("Each signature was checked against the key in its own file. Pass --key to check the class's key.")
}

/** How many matches were read, such as "3 matches (1 file with a match of another file left out)". */
function readLine({ matches, duplicates }: ReadExports): string {
  const files = count(duplicates.length, 'file', 'files')
  const again = duplicates.length === 0 ? '' : ` (${files} with a match of another file left out)`
  return `${count(matches, 'match', 'matches')}${again}`
}

interface PriceOptions {
  readonly relations?: string
  readonly clauses?: string
  readonly vars?: number
}

/** `tartaglia specker price --relations 2,6,22 --vars 20` */
function addPrice(group: Command, { terminal }: Context): void {
  addVerb(
    group,
    'price',
    'Compute the break-even price of a predicate',
    'tartaglia specker price --relations 2,6,22 --vars 20',
  )
    .option('--relations <numbers>', 'relations of rank 3, 0 to 255, such as 2,6,22')
    .option('--clauses <types>', 'clause types as length,positives, such as "1,1;2,0"')
    .addOption(
      new Option(
        '--vars <number>',
        'the exact price for this number of variables (default: the limit for many)',
      ).argParser(wholeNumber),
    )
    .action((options: PriceOptions) => {
      const items = itemsOf(options)
      const price = options.vars === undefined ? limitPrice(items) : finitePrice(items, options.vars)
      terminal.output('specker price', price)
      terminal.print(`value ${price.value}`, `bias ${price.bias}`)
      for (const { weight, ...item } of price.mixture) {
        if (weight !== 0 && weight !== '0/1') terminal.print(`${nameOf(item)} with weight ${weight}`)
      }
    })
}

function itemsOf({ relations, clauses }: PriceOptions): PredicatePart[] {
  if (relations !== undefined && clauses === undefined) return readRelations(relations)
  if (clauses !== undefined && relations === undefined) return readClauses(clauses)
  throw new ExpectedError('usage', 'options-conflict', 'Give the predicate by either --relations or --clauses.')
}

function nameOf(item: PredicatePart): string {
  return 'relation' in item ? `relation ${item.relation}` : `clause type (${item.clause.join(', ')})`
}

const SECONDS_MAX = 86_400

interface SolveOptions {
  readonly challenge: string
  readonly seconds: number
  readonly config?: string
  readonly data: string
}

/** `tartaglia specker solve --challenge max-csp FILE --seconds 1` */
function addSolve(group: Command, { terminal }: Context): void {
  const example = 'tartaglia specker solve --challenge max-csp instance.txt --seconds 1'
  addVerb(group, 'solve', 'Search for a good solution of raw material', example)
    .argument(
      '<file>',
      "a file with the raw material: in the challenge's text form, as JSON, as DIMACS CNF or WCNF (max-sat) or in the course's text (max-csp)",
    )
    .requiredOption('--challenge <name>', which)
    .addOption(new Option('--seconds <number>', 'maximum time of the search').argParser(seconds).default(1))
    .option(
      '--config <file>',
      'a JSON file with settings of the challenge (default: the smallest that fit the raw material)',
    )
    .addOption(challengeDataOption())
    .action(async (file: string, { challenge, data, ...options }: SolveOptions) => {
      const found = await solveFile(challenge, data, file, options)
      terminal.output('specker solve', found)
      terminal.print(safe(found.text).trim())
      terminal.note(`quality ${found.quality}, about ${found.number}${found.optimal ? ', optimal' : ''}`)
      if (found.best !== null) terminal.note(bestKnownSentence(found.best, found.measure))
    })
}

function seconds(text: string): number {
  const value = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : 0
  if (value > 0 && value <= SECONDS_MAX) return value
  throw new InvalidArgumentError(`It must be a number above 0 and up to ${SECONDS_MAX}.`)
}
