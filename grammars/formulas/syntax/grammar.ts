import { EmbeddedActionsParser } from 'chevrotain'
import type { IToken, TokenType, TokenVocabulary } from 'chevrotain'
import { proven } from '../../proven.ts'
import { numeral } from '../numbers/exact.ts'
import { climb } from './precedence.ts'
import type { PrefixedOperand } from './precedence.ts'
import * as t from './tokens.ts'
import type { Case, Definition, Demand, Expression, Loop, Operator, Start, TypeName } from './tree.ts'
import { errorMessages, tooDeep, Unreadable } from './syntax-errors.ts'

/**
 * Maximum nesting of brackets, ifs, lets and matches: far more than any formula needs, far less than the stack allows.
 */
const DEEPEST = 60

/** The contents of brackets: a body with loops, or elements. */
interface Inside {
  readonly args: readonly Expression[]
  readonly start: Start | null
  readonly loops: readonly Loop[]
}

function gatherOf(name: string, at: number, { args: [body], start, loops }: Inside): Expression | null {
  return body && loops.length > 0 ? { kind: 'gather', at, name, body, start, loops } : null
}

/**
 * The rules of formulas, definitions and demands. Offsets in the trees are token offsets plus `base`, so that a formula
 * inside a sentence has its offset in the whole file. A parser of a larger language extends this one.
 */
export abstract class FormulaGrammar extends EmbeddedActionsParser {
  protected base = 0
  private depth = 0

  constructor(vocabulary: TokenVocabulary) {
    super(vocabulary, { ...proven, recoveryEnabled: false, maxLookahead: 2, errorMessageProvider: errorMessages })
  }

  /** Starts a new text. */
  protected begin(tokens: IToken[], base: number): void {
    this.base = base
    this.depth = 0
    this.input = tokens
  }

  /** expression = { prefix } operand { operator { prefix } operand } */
  readonly expression = this.RULE('expression', (): Expression => {
    this.ACTION(() => this.enter())
    const operands: PrefixedOperand[] = [this.SUBRULE(this.prefixed)]
    const operators: { readonly operator: Operator; readonly at: number }[] = []
    this.MANY(() => {
      operators.push(this.SUBRULE(this.operator))
      operands.push(this.SUBRULE2(this.prefixed))
    })
    return this.ACTION(() => {
      this.leave()
      return climb(operands, operators)
    })
  })

  private readonly prefixed = this.RULE('prefixed', (): PrefixedOperand => {
    const prefixes: { readonly operator: '-' | 'not'; readonly at: number }[] = []
    this.MANY(() => {
      const token = this.OR([{ ALT: () => this.CONSUME(t.Minus) }, { ALT: () => this.CONSUME(t.Not) }])
      prefixes.push({ operator: token.tokenType === t.Minus ? '-' : 'not', at: this.place(token) })
    })
    return { prefixes, of: this.SUBRULE(this.postfixed) }
  })

  /** operand = { prefix } primary { "." label | "[" expression "]" }: a formula that needs no parentheses around it. */
  protected readonly operand = this.RULE('operand', (): Expression => {
    const operand = this.SUBRULE(this.prefixed)
    return this.ACTION(() => climb([operand], []))
  })

  private readonly operator = this.RULE('operator', (): { readonly operator: Operator; readonly at: number } => {
    const single = (type: TokenType) => ({
      ALT: () => {
        const token = this.CONSUME(type)
        return { operator: token.image as Operator, at: this.place(token) }
      },
    })
    return this.OR([
      ...[t.Or, t.And, t.Equal, t.Unequal, t.Less, t.AtMost, t.Greater, t.AtLeast, t.In, t.Subset].map(single),
      ...[t.Dots, t.Plus, t.Minus, t.Times, t.Over, t.Div, t.Mod].map(single),
      {
        ALT: () => {
          const at = this.place(this.CONSUME(t.Not))
          this.CONSUME2(t.In)
          return { operator: 'not in' as const, at }
        },
      },
    ])
  })

  /** postfixed = primary { "." label | "[" expression { "," expression } "]" } */
  private readonly postfixed = this.RULE('postfixed', (): Expression => {
    let tree = this.SUBRULE(this.primary)
    this.MANY(() => {
      this.OR([
        {
          ALT: () => {
            this.CONSUME(t.Dot)
            const label = this.CONSUME(t.Word)
            tree = { kind: 'field', at: this.place(label), of: tree, label: label.image }
          },
        },
        {
          ALT: () => {
            const bracket = this.CONSUME(t.LeftBracket)
            const at = this.place(bracket)
            // `table[i, j]` is `table[i][j]`.
            this.AT_LEAST_ONE_SEP({
              SEP: t.Comma,
              DEF: () => {
                tree = { kind: 'element', at, of: tree, index: this.SUBRULE(this.expression) }
              },
            })
            this.CONSUME(t.RightBracket)
          },
        },
      ])
    })
    return tree
  })

  private readonly primary = this.RULE('primary', (): Expression => {
    return this.OR([
      {
        ALT: (): Expression => {
          const token = this.CONSUME(t.Numeral)
          return this.ACTION((): Expression => {
            const value = numeral(token.image)
            if (value === null) throw new Unreadable(this.place(token), 'This number is too long.')
            return { kind: 'number', at: this.place(token), value }
          })
        },
      },
      {
        ALT: (): Expression => {
          const token = this.CONSUME(t.Text)
          return this.ACTION(() => ({ kind: 'text', at: this.place(token), value: t.textOf(token.image) }))
        },
      },
      { ALT: (): Expression => ({ kind: 'boolean', at: this.place(this.CONSUME(t.True)), value: true }) },
      { ALT: (): Expression => ({ kind: 'boolean', at: this.place(this.CONSUME(t.False)), value: false }) },
      {
        ALT: (): Expression => {
          this.CONSUME(t.LeftParen)
          const tree = this.SUBRULE(this.expression)
          this.CONSUME(t.RightParen)
          return tree
        },
      },
      {
        ALT: (): Expression => {
          const at = this.place(this.CONSUME(t.LeftBracket))
          const inside = this.SUBRULE(this.inside)
          this.CONSUME(t.RightBracket)
          return this.ACTION(() => gatherOf('list', at, inside) ?? { kind: 'list', at, elements: inside.args })
        },
      },
      { ALT: () => this.SUBRULE(this.ifThenElse) },
      { ALT: () => this.SUBRULE(this.letIn) },
      { ALT: () => this.SUBRULE(this.match) },
      { ALT: () => this.SUBRULE(this.nameOrCall) },
    ])
  })

  private readonly nameOrCall = this.RULE('nameOrCall', (): Expression => {
    const token = this.CONSUME(t.Name)
    const at = this.place(token)
    let tree: Expression = { kind: 'name', at, name: token.image }
    this.OPTION(() => {
      this.CONSUME(t.LeftParen)
      const inside = this.SUBRULE(this.inside)
      this.CONSUME(t.RightParen)
      tree = this.ACTION(() => {
        return gatherOf(token.image, at, inside) ?? { kind: 'call', at, name: token.image, args: inside.args }
      })
    })
    return tree
  })

  /** inside = [ expression ( [ start ] loop { loop } | { "," expression } ) ] */
  private readonly inside = this.RULE('inside', (): Inside => {
    const args: Expression[] = []
    const loops: Loop[] = []
    let start: Start | null = null
    this.OPTION(() => {
      args.push(this.SUBRULE(this.expression))
      this.OR([
        {
          ALT: () => {
            this.OPTION2(() => (start = this.SUBRULE(this.start)))
            this.AT_LEAST_ONE(() => loops.push(this.SUBRULE(this.loop)))
          },
        },
        {
          ALT: () =>
            this.MANY(() => {
              this.CONSUME(t.Comma)
              args.push(this.SUBRULE2(this.expression))
            }),
        },
      ])
    })
    return { args, start, loops }
  })

  /** start = "from" name [ ":" type ] "=" expression */
  private readonly start = this.RULE('start', (): Start => {
    this.CONSUME(t.From)
    const name = this.CONSUME(t.Name)
    let type: TypeName | null = null
    this.OPTION(() => {
      this.CONSUME(t.Colon)
      type = this.SUBRULE(this.typeName)
    })
    this.CONSUME(t.Equal)
    return { at: this.place(name), name: name.image, type, value: this.SUBRULE(this.expression) }
  })

  /** loop = "for" name [ "at" name ] "in" expression [ "where" expression ] */
  protected readonly loop = this.RULE('loop', (): Loop => {
    const at = this.place(this.CONSUME(t.For))
    const variable = this.CONSUME(t.Name).image
    let index: string | null = null
    this.OPTION(() => {
      this.CONSUME(t.At)
      index = this.CONSUME2(t.Name).image
    })
    this.CONSUME(t.In)
    const source = this.SUBRULE(this.expression)
    let filter: Expression | null = null
    this.OPTION2(() => {
      this.CONSUME(t.Where)
      filter = this.SUBRULE2(this.expression)
    })
    return { at, variable, index, source, filter }
  })

  private readonly ifThenElse = this.RULE('ifThenElse', (): Expression => {
    const at = this.place(this.CONSUME(t.If))
    const condition = this.SUBRULE(this.expression)
    this.CONSUME(t.Then)
    const yes = this.SUBRULE2(this.expression)
    this.CONSUME(t.Else)
    const no = this.SUBRULE3(this.expression)
    return { kind: 'if', at, condition, yes, no }
  })

  private readonly letIn = this.RULE('letIn', (): Expression => {
    this.CONSUME(t.Let)
    const name = this.CONSUME(t.Name)
    this.CONSUME(t.Equal)
    const value = this.SUBRULE(this.expression)
    this.CONSUME(t.Semicolon)
    const body = this.SUBRULE2(this.expression)
    return { kind: 'let', at: this.place(name), name: name.image, value, body }
  })

  private readonly match = this.RULE('match', (): Expression => {
    const at = this.place(this.CONSUME(t.Match))
    const subject = this.SUBRULE(this.expression)
    const cases: Case[] = []
    this.CONSUME(t.LeftBrace)
    this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => cases.push(this.SUBRULE(this.oneCase)) })
    this.CONSUME(t.RightBrace)
    return { kind: 'match', at, subject, cases }
  })

  private readonly oneCase = this.RULE('oneCase', (): Case => {
    let variable: string | null = null
    const token = this.OR([
      { ALT: () => this.CONSUME(t.Else) },
      {
        ALT: () => {
          const alternative = this.CONSUME(t.Name)
          this.OPTION(() => {
            variable = this.CONSUME2(t.Name).image
          })
          return alternative
        },
      },
    ])
    this.CONSUME(t.Colon)
    const body = this.SUBRULE(this.expression)
    const alternative = token.tokenType === t.Else ? null : token.image
    return { at: this.place(token), alternative, variable, body }
  })

  /** definition = "define" name "(" [ name ":" type { "," name ":" type } ] ")" [ ":" type ] "=" expression */
  protected readonly definition = this.RULE('definition', (): Definition => {
    this.CONSUME(t.Define)
    const name = this.CONSUME(t.Name)
    const parameters: { at: number; name: string; type: TypeName }[] = []
    this.CONSUME(t.LeftParen)
    this.MANY_SEP({
      SEP: t.Comma,
      DEF: () => {
        const parameter = this.CONSUME2(t.Name)
        this.CONSUME(t.Colon)
        const type = this.SUBRULE(this.typeName)
        parameters.push({ at: this.place(parameter), name: parameter.image, type })
      },
    })
    this.CONSUME(t.RightParen)
    let result: TypeName | null = null
    this.OPTION(() => {
      this.CONSUME2(t.Colon)
      result = this.SUBRULE2(this.typeName)
    })
    this.CONSUME(t.Equal)
    const body = this.SUBRULE(this.expression)
    return { at: this.place(name), name: name.image, parameters, result, body }
  })

  /** typeName = { ( "list" | "option" ) "of" } name */
  private readonly typeName = this.RULE('typeName', (): TypeName => {
    const wrappers: IToken[] = []
    this.MANY(() => {
      wrappers.push(this.OR([{ ALT: () => this.CONSUME(t.List) }, { ALT: () => this.CONSUME(t.Option) }]))
      this.CONSUME(t.Of)
    })
    const token = this.CONSUME(t.Name)
    return this.ACTION(() => {
      const named: TypeName = { kind: 'named', at: this.place(token), name: token.image }
      if (wrappers.length > 10) throw tooDeep(this.place(token))
      return wrappers.reduceRight<TypeName>((of, wrapper) => {
        return { kind: wrapper.tokenType === t.List ? 'list' : 'option', at: this.place(wrapper), of }
      }, named)
    })
  })

  /** demands = "{" { "require" expression "else" text | loop demands } "}" */
  protected readonly demands = this.RULE('demands', (): Demand[] => {
    const demands: Demand[] = []
    this.ACTION(() => this.enter())
    this.CONSUME(t.LeftBrace)
    this.MANY(() => {
      this.OR([
        {
          ALT: () => {
            const at = this.place(this.CONSUME(t.Require))
            const condition = this.SUBRULE(this.expression)
            this.CONSUME(t.Else)
            const text = this.CONSUME(t.Text)
            demands.push({ kind: 'require', at, condition, sentence: { at: this.place(text), image: text.image } })
          },
        },
        {
          ALT: () => {
            const loop = this.SUBRULE(this.loop)
            demands.push({ kind: 'each', at: loop.at, loop, demands: this.SUBRULE(this.demands) })
          },
        },
      ])
    })
    this.CONSUME(t.RightBrace)
    return this.ACTION(() => {
      this.leave()
      return demands
    })
  })

  protected place(token: IToken): number {
    return this.base + token.startOffset
  }

  /** Enters a level of nesting; throws Unreadable if there are too many. */
  protected enter(): void {
    if (++this.depth > DEEPEST) throw tooDeep(this.base + this.LA(1).startOffset)
  }

  protected leave(): void {
    this.depth--
  }
}
