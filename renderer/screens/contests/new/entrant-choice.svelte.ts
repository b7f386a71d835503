import { untrack } from 'svelte'
import type { AgentSummary } from '../../../../main/contract/procedures/procedures.ts'
import { chosenAfter, leftOutOf, type Unfit } from '../entrants/fitness.ts'
import { createUnfit, type GivenSettings } from '../entrants/unfit.svelte.ts'
import type { ChoiceOfAgents, Form } from './form.ts'

/** The values of the screen New contest that the choice of agents follows. */
interface Followed {
  /** The form; the choice changes its entrants. */
  readonly form: () => Form
  /** The agents that play for their teams in the chosen game and policy. */
  readonly active: () => readonly AgentSummary[]
  /** null: not valid. */
  readonly settings: () => GivenSettings | null
  /** True once the agents have been loaded. Before, agents that cannot play would seem to be able to. */
  readonly loaded: () => boolean
}

/** The agents of a contest that is being described: those that cannot play are taken out, and return when they can. */
interface EntrantChoice {
  /** Why agents cannot play with these settings: as they declare it, or as a trial match found. */
  readonly unfit: Unfit
  /** A text that changes with everything that a trial match depends on. */
  readonly conditions: string
  /** The names of the agents that nothing speaks against. */
  readonly fit: () => readonly string[]
  /** Forgets which agents were taken out, for another game. */
  readonly startOver: () => void
  /** A person took these agents out, so they do not return by themselves; or chose them, whatever is said of them at this moment. */
  readonly decide: (names: readonly string[], isChosen: boolean) => void
  /** Adds the finding of a trial match that was played under `under`. */
  readonly addReason: (agent: string, why: string, under: string) => void
  /** The state to keep while the form is left. */
  readonly kept: () => ChoiceOfAgents
}

/** Follows the form from a kept state on. Call only during component initialization. */
export function createEntrantChoice(of: Followed, before: ChoiceOfAgents): EntrantChoice {
  const declared = createUnfit(of.settings)
  let { aside, leftOut: leftBefore } = before
  /** The findings of trial matches under `found.of`; those under other conditions do not count. */
  let found = $state.raw(before.found)
  const conditions = $derived.by(() => {
    const form = of.form()
    return JSON.stringify([
      ...[form.game, form.settings, form.policy, form.clock],
      ...[form.startMs, form.moveMs, form.bankMs, form.strikes, form.memoryMb, form.steps],
    ])
  })
  const unfit = $derived<Unfit>(
    new Map([...declared.reasons, ...(found.of === conditions ? found.reasons : new Map<string, string>())]),
  )
  const leftOut = $derived(leftOutOf(of.active(), of.form().policy, unfit))
  $effect(() => {
    if (!of.loaded() || !declared.known) return
    const now = leftOut
    untrack(() => {
      const form = of.form()
      const chosen = chosenAfter({ names: form.entrants, aside }, leftBefore, now)
      if (chosen.names !== form.entrants) form.entrants = chosen.names
      aside = chosen.aside
      leftBefore = now
    })
  })
  return {
    get unfit() {
      return unfit
    },
    get conditions() {
      return conditions
    },
    fit() {
      const agents = of.active().map(({ name }) => name)
      return agents.filter((name) => !leftOut.has(name))
    },
    startOver() {
      aside = []
    },
    decide(names, isChosen) {
      if (!isChosen) aside = aside.filter((name) => !names.includes(name))
      // Verdicts of which the person knew are not new ones.
      else leftBefore = new Map([...leftBefore, ...[...leftOut].filter(([name]) => names.includes(name))])
    },
    addReason(agent, why, under) {
      // The settings may have changed since the trial began.
      if (under !== conditions) return
      const known = found.of === conditions ? found.reasons : []
      found = { of: conditions, reasons: new Map([...known, [agent, why]]) }
    },
    kept: () => ({ aside, leftOut: leftBefore, found }),
  }
}
