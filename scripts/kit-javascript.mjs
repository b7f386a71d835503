// Makes the agent of a JavaScript kit from that of the TypeScript kit: the same code and comments, with types in JSDoc where
// they are short, so that editors still show them.
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { root } from './setup.mjs'

/** The CommonJS text of a TypeScript agent, laid out as the project's own code. */
export async function kitJavaScript(typescript) {
  const [{ default: ts }, prettier] = await Promise.all([import('typescript'), import('prettier')])
  const layout = await prettier.resolveConfig(join(root, 'agent.cjs'))
  const source = ts.createSourceFile('agent.ts', typescript, ts.ScriptTarget.Latest, true)
  const edits = editsOf(ts, source).sort((a, b) => b.from - a.from)
  const edited = edits.reduce((text, { from, to, by }) => text.slice(0, from) + by + text.slice(to), typescript)
  const plain = stripTypeScriptTypes(edited).replaceAll('export default', 'module.exports =')
  return prettier.format(`'use strict'\n${plain}`, { ...layout, plugins: [], parser: 'babel' })
}

/** The changes to a text before its types are removed, as replacements of ranges. */
function editsOf(ts, source) {
  const edits = []
  /** Types that JavaScript does not have: interfaces and aliases of the file, and the parameters of its generic functions. */
  const unknown = new Set()
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) {
      const text = statement.getText().replace(/^import type/, '@import')
      edits.push({ from: statement.getStart(), to: statement.end, by: `/** ${text} */` })
    } else if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
      unknown.add(statement.name.text)
      // With its comment.
      edits.push({ from: statement.pos, to: statement.end, by: '' })
    }
  }
  const visit = (node) => {
    for (const { name } of node.typeParameters ?? []) unknown.add(name.text)
    if (ts.isPropertyDeclaration(node))
      document(node, isPlain(node.type) ? [] : [`@type {${node.type.getText()}}`], [node.type])
    else if (ts.isFunctionDeclaration(node) || ts.isConstructorDeclaration(node) || isMethod(node)) {
      const tags = [...node.parameters.filter(({ type }) => type).map(parameterTag), ...returnTags(node)]
      document(node, tags, [...node.parameters.map(({ type }) => type), node.type])
    }
    ts.forEachChild(node, visit)
  }
  /** Adds tags to the comment before a node, unless they would name a type that is unknown in JavaScript or are too long. */
  const document = (node, tags, types) => {
    const names = types.flatMap((type) => type?.getText().match(/\w+/g) ?? [])
    if (tags.length === 0 || tags.some((tag) => tag.length > 90) || names.some((name) => unknown.has(name))) return
    const [comment] = ts.getJSDocCommentsAndTags(node).filter((one) => ts.isJSDoc(one))
    const words = comment === undefined ? [] : [comment.getText().replace(/^\/\*\*\s*|\s*\*\/$/g, '')]
    const lines = [...words, ...tags]
    const by =
      lines.length === 1 ? `/** ${lines[0]} */` : ['/**', ...lines.map((line) => ` * ${line}`), ' */'].join('\n')
    if (comment === undefined) edits.push({ from: node.getStart(), to: node.getStart(), by: `${by}\n` })
    else edits.push({ from: comment.pos, to: comment.end, by })
  }
  visit(source)
  return edits

  function isMethod(node) {
    return ts.isMethodDeclaration(node) && ts.isClassDeclaration(node.parent)
  }

  /** A destructured parameter is named after its type. */
  function parameterTag({ name, type, questionToken }) {
    const text = type.getText()
    const called = ts.isIdentifier(name) ? name.text : `${text.charAt(0).toLowerCase()}${text.slice(1)}`
    const known = /^\w+$/.test(called) ? called : 'given'
    return `@param {${text}} ${questionToken ? `[${known}]` : known}`
  }

  function returnTags({ type }) {
    return isPlain(type) ? [] : [`@returns {${type.getText()}}`]
  }

  /** Absent, or plain enough to be clear without a tag. */
  function isPlain(type) {
    return /^(undefined|void|number|string|boolean)$/.test(`${type?.getText()}`)
  }
}
