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
    EditorView.domEventHandlers({ beforeinput: typed }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onchange(update.state.doc.toString())
    }),
    theme,
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

/**
 * Inserts typed text into the state directly. Otherwise Chromium would insert it into the page first, with inline styles
 * copied from what it replaces, which the page's policy forbids.
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

/** Uses the window's CSS variables, which also apply in the shadow tree and follow light and dark. */
const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--surface)', fontSize: 'var(--small)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    lineHeight: '1.7',
    scrollbarWidth: 'thin',
    fontVariantLigatures: 'none',
  },
  '.cm-content': { caretColor: 'var(--ink)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 20%, transparent)',
  },
  '.cm-gutters': { color: 'var(--quiet)', backgroundColor: 'var(--surface)', borderRight: '1px solid var(--rule)' },
  '.cm-activeLineGutter': { color: 'var(--ink)', backgroundColor: 'var(--tint)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'transparent', outline: '1px solid var(--verdigris)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'transparent', outline: '1px solid var(--accent)' },
  '.cm-selectionMatch, .cm-searchMatch': { backgroundColor: 'transparent', outline: '1px solid var(--ochre)' },
  '.cm-specialChar': { color: 'var(--accent)' },
  '.cm-tooltip': {
    maxWidth: '64ch',
    border: '1px solid var(--edge)',
    borderRadius: 'var(--radius)',
    color: 'var(--ink)',
    backgroundColor: 'var(--surface)',
    boxShadow: 'var(--shadow)',
    fontFamily: 'var(--sans)',
    overflowWrap: 'anywhere',
  },
  '.cm-types': { padding: '6px 10px' },
  '.cm-types code': { fontFamily: 'var(--mono)' },
  '.cm-types p': { margin: '2px 0 0', color: 'var(--quiet)' },
  '.cm-diagnostic': { padding: '6px 10px', whiteSpace: 'pre-wrap' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--accent)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '14em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { color: 'var(--on-accent)', background: 'var(--accent)' },
  '.cm-tooltip-autocomplete li[aria-selected] .cm-completionDetail': { color: 'var(--on-accent)' },
  '.cm-completionDetail': { color: 'var(--quiet)', fontFamily: 'var(--sans)', fontStyle: 'normal' },
  '.cm-panels': { color: 'var(--ink)', backgroundColor: 'var(--tint)' },
  '.cm-panels-bottom': { borderTop: '1px solid var(--rule)' },
  '.cm-panel.cm-search, .cm-panel.cm-gotoLine': { fontFamily: 'var(--sans)' },
  '.cm-panel input, .cm-panel button': {
    border: '1px solid var(--edge)',
    borderRadius: '3px',
    color: 'var(--ink)',
    background: 'var(--surface)',
    font: 'inherit',
  },
})
