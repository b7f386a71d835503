import type { Definition, Demand, Exact, Expression } from '../formulas/index.ts'

/** What the parser makes of a .challenge file. `at`: offsets in the file. */
export interface ChallengeTree {
  readonly name: Named
  readonly title: string
  readonly sections: readonly Section[]
}

export interface Named {
  readonly at: number
  readonly name: string
}

/** What stands between `{{` and `}}`; `at`: where it begins. */
export interface Block {
  readonly at: number
  readonly source: string
}

export type Section =
  | { readonly kind: 'text' | 'dictionary'; readonly at: number; readonly block: Block }
  | { readonly kind: 'config'; readonly at: number; readonly settings: readonly SettingTree[] }
  | { readonly kind: 'set'; readonly at: number; readonly className: Named; readonly label: Named }
  | { readonly kind: 'define'; readonly at: number; readonly definition: Definition }
  | { readonly kind: Judged; readonly at: number; readonly demands: readonly Demand[] }
  | { readonly kind: 'measure' | 'bound'; readonly at: number; readonly formula: Expression }
  | { readonly kind: 'goal'; readonly at: number; readonly goal: Goal }
  | { readonly kind: 'example'; readonly at: number; readonly example: ExampleTree }

/** What the three lists of demands are about. */
export type Judged = 'legal predicate' | 'legal instance' | 'feasible solution'

export type Goal = 'max' | 'min'

/** `name = standard in low..high` */
export interface SettingTree extends Named {
  readonly standard: Exact
  readonly low: Exact
  readonly high: Exact
}

export interface ExampleTree extends Named {
  readonly config: readonly { readonly at: number; readonly name: string; readonly value: Exact }[]
  readonly predicate: Block
  readonly instance: Block
  readonly solution: Block
  readonly quality: { readonly at: number; readonly value: Exact }
}
