import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import {
  CodeActionKind,
  CompletionItemKind,
  createConnection,
  DiagnosticSeverity,
  ErrorCodes,
  MarkupKind,
  ResponseError,
  TextDocuments,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node'
import type { CodeAction, Connection, Diagnostic, Location, Range, TextEdit } from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import type { Completion } from '../../../../grammars/language-services/complete.ts'
import type { Edit } from '../../../../grammars/language-services/edits.ts'
import { spaceEdits } from '../../../../grammars/language-services/edits.ts'
import { markOf, remedyName } from '../../../../grammars/language-services/marks.ts'
import { definitionsAt, thingAt } from '../../../../grammars/language-services/occurrences.ts'
import type { Occurrence, Thing, Things } from '../../../../grammars/language-services/occurrences.ts'
import { renamable, rename, renameThing } from '../../../../grammars/language-services/rename.ts'
import type { Problem } from '../../../../grammars/problem.ts'
import { includedFiles } from '../dictionary-files.ts'
import type { IncludedFiles } from '../dictionary-files.ts'
import { dictionariesBelow, realPath } from './dictionaries-below.ts'
import { openChallenge, openDictionary } from './open-file.ts'
import type { OpenFile } from './open-file.ts'

/** Idle time after a change before a file is checked, in ms. */
const STILL = 100

/** The last version of each document that was read. */
interface State {
  readonly documents: TextDocuments<TextDocument>
  readonly files: Map<string, Read>
  roots: readonly string[]
}

interface Read {
  readonly document: TextDocument
  readonly version: number
  readonly file: OpenFile
  readonly included: IncludedFiles | null
}

/**
 * Serves one editor over two streams in the Language Server Protocol (3.17), with offsets in UTF-16, for challenges and class
 * dictionaries (*.cd). Ends the process when the editor says so or is gone.
 */
export function serveLanguage(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): void {
  const connection = createConnection(input, output)
  const state: State = { documents: new TextDocuments(TextDocument), files: new Map(), roots: [] }
  connection.onInitialize(({ workspaceFolders }) => {
    state.roots = workspaceFolders?.flatMap(({ uri }) => pathOf(uri) ?? []) ?? []
    return {
      serverInfo: { name: 'tartaglia' },
      capabilities: {
        textDocumentSync: TextDocumentSyncKind.Incremental,
        hoverProvider: true,
        completionProvider: { triggerCharacters: ['.'] },
        definitionProvider: true,
        referencesProvider: true,
        renameProvider: { prepareProvider: true },
        documentFormattingProvider: true,
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
      },
    }
  })
  addChecks(connection, state)
  addHelp(connection, state)
  addNavigation(connection, state)
  addChanges(connection, state)
  state.documents.listen(connection)
  connection.listen()
}

/** Tells the problems of each document soon after it has changed. */
function addChecks(connection: Connection, state: State): void {
  const waiting = new Map<string, NodeJS.Timeout>()
  state.documents.onDidChangeContent(({ document: { uri } }) => {
    clearTimeout(waiting.get(uri))
    const check = (): void => {
      waiting.delete(uri)
      const read = readNow(state, uri)
      if (read === null) return
      const { document, version, file } = read
      void connection.sendDiagnostics({ uri, version, diagnostics: diagnosticsOf(document, file) })
    }
    waiting.set(uri, setTimeout(check, STILL))
  })
  state.documents.onDidClose(({ document: { uri } }) => {
    clearTimeout(waiting.get(uri))
    waiting.delete(uri)
    state.files.delete(uri)
    void connection.sendDiagnostics({ uri, diagnostics: [] })
  })
  connection.onCodeAction(({ textDocument: { uri }, range }): CodeAction[] => {
    const read = readNow(state, uri)
    if (read === null) return []
    const { document, file } = read
    const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)]
    return file.problems.flatMap((problem): CodeAction[] => {
      const { remedy } = problem
      const mark = markOf(problem, document.getText())
      if (remedy === undefined || problem.file !== undefined || mark.from > to || mark.to < from) return []
      const title = remedyName(document.getText().slice(remedy.from, remedy.to), remedy.text)
      const edit = { changes: { [uri]: [textEdit(document, remedy)] } }
      const diagnostics = [diagnosticOf(document, problem, DiagnosticSeverity.Error)]
      return [{ title, kind: CodeActionKind.QuickFix, diagnostics, isPreferred: true, edit }]
    })
  })
}

const kinds: Readonly<Record<Completion['kind'], CompletionItemKind>> = {
  keyword: CompletionItemKind.Keyword,
  function: CompletionItemKind.Function,
  variable: CompletionItemKind.Variable,
  property: CompletionItemKind.Field,
  class: CompletionItemKind.Class,
  type: CompletionItemKind.Struct,
  constant: CompletionItemKind.Constant,
}

function addHelp(connection: Connection, state: State): void {
  connection.onHover(({ textDocument: { uri }, position }) => {
    const read = readNow(state, uri)
    const found = read?.file.hover(read.document.offsetAt(position)) ?? null
    if (read === null || found === null) return null
    // Names are those of strangers: plain text.
    const contents = { kind: MarkupKind.PlainText, value: found.lines.join('\n') }
    return { contents, range: rangeOf(read.document, found) }
  })
  connection.onCompletion(({ textDocument: { uri }, position }) => {
    const read = readNow(state, uri)
    if (read === null) return []
    const end = read.document.offsetAt(position)
    const found = read.file.completions(end, true)
    if (found === null) return []
    const range = rangeOf(read.document, { from: end - found.typed, to: end })
    return found.items.map(({ label, kind, detail }) => {
      const item = { label, kind: kinds[kind], textEdit: { range, newText: label } }
      return detail === undefined ? item : { ...item, detail }
    })
  })
}

function addNavigation(connection: Connection, state: State): void {
  const locations = (read: Read, places: readonly Occurrence[]): Location[] =>
    places.flatMap((place): Location[] => {
      const there = documentOf(state, read, place.file)
      return there === null ? [] : [{ uri: there.uri, range: rangeOf(there, place) }]
    })
  connection.onDefinition(({ textDocument: { uri }, position }) => {
    const read = readNow(state, uri)
    if (read === null) return []
    return locations(read, definitionsAt(read.file.things(read.file.read), read.document.offsetAt(position)))
  })
  connection.onReferences(({ textDocument: { uri }, position, context }) => {
    const read = readNow(state, uri)
    const found = read && thingAt(read.file.things(read.file.read), read.document.offsetAt(position))
    if (!read || !found) return []
    const wanted = found.thing.occurrences.filter(({ isDefinition }) => context.includeDeclaration || !isDefinition)
    return locations(read, wanted)
  })
}

function addChanges(connection: Connection, state: State): void {
  connection.onPrepareRename(({ textDocument: { uri }, position }) => {
    const read = readNow(state, uri)
    if (read === null) return null
    const found = renamable(read.file.things(read.file.read), read.document.offsetAt(position))
    if (!found.ok) throw refusal(found)
    return { range: rangeOf(read.document, found), placeholder: found.thing.name }
  })
  connection.onRenameRequest(({ textDocument: { uri }, position, newName }) => {
    const read = readNow(state, uri)
    if (read === null) return null
    const { document, file } = read
    const made = rename(file.read, (texts) => file.things(texts), document.offsetAt(position), newName)
    if (!made.ok) throw refusal(made)
    const changes: Record<string, TextEdit[]> = {}
    addEdits(changes, state, read, made.edits)
    for (const { other, all, thing } of usesElsewhere(state, read, document.offsetAt(position))) {
      const also = renameThing(other.file.read, (texts) => other.file.things(texts), all, thing, newName)
      if (!also.ok) throw refusal({ code: also.code, error: `${basename(other.document.uri)}: ${also.error}` })
      addEdits(changes, state, other, also.edits)
    }
    return { changes }
  })
  connection.onDocumentFormatting(({ textDocument: { uri } }) => {
    const read = readNow(state, uri)
    if (read === null) return null
    const made = read.file.formatted()
    if (!made.ok) throw refusal(made)
    return spaceEdits(read.document.getText(), made.text).map((edit) => textEdit(read.document, edit))
  })
}

/** Adds edits of a document and of the files that it includes, each once. */
function addEdits(changes: Record<string, TextEdit[]>, state: State, read: Read, edits: readonly Edit[]): void {
  for (const edit of edits) {
    const there = documentOf(state, read, edit.file)
    if (there === null) throw refusal({ code: 'rename-broken', error: `${edit.file ?? 'The file'} cannot be changed.` })
    const made = textEdit(there, edit)
    const known = (changes[there.uri] ??= [])
    if (!known.some(({ range }) => JSON.stringify(range) === JSON.stringify(made.range))) known.push(made)
  }
}

/** Another dictionary of the workspace, and the thing of all of its things that is meant. */
interface Use {
  readonly other: Read
  readonly all: Things
  readonly thing: Thing
}

/** The other dictionaries of the workspace that include a file in which the thing at an offset is defined. */
function usesElsewhere(state: State, read: Read, offset: number): readonly Use[] {
  if (read.included === null) return []
  const keyOf = (from: Read, { file, from: at }: Occurrence): string | null => {
    const path = pathOf(documentOf(state, from, file)?.uri ?? '')
    return path === null ? null : `${at} ${realPath(path)}`
  }
  const places = definitionsAt(read.file.things(read.file.read), offset)
  const wanted = new Set(places.map((place) => keyOf(read, place)))
  const names = places.map(({ file }) => basename(file ?? decodeURIComponent(read.document.uri)))
  const dictionaries = dictionariesBelow(state.roots)
  if (dictionaries === null)
    throw refusal({
      code: 'rename-workspace',
      error: 'The workspace has too many files to look for all uses of a name.',
    })
  const covered = new Set(coveredBy(state, read))
  const broken: Read[] = []
  const found = dictionaries.flatMap((path): readonly Use[] => {
    const other = covered.has(realPath(path)) ? null : readPath(state, path)
    if (other === null) return []
    const all = other.file.things(other.file.read)
    const { things, isFine } = all
    const thing = things.find(({ occurrences }) => {
      return occurrences.some((one) => one.isDefinition && wanted.has(keyOf(other, one)))
    })
    // One whose grammar has mistakes is known by the name that it mentions.
    const mentions = things.length === 0 && names.some((name) => other.document.getText().includes(`"${name}"`))
    if (!isFine && (thing !== undefined || mentions)) broken.push(other)
    return isFine && thing !== undefined ? [{ other, all, thing }] : []
  })
  // A part with classes of others is changed with a dictionary that includes both.
  for (const { other } of found) for (const path of coveredBy(state, other)) covered.add(path)
  const left = broken.find(({ document: { uri } }) => !covered.has(realPath(pathOf(uri) ?? '')))
  if (left === undefined) return found
  const error = `${basename(left.document.uri)} uses the name and has errors; it can be changed when they are gone.`
  throw refusal({ code: 'rename-broken', error })
}

/** The paths of a dictionary and of the files that it includes. */
function coveredBy(state: State, read: Read): readonly string[] {
  const files = read.file
    .things(read.file.read)
    .things.flatMap(({ occurrences }) => occurrences.map(({ file }) => file))
  return [...new Set([undefined, ...files])].flatMap((file) => {
    const path = pathOf(documentOf(state, read, file)?.uri ?? '')
    return path === null ? [] : [realPath(path)]
  })
}

function refusal({ code, error }: { readonly code: string; readonly error: string }): ResponseError<{ code: string }> {
  return new ResponseError(ErrorCodes.InvalidRequest, error, { code })
}

/** A document as it is now; null: it is not open. */
function readNow(state: State, uri: string): Read | null {
  const document = state.documents.get(uri)
  if (document === undefined) return null
  const known = state.files.get(uri)
  const isDictionary = document.languageId === 'class-dictionary' || /\.cd$/i.test(uri)
  // The files that a dictionary includes may have changed.
  if (known?.version === document.version && !isDictionary) return known
  const read = readDocument(state, document, isDictionary, known)
  state.files.set(uri, read)
  return read
}

/** A dictionary by its path, as its editor has it if it is open; null: it cannot be read. */
function readPath(state: State, path: string): Read | null {
  const open = readNow(state, uriOf(path))
  if (open !== null) return open
  try {
    const text = readFileSync(path, 'utf8')
    return readDocument(state, TextDocument.create(uriOf(path), 'class-dictionary', 0, text), true, undefined)
  } catch {
    return null
  }
}

function readDocument(state: State, document: TextDocument, isDictionary: boolean, known: Read | undefined): Read {
  const text = document.getText()
  const { version } = document
  const path = pathOf(document.uri)
  const included = isDictionary && path !== null ? includedFiles(path, rootsAbove(state, path)) : null
  const file = isDictionary
    ? openDictionary(text, (name) => (included === null ? null : includedText(state, included, name)))
    : openChallenge(text, known?.file.knowledge ?? null)
  return { document, version, file, included }
}

/** The text of an included file: that of its editor, if it is open. */
function includedText(state: State, included: IncludedFiles, name: string): string | null {
  let stored: string | null
  try {
    stored = included.read(name)
  } catch {
    // A dictionary that is not saved yet has no folder.
    return null
  }
  if (stored === null) return null
  return state.documents.get(uriOf(included.place(name)))?.getText() ?? stored
}

const uriOf = (path: string): string => pathToFileURL(path).href

/** The path of a file; null: it is not one of this machine. */
function pathOf(uri: string): string | null {
  try {
    return fileURLToPath(uri)
  } catch {
    return null
  }
}

function rootsAbove({ roots }: State, path: string): readonly string[] {
  const folder = dirname(path)
  // An editor may name a folder that is gone.
  return roots.filter((root) => (folder === root || folder.startsWith(join(root, sep))) && existsSync(root))
}

/** A document, or one of the files that it includes; null: that does not exist. */
function documentOf(state: State, { document, file, included }: Read, name: string | undefined): TextDocument | null {
  if (name === undefined) return document
  const text = file.read(name)
  if (text === null || included === null) return null
  const uri = uriOf(included.place(name))
  return state.documents.get(uri) ?? TextDocument.create(uri, document.languageId, 0, text)
}

function rangeOf(document: TextDocument, { from, to }: { readonly from: number; readonly to: number }): Range {
  return { start: document.positionAt(from), end: document.positionAt(to) }
}

function textEdit(document: TextDocument, edit: Omit<Edit, 'file'>): TextEdit {
  return { range: rangeOf(document, edit), newText: edit.text }
}

function diagnosticsOf(document: TextDocument, { problems, doubts }: OpenFile): Diagnostic[] {
  const { Error: error, Warning: warning } = DiagnosticSeverity
  return [
    ...problems.map((problem) => diagnosticOf(document, problem, error)),
    ...doubts.map((problem) => diagnosticOf(document, problem, warning)),
  ]
}

function diagnosticOf(document: TextDocument, problem: Problem, severity: DiagnosticSeverity): Diagnostic {
  const { at, message, hint, file } = problem
  const text = hint === undefined ? message : `${message} ${hint}`
  // A problem of an included file is told at the beginning of the one that includes it.
  const range = rangeOf(document, file === undefined ? markOf(problem, document.getText()) : { from: 0, to: 1 })
  const placed = file === undefined ? text : `${file}, line ${at.line}: ${text}`
  return { range, severity, source: 'tartaglia', code: problem.code, message: placed }
}
