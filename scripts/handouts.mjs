// `npm run handouts`: writes the numbers of `challenge check` and the pictures of examples into docs/handouts and docs/good-challenges.md.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { entry, note, root } from './setup.mjs'

const challenges = join(root, 'grammars', 'challenges')
const docs = join(root, 'docs')

const amounts = { predicates: 6, instances: 2, solutions: 4, variations: 60, small: 0, ways: 0, largest: 0 }

/** By the name of a challenge that ships: the challenge, and its report with all references, always with the same numbers. */
export async function measureShipped() {
  const { readChallenge } = await import('../grammars/challenges/index.ts')
  const { tryOutGame } = await import('../grammars/play-test/play-test.ts')
  const { randomStream } = await import('../main/contract/random.ts')
  const { answersInScripts } = await import('../main/services/challenges/reference-scripts.ts')
  const shipped = new Map()
  for (const file of readdirSync(challenges).filter((file) => file.endsWith('.challenge'))) {
    const { challenge } = readChallenge(readFileSync(join(challenges, file), 'utf8'))
    const config = challenge.config({}).value
    const random = randomStream('1'.repeat(64))
    // The clock stands still, so that the numbers do not depend on the machine.
    const tried = tryOutGame(challenge, { config, random, now: () => 0, withinMs: 1, amounts })
    const test = tried.withScripts(await answersInScripts(challenge, config, tried.trials))
    shipped.set(challenge.name, { challenge, config, test })
  }
  return shipped
}

/** The pages with numbers, by their paths below docs. `shipped`: what `measureShipped` returns. */
export async function pagesWithNumbers(shipped) {
  const { describePicture } = await import('../grammars/challenges/pictures/describe-picture.ts')
  const { toText } = await import('../grammars/formulas/index.ts')
  const { format, resolveConfig } = await import('prettier')
  const pages = new Map()
  const page = async (path, change) => {
    const file = join(docs, path)
    const text = change(readFileSync(file, 'utf8'))
    pages.set(path, await format(text, { ...(await resolveConfig(file)), filepath: file }))
  }
  for (const [name, one] of shipped) {
    await page(`handouts/${name}.md`, (text) => {
      const example = drawnExample(one, text, { describePicture, toText })
      return between(between(text, 'numbers', numbersOf(one)), 'picture', example)
    })
  }
  await page('good-challenges.md', (text) => between(text, 'numbers', tableOf([...shipped])))
  return pages
}

/** Replaces the text between the comments `name` and `/name`. Throws if they are missing. */
function between(text, name, inner) {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`]
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`A page has no ${begin.trim()} ... ${end}.`)
  return `${text.slice(0, from + begin.length)}\n${inner}\n\n${text.slice(to)}`
}

/** Solutions of an example that are compared at most. */
const WAYS = 20_000

/** The picture, in words, of the page's own example, its quality, and the best one. */
function drawnExample({ challenge, config }, page, { describePicture, toText }) {
  const [, ...texts] = /^predicate: ([^]*?)\nraw material: ([^]*?)\nsolution: ([^]*?)\n```/m.exec(page)
  const values = ['Predicate', 'Instance', 'Solution'].map((type, i) => {
    const parsed = challenge.values.parse(texts[i], type)
    if (!parsed.ok) throw new Error(`${challenge.name}: ${parsed.problem.message}`)
    return parsed.value
  })
  const [predicate, instance, solution] = values
  const own = challenge.predicate(config, predicate)
  const refused = own.ok
    ? (challenge.legal(config, own.value, instance) ?? challenge.feasible(config, instance, solution))
    : own.error
  if (refused !== null) throw new Error(`${challenge.name}: ${refused}`)
  const text = (number) => toText(number).replace(/\/1$/, '')
  const { measure, bound, quality } = challenge.rating(config, instance, solution)
  const best = bestOf(challenge, config, instance)
  const better =
    best === null
      ? ''
      : sameAs(best.quality, quality)
        ? 'No solution is better.'
        : `The best is \`${challenge.values.print(best.solution, 'Solution').trim()}\`, with measure ${text(best.measure)} and quality ${text(best.quality)}.`
  const { picture } = challenge.picture(config, instance, solution)
  return `The picture of it, in words:\n\n\`\`\`\n${describePicture(picture).join('\n')}\n\`\`\`\n\nIts measure is ${text(measure)} and the bound is ${text(bound)}, so its quality is ${text(quality)}. ${better}`.trim()
}

/** The best solution of a small instance, by looking at all of them; null: they cannot be listed. */
function bestOf({ sampler, rating, feasible }, config, instance) {
  const all = sampler.everySolution(config, instance, WAYS)
  if (all === null) return null
  const rated = all
    .filter((solution) => feasible(config, instance, solution) === null)
    .map((solution) => ({ solution, ...rating(config, instance, solution) }))
  return rated.reduce((best, one) => (isLess(best.quality, one.quality) ? one : best))
}

/** Compare exact fractions. */
const isLess = (a, b) => a.n * b.d < b.n * a.d
const sameAs = (a, b) => a.n * b.d === b.n * a.d

function numbersOf({ test }) {
  const { spread, references, draws } = test
  const { sizes } = draws.usual
  const [best] = spread.margins
  const rows = [
    ['One random solution', percent(spread.chance)],
    ['The better of two, which the agent `baby` takes', percent(spread.baby)],
    ...references
      .filter(({ kind }) => kind !== 'wrong')
      .map(({ title, kind, quality }) => [`The ${kind} reference "${title}"`, percent(quality)]),
    ['The best that is known', percent(references[0].best)],
    ['Most profit of a seller from a random buyer', `${best.margin.toFixed(2)}, for \`${best.predicate}\``],
    ['Length of the raw material, in characters', `${sizes.least} to ${sizes.most}, half below ${sizes.median}`],
    ['Steps of judging a solution', stepsOf(draws.usual).toLocaleString('en')],
  ]
  return `Averages over ${references[0].instances} random pieces of raw material, with the default settings.

${table(['Measure', 'Value'], rows)}`
}

function tableOf(shipped) {
  const head = [
    'Challenge',
    'Solutions allowed',
    'Quality by chance',
    'Better of two',
    'Short search',
    'Greedy reference',
  ]
  const rows = shipped.map(([name, { test }]) => {
    const { draws, spread, references } = test
    const { tried, found } = draws.usual.solutions
    const greedy = references.find(({ kind }) => kind === 'greedy')
    const { chance, baby, best, margins } = spread
    const shares = [found / tried, chance, baby, best, greedy.quality, references[0].best].map(percent)
    return [`\`${name}\``, ...shares, margins[0].margin.toFixed(2), stepsOf(draws.usual).toLocaleString('en')]
  })
  return table([...head, 'Best known', 'Best margin', 'Steps of a solution'], rows)
}

/** Those of the demands of a solution and of its measure. */
function stepsOf({ judgements }) {
  return judgements
    .filter(({ what }) => what === 'feasible solution' || what === 'measure')
    .reduce((sum, { steps }) => sum + (steps ?? Infinity), 0)
}

function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const percent = (share) => `${Math.round(100 * share)}%`

if (pathToFileURL(process.argv[1]).href === import.meta.url) {
  await entry(async () => {
    const pages = await pagesWithNumbers(await measureShipped())
    for (const [path, text] of pages) writeFileSync(join(docs, path), text)
    note(`${pages.size} pages below ${docs} are written.`)
    return 0
  })
}
