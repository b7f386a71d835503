import '../no-eval.ts'
import './fonts.css'
import '../theme.css'
import '../shared.css'
import { mount } from 'svelte'
import { askWhoCalls } from '../caller.svelte.ts'
import { useClient } from '../connection/client.ts'
import { arriveAt } from '../navigation/address.ts'
import Failure from '../parts/states/failure.svelte'
import { readRecorded } from './read-recorded.ts'
import { recordedProgram } from './recorded-program.ts'
import Replay from './replay.svelte'

/** Shows the match that the page holds. */
async function show(target: HTMLElement): Promise<void> {
  // A place is noted behind the `?` of the fragment, which needs a path before it.
  if (location.hash === '') history.replaceState(null, '', '#/')
  arriveAt(location.hash)
  try {
    const recorded = await readRecorded(document)
    if (recorded === null) throw new Error('The page holds no match.')
    useClient(recordedProgram(recorded))
    await askWhoCalls()
    mount(Replay, { target, props: { recorded } })
  } catch (reason) {
    const message = reason instanceof Error ? reason.message : String(reason)
    mount(Failure, { target, props: { title: 'This page is damaged', message } })
  }
}

void show(document.getElementById('app')!)
