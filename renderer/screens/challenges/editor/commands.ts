import { showDialog, type EditorView, type KeyBinding } from '@codemirror/view'
import { consult } from '../../../challenge-worker/worker-client.ts'
import type { Advice, Question } from '../../../challenge-worker/consult.ts'

/** Commands that ask the challenge worker about the text. */
interface EditingCommands {
  readonly keys: readonly KeyBinding[]
  format(view: EditorView): Promise<void>
}

/** `tell` gets a sentence that says why a command has done nothing; '' before each command. */
export function editingCommands(tell: (text: string) => void): EditingCommands {
  /** The answer for the text as it is; null: it was refused, or the text has changed since. */
  async function ask(view: EditorView, question: Question): Promise<Exclude<Advice, { kind: 'refused' }> | null> {
    tell('')
    const { doc } = view.state
    const advice = await consult(doc.toString(), question).catch((error: unknown): Advice => {
      return { kind: 'refused', message: error instanceof Error ? error.message : String(error) }
    })
    if (advice.kind === 'refused') tell(advice.message)
    if (advice.kind === 'refused' || view.state.doc !== doc) return null
    return advice
  }

  async function change(view: EditorView, question: Question): Promise<void> {
    const advice = await ask(view, question)
    if (advice?.kind !== 'edits' || advice.edits.length === 0) return
    const changes = advice.edits.map(({ from, to, text: insert }) => ({ from, to, insert }))
    view.dispatch({ changes, userEvent: 'input.edit', scrollIntoView: true })
  }

  async function goToDefinition(view: EditorView): Promise<void> {
    const advice = await ask(view, { about: 'definition', at: view.state.selection.main.head })
    if (advice?.kind !== 'place') return
    view.dispatch({ selection: { anchor: advice.from, head: advice.to }, scrollIntoView: true })
  }

  async function renameHere(view: EditorView): Promise<void> {
    const at = view.state.selection.main.head
    const advice = await ask(view, { about: 'name', at })
    if (advice?.kind !== 'place') return
    const value = view.state.sliceDoc(advice.from, advice.to)
    const { result } = showDialog(view, {
      label: `New name of ${value}`,
      input: { name: 'name', value, autocomplete: 'off', spellcheck: 'false' },
      submitLabel: 'Rename',
      focus: true,
    })
    const form = await result
    view.focus()
    if (form === null) return
    const name = new FormData(form).get('name')
    if (typeof name === 'string') await change(view, { about: 'rename', at: advice.from, to: name.trim() })
  }

  const format = (view: EditorView): Promise<void> => change(view, { about: 'format' })
  const key = (name: string, run: (view: EditorView) => Promise<void>): KeyBinding => {
    return { key: name, preventDefault: true, run: (view) => (void run(view), true) }
  }
  return { keys: [key('F12', goToDefinition), key('F2', renameHere), key('Shift-Alt-f', format)], format }
}
