import { rules as played } from '../../../main/referees/punter/rules.ts'

/** As the game has them; but the match is over, so everyone may see the futures at any moment of it. */
export const rules: typeof played = {
  ...played,
  view: (state, viewer) => played.view(state, viewer === 'public' ? 'panel' : viewer),
}
export type State = ReturnType<typeof rules.initial>
export type Input = Parameters<typeof rules.apply>[1]
export type View = ReturnType<typeof rules.view>
export type RiverView = View['rivers'][number]
