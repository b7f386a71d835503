// `npm run grammars`: writes docs/grammars.md and its railroad diagrams from the parsers themselves, and the TextMate grammars for
// editors from the words of the languages.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { entry, note, root } from './setup.mjs'
import { challengeColours, dictionaryColours } from './text-mate.mjs'

/** The generated files: path from the root → text. */
export async function grammarFiles() {
  const grammars = await readGrammars()
  const syntaxes = 'docs/editors/vscode/syntaxes'
  const colours = [
    [`${syntaxes}/challenge.tmLanguage.json`, await challengeColours()],
    [`${syntaxes}/class-dictionary.tmLanguage.json`, await dictionaryColours()],
  ]
  const texts = [
    ['docs/grammars.md', pageOf(grammars)],
    ...colours.map(([path, value]) => [path, JSON.stringify(value, null, 2)]),
  ]
  const { format, resolveConfig } = await import('prettier')
  const formatted = texts.map(async ([path, text]) => {
    const filepath = join(root, path)
    return [path, await format(text, { ...(await resolveConfig(filepath)), filepath })]
  })
  const pictures = grammars.map(({ id, title, rules }) => [`docs/images/grammars/${id}.svg`, pictureOf(title, rules)])
  return new Map([...(await Promise.all(formatted)), ...pictures])
}

/** The grammars, each with its own rules; a larger one goes on with those of the one before it. */
async function readGrammars() {
  const { grammar } = await import('../grammars/challenges/grammar.ts')
  const { parser } = await import('../grammars/class-dictionary/parsing/grammar.ts')
  const all = grammar().getSerializedGastProductions()
  const at = (name) => all.findIndex((rule) => rule.name === name)
  return [
    { id: 'challenge', title: 'Challenge files', rules: startFirst(all.slice(at('propertyRules')), 'file') },
    { id: 'formula', title: 'Formulas', rules: startFirst(all.slice(0, at('propertyRules')), 'expression') },
    {
      id: 'dictionary',
      title: 'Class dictionaries',
      rules: startFirst(parser().getSerializedGastProductions(), 'source'),
    },
  ]
}

function startFirst(rules, name) {
  return [...rules.filter((rule) => rule.name === name), ...rules.filter((rule) => rule.name !== name)]
}

function pageOf(grammars) {
  const sections = grammars.map(({ id, title, rules }) => {
    const text = rules.map((rule) => `${rule.name} =${bodyOf(rule.definition)}`).join('\n')
    return `## ${title}

[Railroad diagrams](images/grammars/${id}.svg)

\`\`\`text
${text}
\`\`\`
`
  })
  return `# Grammars

<!-- Written by \`npm run grammars\` from the parsers. Edit those instead. -->

The grammars of [challenge files](language.md), of their formulas, and of [class dictionaries](class-dictionaries.md) (dialect C), as the
parsers have them. \`[ x ]\` is optional, \`{ x }\` is repeated any number of times, also never. Words in quotes stand there as they are;
words in capitals are tokens:

${tokenTable(grammars)}

Between tokens stand spaces, line breaks and comments: \`// to the end of the line\` and \`/* ... */\`.

${sections.join('\n')}`
}

function tokenTable(grammars) {
  const tokens = new Map()
  const collect = (part) => {
    if (part.type === 'Terminal' && !isLiteral(part) && !tokens.has(tokenName(part)))
      tokens.set(tokenName(part), meaningOf(part))
    if (part.separator) collect(part.separator)
    for (const one of part.definition ?? []) collect(one)
  }
  for (const { rules } of grammars) rules.forEach(collect)
  const row = ([name, meaning]) => `| \`${name}\` | ${meaning} |`
  return ['| Token | Meaning |', '| --- | --- |', ...[...tokens].map(row)].join('\n')
}

function meaningOf({ name, label }) {
  if (name === 'Word') return 'a name, or a word of the language'
  return name === 'Block' ? 'everything between {{ and }}' : label
}

/** The text behind "=": alternatives have lines of their own. */
function bodyOf(definition) {
  const [only, more] = definition
  if (only?.type !== 'Alternation' || more !== undefined) return ` ${sequence(definition)}`
  return `\n    ${only.definition.map(({ definition: one }) => sequence(one)).join('\n  | ')}`
}

function sequence(parts) {
  return parts.map((part) => partText(part, parts.length > 1)).join(' ')
}

function partText(part, isWithin) {
  const inner = () => sequence(part.definition)
  const single = () => (part.definition.length === 1 ? partText(part.definition[0], true) : `( ${inner()} )`)
  switch (part.type) {
    case 'NonTerminal':
      return part.name
    case 'Terminal':
      return isLiteral(part) ? literal(part) : tokenName(part)
    case 'Option':
      return `[ ${inner()} ]`
    case 'Repetition':
      return `{ ${inner()} }`
    case 'RepetitionMandatory':
      return `${single()} { ${inner()} }`
    case 'RepetitionWithSeparator':
      return `[ ${single()} { ${partText(part.separator)} ${inner()} } ]`
    case 'RepetitionMandatoryWithSeparator':
      return `${single()} { ${partText(part.separator)} ${inner()} }`
    case 'Alternation': {
      const text = part.definition.map(({ definition }) => sequence(definition)).join(' | ')
      return isWithin ? `( ${text} )` : text
    }
    default:
      throw new Error(`A part of a grammar is of the unknown kind ${part.type}.`)
  }
}

const isLiteral = ({ label }) => /^["`]/.test(label)
const literal = ({ label }) => label.replaceAll('`', '"')
const tokenName = ({ name }) => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()

const style = `svg { color-scheme: light dark; }
.paper { fill: #ffffff; }
.title { font: bold 16px monospace; fill: #1d1d1f; }
path { stroke-width: 2; stroke: #1d1d1f; fill: none; }
.railroad-diagram text { font: bold 14px monospace; text-anchor: middle; fill: #1d1d1f; }
rect { stroke-width: 2; stroke: #1d1d1f; fill: #e3f1e4; }
g.non-terminal rect { fill: #e6ecf8; }
@media (prefers-color-scheme: dark) {
  .paper { fill: #17171a; }
  .title, .railroad-diagram text { fill: #e8e8ea; }
  path, rect { stroke: #e8e8ea; }
  rect { fill: #24402a; }
  g.non-terminal rect { fill: #2a3550; }
}`

/** One picture with the diagrams of all rules below each other. */
function pictureOf(title, rules) {
  const { buildSyntaxDiagramsText } = drawing()
  let [y, width] = [0, 0]
  const drawn = rules.map((rule) => {
    const [, svg] = /<\/h2>([^]*)$/.exec(buildSyntaxDiagramsText([rule]))
    const [own, high] = ['width', 'height'].map((name) =>
      Number(new RegExp(`<svg[^>]* ${name}="([\\d.]+)"`).exec(svg)[1]),
    )
    const plain = svg.replaceAll(/ (?:topRuleName|dslRuleName|occurrenceIdx|tokenName|rulename)="[^"]*"/gi, '')
    const placed = escaped(plain)
      .replace('<svg ', `<svg x="16" y="${y + 32}" `)
      .trim()
    const text = `<text class="title" x="16" y="${y + 24}">${rule.name}</text>\n${placed}`
    y += high + 40
    width = Math.max(width, own + 32)
    return text
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}">
<title>${title}: railroad diagrams</title>
<style>
${style}
</style>
<rect class="paper" width="100%" height="100%" stroke="none"/>
${drawn.join('\n')}
</svg>
`
}

/** The labels without the attributes that repeat them, in which signs are not escaped; literals have quotes. */
function escaped(svg) {
  return svg.replace(/(<text x="[\d.]+" y="[\d.]+")(?: label="[^]*?")?>([^<]*)<\/text>/g, (_, start, label) => {
    return `${start}>${label.replaceAll('&#96;', '&#34;')}</text>`
  })
}

/** Chevrotain's drawing code. Its files are CommonJS within a package of modules, which Node would not load. */
function drawing() {
  const folder = join(dirname(fileURLToPath(import.meta.resolve('chevrotain'))), '..', '..', 'diagrams')
  const load = (file, wanted) => {
    const module = { exports: {} }
    const source = readFileSync(join(folder, file), 'utf8')
    new Function('module', 'exports', 'require', source)(module, module.exports, () => wanted)
    return module.exports
  }
  const railroad = load('vendor/railroad-diagrams.js', null)
  return load('src/diagrams_builder.js', railroad)
}

if (pathToFileURL(process.argv[1]).href === import.meta.url) {
  await entry(async () => {
    for (const [path, text] of await grammarFiles()) {
      const file = join(root, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
      note(`${path} is written.`)
    }
    return 0
  })
}
