import { seesAs, type Viewer } from '../../../main/contract/histories/viewer.ts'
import { rules } from '../../../main/referees/haggle/rules.ts'

export { rules }
export type State = ReturnType<typeof rules.initial>
export type Input = Parameters<typeof rules.apply>[1]
export type View = ReturnType<typeof rules.view>
export type Share = View['counts']
/** The subject of a match; both sides' values, which become public only at the end. */
export type Scenario = Pick<State, 'counts' | 'values' | 'maxRounds'>

/** By seat, what a viewer knew of what one object of each type is worth. Everybody knows both at every turn, as the panel does. */
export function valuesKnown(state: State, viewer: Viewer): View['values'] {
  return rules.view(state, seesAs(viewer)).values
}
