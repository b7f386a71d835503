import type { Definition, Demand, Exact, Expression } from '../formulas/index.ts'
import type { RuleTree } from '../properties/index.ts'
import type { PictureTree } from './pictures/tree.ts'

/** The syntax tree of a .challenge file. `at`: offsets in the file. */
export interface ChallengeTree {
  readonly name: Named
  readonly title: string
  readonly sections: readonly Section[]
}

export interface Named {
  readonly at: number
  readonly name: string
}

/** The text between `{{` and `}}`; `at`: the offset of its beginning. */
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
  | { readonly kind: 'measure' | 'bound' | 'belief'; readonly at: number; readonly formula: Expression }
  | { readonly kind: 'goal'; readonly at: number; readonly goal: Goal }
  | { readonly kind: `property ${Described}`; readonly at: number; readonly rules: readonly RuleTree[] }
  | { readonly kind: 'picture'; readonly at: number; readonly picture: PictureTree }
  | { readonly kind: 'generate'; readonly at: number; readonly generator: GeneratorTree }
  | { readonly kind: 'format'; readonly at: number; readonly format: FormatTree }
  | { readonly kind: 'league'; readonly at: number; readonly league: LeagueTree }
  | { readonly kind: 'reference'; readonly at: number; readonly reference: ReferenceTree }
  | { readonly kind: 'example'; readonly at: number; readonly example: ExampleTree }

/** The subjects of the three lists of demands. */
export type Judged = 'legal predicate' | 'legal instance' | 'feasible solution'

/** The subjects of properties. */
export type Described = 'predicate' | 'instance' | 'solution'

export type Goal = 'max' | 'min'

/** `name = standard in low..high` */
export interface SettingTree extends Named {
  readonly standard: Exact
  readonly low: Exact
  readonly high: Exact
}

/** `generate (parameters) { let name = formula; instance = formula planted = formula }` */
export interface GeneratorTree {
  readonly at: number
  /** Declared like settings; their values can make instances easy or hard. */
  readonly parameters: readonly SettingTree[]
  readonly steps: readonly (Named & { readonly value: Expression })[]
  readonly instance: Expression
  /** null: no solution is planted. */
  readonly planted: Expression | null
}

/** `format name best` */
export interface FormatTree extends Named {
  readonly best: boolean
}

/** `league name "title" secret (parameter) { demands }` */
export interface LeagueTree extends Named {
  readonly title: string
  readonly secret: boolean
  readonly parameter: SettingTree | null
  readonly demands: readonly Demand[]
}

/** An example. If it is refused, then the last of predicate, instance and solution is. */
export interface ExampleTree extends Named {
  readonly refused: boolean
  readonly config: readonly { readonly at: number; readonly name: string; readonly value: Exact }[]
  readonly predicate: Block | null
  readonly leagues: readonly LeagueUse[]
  readonly instance: Block | null
  readonly solution: Block | null
  readonly quality: { readonly at: number; readonly value: Exact } | null
  readonly because: { readonly at: number; readonly text: string } | null
}

/** `league name (value)` in an example; `value` null: the league's standard. */
export interface LeagueUse extends Named {
  readonly value: Exact | null
}

/** `reference "title" kind share { field = formula ... }` or `... javascript {{ ... }}`; named by its title. */
export interface ReferenceTree extends Named {
  readonly kind: Named
  readonly share: { readonly at: number; readonly value: Exact } | null
  readonly fields: readonly (Named & { readonly formula: Expression })[]
  /** null exactly if it is written in formulas. */
  readonly language: Named | null
  readonly script: Block | null
}
