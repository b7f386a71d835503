import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLineGutter,
  highlightSpecialChars,
  hoverTooltip,
  keymap,
  lineNumbers,
  type Tooltip,
} from '@codemirror/view'
import type { Problem } from '../../../../grammars/problem.ts'
import { editorTheme, insertTyped } from '../../../parts/text/editor-base.ts'
import { completer } from './complete.ts'
import { describe, type Knowledge } from './knowledge.ts'
import { challengeSyntax } from './language.ts'

export interface EditorOptions {
  /** Hosts the editor in a shadow tree: only there it uses adopted style sheets, which the page's policy allows. */
  readonly host: HTMLElement
  /** Its label for screen readers. */
  readonly label: string
  readonly text: string
  /** An earlier state to restore, with history, selection and scroll position. */
  readonly before: EditorSnapshot | null
  knowledge(): Knowledge | null
  onchange(text: string): void
  /** Called when the person wants to save the file. */
  onsave(): void
}

/** The saved state of an editor. */
export interface EditorSnapshot {
  readonly state: EditorState
  readonly scrollTop: number
}

export interface Editor {
  show(problems: readonly Problem[]): void
  /** Moves the cursor and the focus to an offset and scrolls it into view. */
  go(offset: number): void
  /** Destroys the editor and returns the state for a later one. */
  end(): EditorSnapshot
}

export function createEditor({ host, label, text, before, knowledge, onchange, onsave }: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const extensions: Extension = [
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightSpecialChars(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightSelectionMatches(),
    lintGutter(),
    challengeSyntax(),
    autocompletion({ override: [completer(knowledge)], icons: false }),
    hoverTooltip((view, at) => hovered(view, at, knowledge())),
    keymap.of([
      { key: 'Mod-s', preventDefault: true, run: () => (onsave(), true) },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...lintKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
    // The text is focusable anyway; this shows it to accessibility checkers, too.
    EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': label, spellcheck: 'false', autocapitalize: 'off' }),
    EditorView.domEventHandlers({ beforeinput: insertTyped }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onchange(update.state.doc.toString())
    }),
    editorTheme,
  ]
  const view = new EditorView({
    root,
    parent: root,
    // An older state has callbacks to the same screen.
    state: before?.state ?? EditorState.create({ doc: text, extensions }),
  })
  if (before !== null) view.scrollDOM.scrollTop = before.scrollTop
  return {
    show(problems) {
      view.dispatch(
        setDiagnostics(
          view.state,
          problems.map((problem) => diagnostic(problem, view.state)),
        ),
      )
    },
    go(offset) {
      const at = Math.min(offset, view.state.doc.length)
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) })
      view.focus()
    },
    end() {
      const kept = { state: view.state, scrollTop: view.scrollDOM.scrollTop }
      view.destroy()
      return kept
    },
  }
}

/** Marks the word at the position of a problem, or one character. */
function diagnostic({ at, message, hint }: Problem, { doc }: EditorState): Diagnostic {
  const from = Math.min(at.offset, doc.length)
  const line = doc.lineAt(from)
  const word = /^[\w$]+/.exec(line.text.slice(from - line.from))?.[0].length ?? 1
  const to = Math.min(from + word, doc.length)
  return {
    from: Math.min(from, to),
    to,
    severity: 'error',
    message: hint === undefined ? message : `${message} ${hint}`,
  }
}

const sign = /[A-Za-z_$][\w$]*|<=|>=|!=|\.\.|[-+*/<>=[]/g

function hovered(view: EditorView, at: number, knowledge: Knowledge | null): Tooltip | null {
  if (knowledge === null) return null
  const line = view.state.doc.lineAt(at)
  for (const found of line.text.matchAll(sign)) {
    const from = line.from + found.index
    const to = from + found[0].length
    if (at < from || at > to) continue
    const text = line.text.slice(0, found.index)
    const lines = describe(found[0], from, text, knowledge, view.state.doc.toString())
    if (lines === null) continue
    return { pos: from, end: to, above: true, create: () => ({ dom: tooltip(lines) }) }
  }
  return null
}

function tooltip(lines: readonly string[]): HTMLElement {
  const dom = document.createElement('div')
  dom.className = 'cm-types'
  for (const [i, line] of lines.entries()) {
    const part = document.createElement(i === 0 ? 'code' : 'p')
    part.textContent = line
    dom.append(part)
  }
  return dom
}
