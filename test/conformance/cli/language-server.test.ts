import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type CodeAction,
  type CompletionItem,
  type Hover,
  type Location,
  type Position,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { cli, tartaglia } from './process.ts'

const knapsack = readFileSync(join(import.meta.dirname, '../../../grammars/challenges/knapsack.challenge'), 'utf8')

/** An editor with a server of its own, as a process. */
interface Editor {
  readonly child: ChildProcess
  readonly connection: ProtocolConnection
  /** Opens a file, or changes the whole text of an open one; resolves with the diagnostics of that version. */
  write(file: string, text: string): Promise<PublishDiagnosticsParams>
}

let folder = ''
let editor: Editor
beforeEach(async () => {
  folder = temporaryFolder('language-server')
  editor = await startEditor()
})
afterEach(() => {
  editor.connection.dispose()
  editor.child.kill('SIGKILL')
})

async function startEditor(): Promise<Editor> {
  const child = spawn(process.execPath, [cli, 'language-server', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  )
  const told = new Map<string, PublishDiagnosticsParams>()
  const waiting = new Map<string, (params: PublishDiagnosticsParams) => void>()
  connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
    const key = `${params.uri} ${params.version}`
    told.set(key, params)
    waiting.get(key)?.(params)
  })
  connection.listen()
  const { capabilities } = await connection.sendRequest<{ capabilities: object }>('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'class' }],
  })
  expect(capabilities).toMatchObject({
    hoverProvider: true,
    documentFormattingProvider: true,
    definitionProvider: true,
  })
  await connection.sendNotification('initialized', {})
  const versions = new Map<string, number>()
  return {
    child,
    connection,
    async write(file, text) {
      const uri = uriOf(file)
      const version = (versions.get(uri) ?? 0) + 1
      versions.set(uri, version)
      const key = `${uri} ${version}`
      const found = new Promise<PublishDiagnosticsParams>((resolve) => waiting.set(key, resolve))
      if (version === 1) {
        const languageId = file.endsWith('.cd') ? 'class-dictionary' : 'challenge'
        const textDocument = { uri, languageId, version, text }
        await connection.sendNotification('textDocument/didOpen', { textDocument })
      } else {
        const change = { textDocument: { uri, version }, contentChanges: [{ text }] }
        await connection.sendNotification('textDocument/didChange', change)
      }
      return told.get(key) ?? found
    },
  }
}

const uriOf = (file: string): string => pathToFileURL(join(folder, file)).href

function placeOf(text: string, part: string, plus = 0): Position {
  return TextDocument.create('', '', 0, text).positionAt(text.indexOf(part) + plus)
}

function applied(text: string, edits: readonly TextEdit[]): string {
  return TextDocument.applyEdits(TextDocument.create('', '', 0, text), [...edits])
}

function ask<T>(method: string, file: string, rest: object): Promise<T> {
  return editor.connection.sendRequest<T>(`textDocument/${method}`, { textDocument: { uri: uriOf(file) }, ...rest })
}

test('a challenge is written in an editor: problems, remedy, help, completion, definition, rename, layout', async () => {
  const file = 'sack.challenge'
  const wrong = knapsack.replace('length(predicate.weights) > 0 else', 'length(predicate.weights) == 0 and else')
  const { diagnostics } = await editor.write(file, wrong)
  expect(diagnostics.map(({ code, source }) => `${source} ${code}`)).toContain('tartaglia equal-sign')
  const [first] = diagnostics
  expect(first?.range.start).toEqual(placeOf(wrong, '== 0'))

  const actions = await ask<CodeAction[]>('codeAction', file, { range: first!.range, context: { diagnostics } })
  expect(actions.map(({ title, kind }) => `${kind}: ${title}`)).toEqual(['quickfix: Write ='])
  expect(applied(wrong, actions[0]?.edit?.changes?.[uriOf(file)] ?? [])).toBe(wrong.replace('== 0', '= 0'))

  expect((await editor.write(file, knapsack)).diagnostics).toEqual([])
  const hover = await ask<Hover>('hover', file, { position: placeOf(knapsack, 'instance.capacity >=', 12) })
  expect(hover.contents).toEqual({ kind: 'plaintext', value: 'capacity: int' })

  const begun = knapsack.replace('goal = max', 'belief = instance.\ngoal = max')
  await editor.write(file, begun)
  const offered = await ask<CompletionItem[]>('completion', file, {
    position: placeOf(begun, 'belief = instance.', 18),
  })
  expect(offered.map(({ label }) => label)).toEqual(['capacity', 'items'])

  const formatted = knapsack.replace('goal = max', 'format dimacs-\ngoal = max')
  await editor.write(file, formatted)
  const formats = await ask<CompletionItem[]>('completion', file, {
    position: placeOf(formatted, 'format dimacs-', 14),
  })
  const [cnf] = formats.filter(({ label }) => label === 'dimacs-cnf')
  expect(cnf?.textEdit).toMatchObject({ newText: 'dimacs-cnf', range: { start: placeOf(formatted, 'dimacs-') } })

  await editor.write(file, knapsack)
  const use = { position: placeOf(knapsack, 'require weight(', 9) }
  const definition = await ask<Location[]>('definition', file, use)
  expect(definition.map(({ range }) => range.start)).toEqual([placeOf(knapsack, 'define weight', 7)])
  const uses = [...knapsack.matchAll(/\bweight\(/g)].length
  expect(await ask<Location[]>('references', file, { ...use, context: { includeDeclaration: true } })).toHaveLength(
    uses,
  )

  expect(await ask('prepareRename', file, use)).toMatchObject({ placeholder: 'weight' })
  const { changes } = await ask<WorkspaceEdit>('rename', file, { ...use, newName: 'heft' })
  const renamed = applied(knapsack, changes?.[uriOf(file)] ?? [])
  expect(renamed).toContain('define heft(')
  expect(readChallenge(renamed).problems).toEqual([])
  await expect(ask('rename', file, { ...use, newName: 'else' })).rejects.toMatchObject({
    data: { code: 'rename-malformed' },
  })

  const ragged = knapsack
    .replace('goal = max', 'goal=max')
    .replace('  require instance.capacity', 'require  instance.capacity')
  await editor.write(file, ragged)
  const options = { options: { tabSize: 2, insertSpaces: true } }
  expect(applied(ragged, await ask<TextEdit[]>('formatting', file, options))).toBe(knapsack)
})

test('a class dictionary is written in an editor, with the files that it includes', async () => {
  mkdirSync(join(folder, 'below'))
  writeFileSync(join(folder, 'pair.cd'), 'Pair(X) = "(" <left> X <right> X ")".\n')
  const file = 'below/main.cd'
  const wrong = 'include "pair.cd";\nMain = <both> Pair(Leav).\nLeaf = "leaf".\n'
  const { diagnostics } = await editor.write(file, wrong)
  expect(diagnostics[0]).toMatchObject({
    code: 'class-unknown',
    severity: 1,
    range: { start: { line: 1, character: 19 } },
  })

  const right = wrong.replace('Leav', 'Leaf')
  expect((await editor.write(file, right)).diagnostics).toEqual([])
  const position = placeOf(right, 'Pair(', 2)
  const [there] = await ask<Location[]>('definition', file, { position })
  expect(there).toEqual({
    uri: uriOf('pair.cd'),
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 4 } },
  })
  expect(await ask('hover', file, { position })).toMatchObject({
    contents: { value: 'Pair(X) = "(" <left> X <right> X ")".' },
  })
  // The included file as its editor has it counts.
  await editor.write('pair.cd', 'Pair(X) = "[" <left> X <right> X "]".\n')
  expect(await ask('hover', file, { position })).toMatchObject({
    contents: { value: 'Pair(X) = "[" <left> X <right> X "]".' },
  })
  const { changes } = await ask<WorkspaceEdit>('rename', file, { position, newName: 'Twins' })
  expect(Object.keys(changes ?? {}).toSorted()).toEqual([uriOf(file), uriOf('pair.cd')].toSorted())
  expect(applied(right, changes?.[uriOf(file)] ?? [])).toBe(right.replace('Pair(', 'Twins('))
  const options = { options: { tabSize: 2, insertSpaces: true } }
  const ragged = right.replace('Main = ', 'Main=  ')
  await editor.write(file, ragged)
  expect(applied(ragged, await ask<TextEdit[]>('formatting', file, options))).toBe(right)
})

test('a text with mistakes keeps its layout, and a dictionary of an older dialect gets one', async () => {
  const options = { options: { tabSize: 2, insertSpaces: true } }
  await editor.write('broken.challenge', knapsack.replace('goal = max', 'goal = = max'))
  await expect(ask('formatting', 'broken.challenge', options)).rejects.toMatchObject({
    data: { code: 'format-broken' },
  })
  for (const [file, text, made] of [
    ['a.cd', 'A : B |\nC.   B =   "b". C = "c".', 'A : B |\n  C.\nB = "b".\nC = "c".\n'],
    ['b.cd', 'lookahead = 2; A : B.   B = .', 'lookahead = 2;\nA : B.\nB = .\n'],
  ] as const) {
    await editor.write(file, text)
    expect(applied(text, await ask<TextEdit[]>('formatting', file, options))).toBe(made)
  }
})

test('a class is renamed in all dictionaries of the workspace that include it, open or stored', async () => {
  for (const name of ['above', 'above/below', '.hidden', 'node_modules']) mkdirSync(join(folder, name))
  const shared = 'Leaf = "leaf".\n'
  const user = 'include "shared.cd";\nMain = <both> List(Leaf).\n'
  const files = ['above/user.cd', 'above/below/deep.cd', '.hidden/user.cd', 'node_modules/user.cd']
  for (const file of files) writeFileSync(join(folder, file), user)
  // Its own class of the same name stays.
  writeFileSync(join(folder, 'other.cd'), 'Leaf = "other".\n')
  writeFileSync(join(folder, 'shared.cd'), shared)
  await editor.write('shared.cd', shared)
  const open = user.replace('Main', 'Whole')
  await editor.write('above/user.cd', open)
  const wish = { position: placeOf(shared, 'Leaf'), newName: 'Sheet' }
  const { changes } = await ask<WorkspaceEdit>('rename', 'shared.cd', wish)
  expect(Object.keys(changes ?? {}).toSorted()).toEqual(
    [uriOf('shared.cd'), uriOf('above/user.cd'), uriOf('above/below/deep.cd')].toSorted(),
  )
  expect(applied(shared, changes?.[uriOf('shared.cd')] ?? [])).toBe('Sheet = "leaf".\n')
  expect(applied(open, changes?.[uriOf('above/user.cd')] ?? [])).toBe(open.replace('Leaf', 'Sheet'))
  expect(applied(user, changes?.[uriOf('above/below/deep.cd')] ?? [])).toBe(user.replace('Leaf', 'Sheet'))

  // From a use the way is the same, and a name that one of them has already is refused.
  const use = { position: placeOf(open, 'Leaf') }
  const again = await ask<WorkspaceEdit>('rename', 'above/user.cd', { ...use, newName: 'Sheet' })
  expect(Object.keys(again.changes ?? {}).toSorted()).toEqual(Object.keys(changes ?? {}).toSorted())
  await expect(ask('rename', 'shared.cd', { ...wish, newName: 'Main' })).rejects.toMatchObject({
    data: { code: 'rename-taken' },
  })
  await editor.write('above/user.cd', 'include "shared.cd";\nMain = <both> List(Leaf')
  await expect(ask('rename', 'shared.cd', wish)).rejects.toMatchObject({ data: { code: 'rename-broken' } })
})

test('hostile texts get problems, and the server ends when the editor says so, or is gone', async () => {
  for (const text of ['', '{{', `challenge ${'('.repeat(5_000)}`, '\ufeff\0\ud800 "', knapsack.slice(0, 900)])
    expect((await editor.write('odd.challenge', text)).diagnostics.length).toBeGreaterThan(0)
  const ended = once(editor.child, 'exit')
  await editor.connection.sendRequest('shutdown')
  await editor.connection.sendNotification('exit')
  expect(await ended).toEqual([0, null])

  const other = await startEditor()
  const gone = once(other.child, 'exit')
  other.child.stdin?.end()
  const [code] = (await gone) as [number]
  expect(code).toBe(1)
  other.connection.dispose()
})

test('the server says what it needs', async () => {
  const { code, stderr } = await tartaglia('language-server').ended
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('--stdio') as string })
})
