import { rules } from '../../../main/referees/specker/rules.ts'

export { rules }
export type State = ReturnType<typeof rules.initial>
export type Input = Parameters<typeof rules.apply>[1]
export type PublicEvent = State['events'][number]
/** The public state, or the request to a seat. */
export type View = ReturnType<typeof rules.view>
