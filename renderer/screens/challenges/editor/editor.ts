import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension, type Transaction } from '@codemirror/state'
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
import { completer } from './complete.ts'
import { describe, type Knowledge } from './knowledge.ts'
import { challengeSyntax } from './language.ts'
import { theme } from './theme.ts'

export interface EditorOptions {
  /** Holds the editor in a shadow tree: only there are its styles adopted, which the page's policy lets through. */
  readonly host: HTMLElement
  /** What it is, for screen readers. */
  readonly label: string
  readonly text: string
  /** A state of before, with its history, selection and place. */
  readonly before: EditorSnapshot | null
  knowledge(): Knowledge | null
  onchange(text: string): void
  /** The person asks for the file to be saved. */
  onsave(): void
}

/** What an editor is put together from again. */
export interface EditorSnapshot {
  readonly state: EditorState
  readonly scrollTop: number
}

export interface Editor {
  show(problems: readonly Problem[]): void
  /** Puts the pointer at an offset, in sight, and the keyboard with it. */
  go(offset: number): void
  /** Ends it, and gives what a later one is to go on from. */
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
    // The text takes the keyboard anyway; whoever looks for what scrolls and cannot be reached sees it so.
    EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': label, spellcheck: 'false', autocapitalize: 'off' }),
    EditorView.domEventHandlers({ beforeinput: typed }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onchange(update.state.doc.toString())
    }),
    theme,
  ]
  const view = new EditorView({
    root,
    parent: root,
    // What an older state calls back is the same screen.
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

/**
 * Puts typed text into the state directly. Left to itself Chromium would put it into the page first, in the style of what it
 * replaces, and inline styles are what the page's policy forbids.
 */
function typed(event: InputEvent, view: EditorView): boolean {
  const text = event.data
  if (event.inputType !== 'insertText' || text === null || view.composing || event.isComposing) return false
  event.preventDefault()
  const { from, to } = view.state.selection.main
  const insert = (): Transaction =>
    view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true })
  const handlers = view.state.facet(EditorView.inputHandler)
  if (!handlers.some((handle) => handle(view, from, to, text, insert))) view.dispatch(insert())
  return true
}

/** Marks the word at the problem's place, or one character. */
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
