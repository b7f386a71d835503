// `npm run diagrams [FILE]`: draws the grammar of .challenge files as railroad diagrams, .cache/challenge-grammar.html. Chevrotain's
// own page loads its drawing code from a network; here that code runs now, and the page is finished pictures.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { entry, note, root } from './setup.mjs'

const page = resolve(process.argv[2] ?? join(root, '.cache', 'challenge-grammar.html'))

const style = `:root { color-scheme: light dark; --ink: #1d1d1f; --paper: #ffffff; --box: #e6ecf8; --word: #e3f1e4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8ea; --paper: #17171a; --box: #2a3550; --word: #24402a; } }
body { margin: 2rem; color: var(--ink); background: var(--paper); font: 16px/1.5 system-ui, sans-serif; }
p { max-width: 40rem; }
h2 { margin: 1.5rem 0 0; font: bold 16px monospace; }
nav { columns: 9rem; max-width: 60rem; font: 14px/1.7 monospace; }
nav a { display: block; }
a { color: inherit; }
a:hover rect, a:focus-visible rect { stroke-width: 4; }
.diagram { overflow-x: auto; }
:target { text-decoration: underline 3px; }
svg.railroad-diagram path { stroke-width: 2; stroke: var(--ink); fill: none; }
svg.railroad-diagram text { font: bold 14px monospace; text-anchor: middle; fill: var(--ink); }
svg.railroad-diagram rect { stroke-width: 2; stroke: var(--ink); fill: var(--word); }
svg.railroad-diagram g.non-terminal rect { fill: var(--box); }
`

await entry(async () => {
  const { grammar } = await import('../grammars/challenges/grammar.ts')
  const html = pageOf(inReadingOrder(grammar().getSerializedGastProductions()))
  mkdirSync(dirname(page), { recursive: true })
  writeFileSync(page, html)
  note(`${page} is written.`)
})

/** The file first, then its properties, then formulas: each grammar extends the one that comes after it. */
function inReadingOrder(rules) {
  const [properties, file] = ['propertyRules', 'file'].map((first) => rules.findIndex(({ name }) => name === first))
  return [...rules.slice(file), ...rules.slice(properties, file), ...rules.slice(0, properties)]
}

/** The page: every rule's diagram below its name, the names of rules linked to theirs. */
function pageOf(rules) {
  const { buildSyntaxDiagramsText } = drawing()
  const sections = rules.map((rule) => {
    const title = `<h2 id="${rule.name}">${rule.name}</h2>`
    const [, svg] = /<\/h2>([^]*)$/.exec(buildSyntaxDiagramsText([rule]))
    return `${title}\n<div class="diagram">${linked(svg).trim()}</div>\n`
  })
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>The grammar of .challenge files</title>
<style>
${style}</style>
<h1>The grammar of .challenge files</h1>
<p>Read each line from left to right. Rounded boxes are what a file is written in: in quotes what stands there as it is, else
what kind of word it is. Boxes with corners are rules with a line of their own; press one to get there. The meaning of the
sections is explained in docs/language.md.</p>
<nav aria-label="Rules">
${rules.map(({ name }) => `<a href="#${name}">${name}</a>`).join('\n')}
</nav>
${sections.join('')}</html>
`
}

/** The link of a rule's name. Names are those of rules, which are words. */
function linked(svg) {
  return svg
    .replace(/<g class="non-terminal">([^]*?)<\/g>/g, (group, inside) => {
      const name = />([A-Za-z]+)<\/text>/.exec(inside)?.[1]
      return name === undefined ? group : `<a href="#${name}">${group}</a>`
    })
    .replaceAll(/ (?:topRuleName|dslRuleName|occurrenceIdx|tokenName|rulename)="[^"]*"/gi, '')
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
