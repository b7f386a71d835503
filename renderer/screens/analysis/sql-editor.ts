import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import {
  bracketMatching,
  HighlightStyle,
  StreamLanguage,
  syntaxHighlighting,
  type StringStream,
} from '@codemirror/language'
import { lintGutter, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { TextPlace } from '../../../main/contract/histories/query-place.ts'
import type { MinedTable } from '../../../main/contract/procedures/procedures.ts'
import { editorTheme, insertTyped } from '../../parts/text/editor-base.ts'
import { keywords, sqlCompletion } from './sql-completion.ts'

export interface SqlEditorOptions {
  /** Hosts the editor in a shadow tree: only there it uses adopted style sheets, which the page's policy allows. */
  readonly host: HTMLElement
  readonly text: string
  tables(): readonly MinedTable[]
  onchange(text: string): void
  /** Called when the person wants the query to be answered. */
  onrun(): void
}

export interface SqlEditor {
  /** Replaces the whole text. */
  set(text: string): void
  /** Marks the place of a mistake and goes there; null: there is none. */
  mark(place: TextPlace | null, message: string): void
  end(): void
}

export function createSqlEditor({ host, text, tables, onchange, onrun }: SqlEditorOptions): SqlEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        [lineNumbers(), highlightSpecialChars(), history(), drawSelection(), bracketMatching(), closeBrackets()],
        [lintGutter(), sqlLanguage, syntaxHighlighting(style), EditorView.lineWrapping],
        autocompletion({ override: [(context) => sqlCompletion(context, tables())], icons: false }),
        keymap.of([
          { key: 'Mod-Enter', preventDefault: true, run: () => (onrun(), true) },
          ...[...completionKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab],
        ]),
        EditorView.contentAttributes.of({
          tabindex: '0',
          'aria-label': 'Query',
          spellcheck: 'false',
          autocapitalize: 'off',
        }),
        EditorView.domEventHandlers({ beforeinput: insertTyped }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onchange(update.state.doc.toString())
        }),
        editorTheme,
      ],
    }),
  })
  return {
    set(to) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: to } })
    },
    mark(place, message) {
      const { doc } = view.state
      if (place === null) {
        view.dispatch(setDiagnostics(view.state, []))
        return
      }
      const line = doc.line(Math.min(place.line, doc.lines))
      const from = Math.min(line.from + place.column - 1, line.to)
      const word = /^[\w$]+/.exec(line.text.slice(from - line.from))?.[0].length ?? 1
      const to = Math.min(from + word, line.to)
      view.dispatch(setDiagnostics(view.state, [{ from: Math.min(from, to), to, severity: 'error', message }]))
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from) })
    },
    end: () => view.destroy(),
  }
}

function token(stream: StringStream): string | null {
  if (stream.eatSpace()) return null
  if (stream.match(/^--.*/) || stream.match(/^\/\*.*?\*\//)) return 'comment'
  if (stream.match(/^'(?:[^']|'')*'?/)) return 'string'
  if (stream.match(/^"(?:[^"]|"")*"?/)) return 'variableName'
  if (stream.match(/^\d+(?:\.\d+)?/)) return 'number'
  const word = stream.match(/^[A-Za-z_]\w*/)
  if (word === null || typeof word === 'boolean') {
    stream.next()
    return 'operator'
  }
  if (keywords.has(word[0].toLowerCase())) return 'keyword'
  return stream.match(/^\s*\(/, false) ? 'function' : 'variableName'
}

const sqlLanguage = StreamLanguage.define({
  name: 'sql',
  token,
  tokenTable: { function: tags.function(tags.variableName) },
  languageData: { commentTokens: { line: '--' }, closeBrackets: { brackets: ['(', "'", '"'] } },
})

const style = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--verdigris)' },
  { tag: tags.number, color: 'var(--lapis)' },
  { tag: tags.comment, color: 'var(--quiet)', fontStyle: 'italic' },
  { tag: tags.function(tags.variableName), color: 'var(--lapis)' },
])
