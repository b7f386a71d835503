import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { forEachDiagnostic, lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint'
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
import { completionsAfter, LOOK_BACK } from '../../../../grammars/language-services/complete.ts'
import { hoverAt } from '../../../../grammars/language-services/hover.ts'
import type { Knowledge } from '../../../../grammars/language-services/knowledge.ts'
import { markOf, remedyName } from '../../../../grammars/language-services/marks.ts'
import { editorTheme, insertTyped } from '../../../parts/text/editor-base.ts'
import { editingCommands } from './commands.ts'
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
  /** Called with a sentence that says why a command has done nothing; '' before each command. */
  onnotice(text: string): void
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
  /** Lays the text out anew. */
  format(): void
  /** Destroys the editor and returns the state for a later one. */
  end(): EditorSnapshot
}

export function createEditor(options: EditorOptions): Editor {
  const { host, label, text, before, knowledge, onchange, onsave, onnotice } = options
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const commands = editingCommands(onnotice)
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
    autocompletion({ override: [(context) => completed(context, knowledge())], icons: false }),
    hoverTooltip((view, at) => hovered(view, at, knowledge())),
    keymap.of([
      { key: 'Mod-s', preventDefault: true, run: () => (onsave(), true) },
      { key: 'Mod-.', preventDefault: true, run: mend },
      ...commands.keys,
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
      const now = view.state.doc.toString()
      view.dispatch(
        setDiagnostics(
          view.state,
          problems.map((problem) => diagnostic(problem, now)),
        ),
      )
    },
    go(offset) {
      const at = Math.min(offset, view.state.doc.length)
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) })
      view.focus()
    },
    format: () => void commands.format(view),
    end() {
      const kept = { state: view.state, scrollTop: view.scrollDOM.scrollTop }
      view.destroy()
      return kept
    },
  }
}

/** Marks a problem, and offers its remedy. */
function diagnostic(problem: Problem, source: string): Diagnostic {
  const { message, hint, remedy } = problem
  const { from, to } = markOf(problem, source)
  const severity = 'error'
  const text = hint === undefined ? message : `${message} ${hint}`
  if (remedy === undefined) return { from, to, severity, message: text }
  const replaced = source.slice(remedy.from, remedy.to)
  return {
    from,
    to,
    severity,
    message: text,
    actions: [
      {
        name: remedyName(replaced, remedy.text),
        apply(view, now) {
          // The text may have changed elsewhere since it was checked.
          const start = remedy.from + now - from
          const end = start + replaced.length
          if (view.state.sliceDoc(start, end) !== replaced) return
          view.dispatch({ changes: { from: start, to: end, insert: remedy.text }, userEvent: 'input.remedy' })
        },
      },
    ],
  }
}

/** Applies the remedy of the problem at the cursor. */
function mend(view: EditorView): boolean {
  const { head } = view.state.selection.main
  const remedies: (() => void)[] = []
  forEachDiagnostic(view.state, ({ actions }, from, to) => {
    const [action] = actions ?? []
    if (action !== undefined && from <= head && head <= to) remedies.push(() => action.apply(view, from, to))
  })
  remedies[0]?.()
  return remedies.length > 0
}

function completed(context: CompletionContext, knowledge: Knowledge | null): CompletionResult | null {
  const before = context.state.sliceDoc(Math.max(0, context.pos - LOOK_BACK), context.pos)
  const found = completionsAfter(before, knowledge, context.explicit)
  if (found === null) return null
  const options = found.items.map(({ label, kind, detail }) => {
    return detail === undefined ? { label, type: kind } : { label, type: kind, detail }
  })
  return { from: context.pos - found.typed, options, validFor: /^[\w$]*$/ }
}

function hovered(view: EditorView, at: number, knowledge: Knowledge | null): Tooltip | null {
  const found = knowledge && hoverAt(view.state.doc.toString(), at, knowledge)
  return found && { pos: found.from, end: found.to, above: true, create: () => ({ dom: tooltip(found.lines) }) }
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
