import type { Exact } from '../numbers/exact.ts'

/** The syntax tree of a formula. `at`: the offset of its beginning in the text. */
export type Expression =
  | { readonly kind: 'number'; readonly at: number; readonly value: Exact }
  | { readonly kind: 'boolean'; readonly at: number; readonly value: boolean }
  | { readonly kind: 'text'; readonly at: number; readonly value: string }
  | { readonly kind: 'name'; readonly at: number; readonly name: string }
  | { readonly kind: 'field'; readonly at: number; readonly of: Expression; readonly label: string }
  | { readonly kind: 'element'; readonly at: number; readonly of: Expression; readonly index: Expression }
  | { readonly kind: 'call'; readonly at: number; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'prefix'; readonly at: number; readonly operator: '-' | 'not'; readonly of: Expression }
  | Binary
  | Chain
  | { readonly kind: 'list'; readonly at: number; readonly elements: readonly Expression[] }
  | Gather
  | If
  | Let
  | Match

export interface Binary {
  readonly kind: 'binary'
  readonly at: number
  readonly operator: Operator
  readonly left: Expression
  readonly right: Expression
}

/** `a <= b < c`: each operand but the first and the last is compared twice. `at`: the first comparison. */
export interface Chain {
  readonly kind: 'chain'
  readonly at: number
  readonly operands: readonly Expression[]
  /** One fewer than operands, all `<` and `<=`, or all `>` and `>=`. */
  readonly operators: readonly { readonly operator: ChainOperator; readonly at: number }[]
}

export type ChainOperator = '<' | '<=' | '>' | '>='

export type Operator =
  | ('or' | 'and' | '=' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in' | 'subset')
  | ('..' | '+' | '-' | '*' | '/' | 'div' | 'mod')

/** `name(body for ...)`, or `[body for ...]`, whose name is "list". */
export interface Gather {
  readonly kind: 'gather'
  readonly at: number
  readonly name: string
  readonly body: Expression
  /** `from name: type = value`, of `fold`. */
  readonly start: Start | null
  readonly loops: readonly Loop[]
}

/** The value with which a fold begins. `type` null: that of the value. */
export interface Start {
  readonly at: number
  readonly name: string
  readonly type: TypeName | null
  readonly value: Expression
}

/** `for variable at index in source where filter` */
export interface Loop {
  readonly at: number
  readonly variable: string
  readonly index: string | null
  readonly source: Expression
  readonly filter: Expression | null
}

export interface If {
  readonly kind: 'if'
  readonly at: number
  readonly condition: Expression
  readonly yes: Expression
  readonly no: Expression
}

/** `let name = value; body` */
export interface Let {
  readonly kind: 'let'
  readonly at: number
  readonly name: string
  readonly value: Expression
  readonly body: Expression
}

/** `match subject { Alternative variable: body, else: body }` */
export interface Match {
  readonly kind: 'match'
  readonly at: number
  readonly subject: Expression
  readonly cases: readonly Case[]
}

/** `alternative` null: the `else` case. */
export interface Case {
  readonly at: number
  readonly alternative: string | null
  readonly variable: string | null
  readonly body: Expression
}

/** `int`, a class of the dictionary, `list of ...`, `option of ...`. */
export type TypeName =
  | { readonly kind: 'named'; readonly at: number; readonly name: string }
  | { readonly kind: 'list' | 'option'; readonly at: number; readonly of: TypeName }

/** `define name(parameter: type, ...): result = body`; `result` null: that of the body. */
export interface Definition {
  readonly at: number
  readonly name: string
  readonly parameters: readonly { readonly at: number; readonly name: string; readonly type: TypeName }[]
  readonly result: TypeName | null
  readonly body: Expression
}

/** A demand of legality or feasibility: `require condition else "sentence"`, or a loop with demands. */
export type Demand =
  | {
      readonly kind: 'require'
      readonly at: number
      readonly condition: Expression
      /** The text as written, with quotes: parts in `{ }` are formulas. */
      readonly sentence: { readonly at: number; readonly image: string }
    }
  | { readonly kind: 'each'; readonly at: number; readonly loop: Loop; readonly demands: readonly Demand[] }
