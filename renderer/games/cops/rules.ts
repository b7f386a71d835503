import { rules } from '../../../main/referees/cops/rules.ts'

export { rules }
export type State = ReturnType<typeof rules.initial>
export type Input = Parameters<typeof rules.apply>[1]
export type View = ReturnType<typeof rules.view>
export type Town = State['town']
export type RoundView = NonNullable<View['round']>
export type EvidenceView = NonNullable<View['evidence']>[number]
