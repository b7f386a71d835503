import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'svelte/compiler'

/** A procedure (`call`), topic (`topic:NAME`) or setting (`setting:NAME`) that a part of the window uses. */
export interface Offer {
  readonly needs: string
  /** Names of the same kinds about which `may` or `maySet` was asked before. */
  readonly guards: ReadonlySet<string>
  /** The file and line of its use. */
  readonly at: string
}

/** A node of a script or of a template, as Svelte's parser makes it. */
interface Node {
  readonly type: string
  readonly start: number
  readonly [key: string]: unknown
}

interface Source {
  readonly path: string
  readonly text: string
  /** Functions, variables and snippets of the whole file, by name. */
  readonly declared: Map<string, Node>
  readonly imported: Map<string, { readonly path: string; readonly name: string }>
  /** Run when the component is shown, whatever its template shows. */
  readonly eager: Node[]
  readonly template: Node | null
}

const skipped: ReadonlySet<string> = new Set([
  ...['type', 'start', 'end', 'loc', 'metadata', 'parent', 'leadingComments', 'trailingComments', 'comments'],
  ...['typeAnnotation', 'returnType', 'typeParameters', 'typeArguments', 'superTypeArguments', 'implements'],
])

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Node>).type === 'string'
const nodesIn = (value: unknown): readonly Node[] =>
  Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []
const childrenOf = (node: Node): readonly Node[] =>
  Object.entries(node).flatMap(([key, value]) => (skipped.has(key) ? [] : nodesIn(value)))
const nameOf = (node: unknown): string => (isNode(node) && node.type === 'Identifier' ? String(node['name']) : '')
const literal = (node: unknown): string | null =>
  isNode(node) && node.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : null
const calleeOf = (node: Node): string => (node.type === 'CallExpression' ? nameOf(node['callee']) : '')
const argumentsOf = (node: Node): readonly Node[] => nodesIn(node['arguments'])

/** Reads the window's source files, and says what each component offers. */
export function readWindow(folder: string): { of(component: string): readonly Offer[] } {
  const sources = new Map<string, Source>()
  const known = new Map<string, readonly Offer[]>()

  function sourceOf(path: string): Source | null {
    const full = join(folder, path)
    if (!/\.(ts|svelte)$/.test(path) || path.endsWith('.d.ts') || !existsSync(full)) return null
    const found = sources.get(path) ?? read(path, readFileSync(full, 'utf8'))
    sources.set(path, found)
    return found
  }

  function of(path: string): readonly Offer[] {
    return once(`${path}#`, () => {
      const source = sourceOf(path)
      if (source === null) return []
      const parts = [...source.eager, ...(source.template === null ? [] : [source.template])]
      return parts.flatMap((part) => within(source, part, new Set()))
    })
  }

  function ofName(source: Source, name: string): readonly Offer[] {
    const declared = source.declared.get(name)
    if (declared !== undefined)
      return once(`${source.path}#${name}`, () =>
        childrenOf(declared)
          .filter((child) => child !== declared['id'])
          .flatMap((child) => within(source, child, new Set())),
      )
    const from = source.imported.get(name)
    if (from === undefined) return []
    const other = sourceOf(from.path)
    return other === null || from.name === 'default' ? [] : ofName(other, from.name)
  }

  /** Recursion ends at a name that is being looked at. */
  function once(key: string, find: () => readonly Offer[]): readonly Offer[] {
    const before = known.get(key)
    if (before !== undefined) return before
    known.set(key, [])
    const found = different(find())
    known.set(key, found)
    return found
  }

  function within(source: Source, node: Node, guards: ReadonlySet<string>): readonly Offer[] {
    const walk = (child: unknown, more: readonly string[] = []): readonly Offer[] =>
      nodesIn(child).flatMap((each) => within(source, each, new Set([...guards, ...more])))
    const under = (offers: readonly Offer[]): readonly Offer[] =>
      offers.map((each) => ({ ...each, guards: new Set([...guards, ...each.guards]) }))
    const offer = (needs: string): Offer => ({
      ...{ needs, guards },
      at: `${source.path}:${source.text.slice(0, node.start).split('\n').length}`,
    })
    const { test, consequent, alternate } = node
    switch (node.type) {
      case 'Identifier':
        return under(ofName(source, nameOf(node)))
      case 'MemberExpression':
        return [...walk(node['object']), ...(node['computed'] === true ? walk(node['property']) : [])]
      case 'Property':
        return [...walk(node['value']), ...(node['computed'] === true ? walk(node['key']) : [])]
      case 'IfBlock':
      case 'IfStatement':
      case 'ConditionalExpression':
        return [
          ...walk(test),
          ...walk(consequent, asked(source, test, true)),
          ...walk(alternate, asked(source, test, false)),
        ]
      case 'LogicalExpression': {
        const { left, right, operator } = node
        return [...walk(left), ...walk(right, operator === '??' ? [] : asked(source, left, operator === '&&'))]
      }
      case 'BlockStatement':
        return inOrder(source, nodesIn(node['body']), guards)
      case 'Component': {
        const from = source.imported.get(String(node['name']))
        const own = from === undefined ? [] : of(from.path)
        const given = nodesIn((node['fragment'] as Node)['nodes'])
        // Snippets that are given to a component are shown where it is.
        const parts = given.flatMap((each) => (each.type === 'SnippetBlock' ? walk(each['body']) : walk(each)))
        return [...under(own), ...walk(node['attributes']), ...parts]
      }
      case 'SnippetBlock':
      case 'ImportExpression':
        return []
      case 'VariableDeclarator':
        return walk(node['init'])
      case 'CallExpression':
        break
      default:
        return node.type.startsWith('TS') ? walk(node['expression']) : walk(childrenOf(node))
    }
    const callee = calleeOf(node)
    if (callee === 'may' || callee === 'maySet') return []
    const given = argumentsOf(node)
    // It subscribes to the topic that it is given.
    if (callee === 'onChange') return [offer(`topic:${topicOf(given[0])}`), ...walk(given)]
    const parts = walk(childrenOf(node))
    if (callee === 'call') return [offer(literal(given[0]) ?? 'a procedure that is not named'), ...parts]
    if (callee === 'subscribe') return [offer(`topic:${topicOf(given[0])}`), ...parts]
    if (callee !== 'changeSettings') return parts
    const changed = nodesIn(given[0]?.['properties']).map(({ key }) => `setting:${nameOf(key)}`)
    return [...changed.map(offer), ...parts]
  }

  /** Statements after an `if` that leaves are guarded by it. */
  function inOrder(source: Source, statements: readonly Node[], guards: ReadonlySet<string>): readonly Offer[] {
    const now = new Set(guards)
    return statements.flatMap((each) => {
      const found = within(source, each, new Set(now))
      if (each.type === 'IfStatement' && leaves(each['consequent']))
        for (const guard of asked(source, each['test'], false)) now.add(guard)
      return found
    })
  }
  return { of }
}

/** Each once: the same function is often named in many places. */
function different(offers: readonly Offer[]): readonly Offer[] {
  return [
    ...new Map(offers.map((each) => [`${each.needs} ${each.at} ${[...each.guards].sort().join()}`, each])).values(),
  ]
}

function leaves(node: unknown): boolean {
  if (!isNode(node)) return false
  if (node.type === 'BlockStatement') return leaves(nodesIn(node['body']).at(-1))
  return node.type === 'ReturnStatement' || node.type === 'ThrowStatement'
}

function topicOf(node: Node | undefined): string {
  // The contract makes its names.
  if (node !== undefined && calleeOf(node) === 'liveTopic') return 'live'
  const [quasi] = nodesIn(node?.['quasis'])
  const text = literal(node) ?? (quasi?.['value'] as { readonly cooked?: string } | undefined)?.cooked
  return text?.split(':', 1)[0] ?? 'not named'
}

/** The rights that somebody has for whom a condition holds (`is` true), or does not hold. */
function asked(source: Source, test: unknown, is: boolean): readonly string[] {
  if (!isNode(test)) return []
  if (test.type === 'UnaryExpression' && test['operator'] === '!') return asked(source, test['argument'], !is)
  if (test.type === 'LogicalExpression' && test['operator'] === (is ? '&&' : '||'))
    return [...asked(source, test['left'], is), ...asked(source, test['right'], is)]
  if (test.type === 'Identifier') {
    const init = source.declared.get(nameOf(test))?.['init']
    return asked(source, isNode(init) && calleeOf(init) === '$derived' ? argumentsOf(init)[0] : init, is)
  }
  const names = (): readonly string[] => argumentsOf(test).flatMap((each) => literal(each) ?? [])
  if (is && calleeOf(test) === 'may') return names()
  if (is && calleeOf(test) === 'maySet') return ['settings.set', ...names().map((name) => `setting:${name}`)]
  return []
}

function read(path: string, text: string): Source {
  const whole = path.endsWith('.svelte') ? text : `<script lang="ts">${text}</script>`
  const ast = parse(whole, { modern: true })
  const source: Source = {
    ...{ path, text: whole, declared: new Map(), imported: new Map(), eager: [] },
    template: path.endsWith('.svelte') ? (ast.fragment as unknown as Node) : null,
  }
  for (const script of [ast.module, ast.instance])
    for (const statement of nodesIn((script?.content as unknown as Node | undefined)?.['body']))
      declare(source, statement)
  if (source.template !== null) declareSnippets(source, source.template)
  return source
}

function declare(source: Source, statement: Node): void {
  const { type, declaration } = statement
  if (type === 'ImportDeclaration' || (type === 'ExportNamedDeclaration' && isNode(statement['source']))) {
    const from = literal(statement['source'])
    if (from === null || !from.startsWith('.')) return
    const path = join(dirname(source.path), from)
    for (const each of nodesIn(statement['specifiers'])) {
      const name = each.type === 'ImportDefaultSpecifier' ? 'default' : nameOf(each['imported'] ?? each['local'])
      source.imported.set(nameOf(each['exported'] ?? each['local']), { path, name })
    }
  } else if (type === 'ExportNamedDeclaration') {
    if (isNode(declaration)) declare(source, declaration)
  } else if (type === 'FunctionDeclaration' || type === 'ClassDeclaration') {
    source.declared.set(nameOf(statement['id']), statement)
  } else if (type === 'VariableDeclaration') {
    for (const each of nodesIn(statement['declarations'])) {
      for (const name of namesIn(each['id'])) source.declared.set(name, each)
      const { init } = each
      // They load at once.
      if (isNode(init) && ['resource', 'paged'].includes(calleeOf(init))) source.eager.push(init)
    }
  } else if (!type.startsWith('TS')) source.eager.push(statement)
}

function namesIn(pattern: unknown): readonly string[] {
  if (!isNode(pattern)) return []
  if (pattern.type === 'Identifier') return [nameOf(pattern)]
  return childrenOf(pattern).flatMap((each) => namesIn(each.type === 'Property' ? each['value'] : each))
}

/** Snippets that are not given to a component are shown where they are named. */
function declareSnippets(source: Source, node: Node): void {
  for (const each of childrenOf(node)) {
    if (each.type === 'SnippetBlock')
      source.declared.set(nameOf(each['expression']), { ...each, id: each['expression'] })
    declareSnippets(source, each)
  }
}
