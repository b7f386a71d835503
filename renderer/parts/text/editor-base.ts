import type { Transaction } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

// The parts that all editors of the window share. It is loaded with an editor, never with a screen.

/**
 * Inserts typed text into the state directly. Otherwise Chromium would insert it into the page first, with inline styles
 * copied from what it replaces, which the page's policy forbids.
 */
export function insertTyped(event: InputEvent, view: EditorView): boolean {
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

/** Uses the window's CSS variables, which also apply in the shadow tree and follow light and dark. */
export const editorTheme = EditorView.theme({
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
  '.cm-diagnosticAction': { padding: '2px 8px', color: 'var(--on-accent)', backgroundColor: 'var(--accent)' },
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
