import { FormulaGrammar, tokens as t } from '../formulas/index.ts'
import type { Expression } from '../formulas/index.ts'
import { Choose, Distinct, Element, Enum, Length, Matches, Range } from './tokens.ts'
import type { ConstraintTree, RuleTree, WeightTree } from './tree.ts'

/** The rules of the `property` sections (section 9 of the spec). A parser of a larger language extends this one. */
export abstract class PropertyGrammar extends FormulaGrammar {
  /** propertyRules = "{" { propertyRule } "}" */
  protected readonly propertyRules = this.RULE('propertyRules', (): RuleTree[] => {
    const rules: RuleTree[] = []
    this.CONSUME(t.LeftBrace)
    this.MANY(() => rules.push(this.SUBRULE(this.propertyRule)))
    this.CONSUME(t.RightBrace)
    return rules
  })

  /** propertyRule = Class [ "." label ] ":" constraint { "," constraint } */
  private readonly propertyRule = this.RULE('propertyRule', (): RuleTree => {
    const className = this.CONSUME(t.Name)
    let label: RuleTree['label'] = null
    const constraints: ConstraintTree[] = []
    this.OPTION(() => {
      this.CONSUME(t.Dot)
      const token = this.CONSUME(t.Word)
      label = { at: this.place(token), name: token.image }
    })
    this.CONSUME(t.Colon)
    this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => constraints.push(this.SUBRULE(this.constraint)) })
    return { at: this.place(className), className: className.image, label, constraints }
  })

  /**
   * constraint = "range" end end | ( "in" | "subset" | "enum" ) list | "distinct" | ( "length" | "element" ) constraint
   *   | "matches" text | "choose" "{" weight { "," weight } "}" | "where" expression | expression
   */
  private readonly constraint = this.RULE('constraint', (): ConstraintTree => {
    return this.OR([
      {
        ALT: (): ConstraintTree => {
          const at = this.place(this.CONSUME(Range))
          const low = this.SUBRULE(this.rangeEnd)
          return { kind: 'range', at, low, high: this.SUBRULE2(this.rangeEnd) }
        },
      },
      {
        ALT: (): ConstraintTree => {
          const at = this.place(this.CONSUME(Enum))
          return { kind: 'enum', at, list: this.SUBRULE(this.expression) }
        },
      },
      {
        ALT: (): ConstraintTree => {
          const at = this.place(this.CONSUME(t.In))
          return { kind: 'in', at, list: this.SUBRULE2(this.expression) }
        },
      },
      {
        ALT: (): ConstraintTree => {
          const at = this.place(this.CONSUME(t.Subset))
          return { kind: 'subset', at, list: this.SUBRULE3(this.expression) }
        },
      },
      { ALT: (): ConstraintTree => ({ kind: 'distinct', at: this.place(this.CONSUME(Distinct)) }) },
      {
        // `length(` is the function of formulas.
        GATE: () => this.LA(2).tokenType !== t.LeftParen,
        ALT: (): ConstraintTree => {
          const at = this.place(this.CONSUME(Length))
          return { kind: 'length', at, of: this.SUBRULE(this.inner) }
        },
      },
      {
        ALT: (): ConstraintTree => {
          const at = this.place(this.CONSUME(Element))
          return { kind: 'element', at, of: this.SUBRULE2(this.inner) }
        },
      },
      {
        ALT: (): ConstraintTree => {
          this.CONSUME(Matches)
          const text = this.CONSUME(t.Text)
          return { kind: 'matches', at: this.place(text), image: text.image }
        },
      },
      {
        ALT: (): ConstraintTree => {
          const at = this.place(this.CONSUME(Choose))
          const weights: WeightTree[] = []
          this.CONSUME(t.LeftBrace)
          this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => weights.push(this.SUBRULE(this.weight)) })
          this.CONSUME(t.RightBrace)
          return { kind: 'choose', at, weights }
        },
      },
      {
        ALT: (): ConstraintTree => {
          const at = this.place(this.CONSUME(t.Where))
          return { kind: 'where', at, formula: this.SUBRULE5(this.expression) }
        },
      },
      {
        // Names of functions may be words of this language, so the alternatives of the words come first.
        IGNORE_AMBIGUITIES: true,
        ALT: (): ConstraintTree => {
          const formula = this.SUBRULE4(this.expression)
          return { kind: 'single', at: this.ACTION(() => formula.at), formula }
        },
      },
    ])
  })

  /** The constraint of a length or of elements; its depth is counted, because "element" may be repeated. */
  private readonly inner = this.RULE('inner', (): ConstraintTree => {
    this.ACTION(() => this.enter())
    const of = this.SUBRULE(this.constraint)
    return this.ACTION(() => {
      this.leave()
      return of
    })
  })

  /** weight = Alternative ":" numeral */
  private readonly weight = this.RULE('weight', (): WeightTree => {
    const name = this.CONSUME(t.Name)
    this.CONSUME(t.Colon)
    return { at: this.place(name), name: name.image, weight: this.CONSUME(t.Numeral).image }
  })

  /** One end of a range: an expression with operators needs parentheses. */
  private readonly rangeEnd = this.RULE('rangeEnd', (): Expression => this.SUBRULE(this.operand))
}
