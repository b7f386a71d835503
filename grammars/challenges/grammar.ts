import type { IToken } from 'chevrotain'
import { numeral, over, tokens as t, Unreadable } from '../formulas/index.ts'
import type { Exact, Expression } from '../formulas/index.ts'
import { lazily } from '../lazily.ts'
import { Generate, Planted } from './generators/tokens.ts'
import { PictureGrammar } from './pictures/grammar.ts'
import type {
  Block,
  ChallengeTree,
  Described,
  Goal,
  Judged,
  LeagueUse,
  Named,
  ReferenceTree,
  Section,
  SettingTree,
} from './tree.ts'
import type { GeneratorTree } from './tree.ts'
import * as w from './words.ts'

/** file = header { section } */
class ChallengeGrammar extends PictureGrammar {
  constructor() {
    super(w.vocabulary)
    this.performSelfAnalysis()
  }

  /** The start rule; as the last rule, it is the last one in the diagrams. */
  readonly file = this.RULE('file', (): ChallengeTree => {
    const sections: Section[] = []
    const header = this.SUBRULE(this.header)
    this.MANY(() => sections.push(this.SUBRULE(this.section)))
    return { ...header, sections }
  })

  /** header = "challenge" name title */
  readonly header = this.RULE('header', (): Omit<ChallengeTree, 'sections'> => {
    this.CONSUME(w.Challenge)
    const name = this.SUBRULE(this.hyphenated)
    const title = this.CONSUME(t.Text)
    return { name, title: t.textOf(title.image) }
  })

  readonly section = this.RULE('section', (): Section => {
    return this.OR([
      { ALT: () => this.SUBRULE(this.blockSection) },
      { ALT: () => this.SUBRULE(this.config) },
      { ALT: () => this.SUBRULE(this.set) },
      {
        ALT: (): Section => {
          const definition = this.SUBRULE(this.definition)
          return { kind: 'define', at: this.ACTION(() => definition.at), definition }
        },
      },
      {
        ALT: (): Section => {
          const { at, judged } = this.SUBRULE(this.judged)
          return { kind: judged, at, demands: this.SUBRULE(this.demands) }
        },
      },
      { ALT: () => this.SUBRULE(this.formulaSection) },
      { ALT: () => this.SUBRULE(this.goal) },
      { ALT: () => this.SUBRULE(this.property) },
      {
        ALT: (): Section => {
          const picture = this.SUBRULE(this.picture)
          return { kind: 'picture', at: this.ACTION(() => picture.at), picture }
        },
      },
      {
        ALT: (): Section => {
          const generator = this.SUBRULE(this.generator)
          return { kind: 'generate', at: this.ACTION(() => generator.at), generator }
        },
      },
      { ALT: () => this.SUBRULE(this.format) },
      { ALT: () => this.SUBRULE(this.league) },
      { ALT: () => this.SUBRULE(this.reference) },
      { ALT: () => this.SUBRULE(this.example) },
    ])
  })

  private readonly blockSection = this.RULE('blockSection', (): Section => {
    const word = this.OR([{ ALT: () => this.CONSUME(w.TextWord) }, { ALT: () => this.CONSUME(w.Dictionary) }])
    const kind = word.tokenType === w.Dictionary ? 'dictionary' : 'text'
    return { kind, at: this.place(word), block: this.SUBRULE(this.block) }
  })

  private readonly config = this.RULE('config', (): Section => {
    const at = this.place(this.CONSUME(w.Config))
    const settings: SettingTree[] = []
    this.CONSUME(t.LeftBrace)
    this.MANY(() => settings.push(this.SUBRULE(this.setting)))
    this.CONSUME(t.RightBrace)
    return { kind: 'config', at, settings }
  })

  private readonly set = this.RULE('set', (): Section => {
    const at = this.place(this.CONSUME(w.SetWord))
    const className = this.named(this.CONSUME(t.Name))
    this.CONSUME(t.Dot)
    return { kind: 'set', at, className, label: this.named(this.CONSUME(t.Word)) }
  })

  private readonly judged = this.RULE('judged', (): { at: number; judged: Judged } => {
    return this.OR([
      {
        ALT: (): { at: number; judged: Judged } => {
          const at = this.place(this.CONSUME(w.Legal))
          const what = this.OR2([{ ALT: () => this.CONSUME(w.Predicate) }, { ALT: () => this.CONSUME(w.Instance) }])
          return { at, judged: what.tokenType === w.Instance ? 'legal instance' : 'legal predicate' }
        },
      },
      {
        ALT: (): { at: number; judged: Judged } => {
          const at = this.place(this.CONSUME(w.Feasible))
          this.CONSUME(w.Solution)
          return { at, judged: 'feasible solution' }
        },
      },
    ])
  })

  private readonly formulaSection = this.RULE('formulaSection', (): Section => {
    const word = this.OR([
      { ALT: () => this.CONSUME(w.Measure) },
      { ALT: () => this.CONSUME(w.Bound) },
      { ALT: () => this.CONSUME(w.Belief) },
    ])
    this.CONSUME(t.Equal)
    const kind = word.tokenType === w.Bound ? 'bound' : word.tokenType === w.Belief ? 'belief' : 'measure'
    return { kind, at: this.place(word), formula: this.SUBRULE(this.expression) }
  })

  private readonly goal = this.RULE('goal', (): Section => {
    const at = this.place(this.CONSUME(w.GoalWord))
    this.CONSUME(t.Equal)
    const goal = this.OR([{ ALT: () => this.CONSUME(w.Max) }, { ALT: () => this.CONSUME(w.Min) }])
    return { kind: 'goal', at, goal: goal.image as Goal }
  })

  /** property = "property" ( "predicate" | "instance" | "solution" ) propertyRules */
  private readonly property = this.RULE('property', (): Section => {
    const at = this.place(this.CONSUME(w.Property))
    const subject = this.OR([
      { ALT: () => this.CONSUME(w.Predicate) },
      { ALT: () => this.CONSUME(w.Instance) },
      { ALT: () => this.CONSUME(w.Solution) },
    ])
    const rules = this.SUBRULE(this.propertyRules)
    return { kind: `property ${subject.image as Described}`, at, rules }
  })

  /**
   * generator = "generate" [ "(" setting { "," setting } ")" ]
   *             "{" { "let" name "=" expression ";" } "instance" "=" expression [ "planted" "=" expression ] "}"
   */
  private readonly generator = this.RULE('generator', (): GeneratorTree => {
    const at = this.place(this.CONSUME(Generate))
    const parameters: SettingTree[] = []
    const steps: { at: number; name: string; value: Expression }[] = []
    let planted: Expression | null = null
    this.OPTION(() => {
      this.CONSUME(t.LeftParen)
      this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => parameters.push(this.SUBRULE(this.setting)) })
      this.CONSUME(t.RightParen)
    })
    this.CONSUME(t.LeftBrace)
    this.MANY(() => {
      this.CONSUME(t.Let)
      const name = this.CONSUME(t.Name)
      this.CONSUME(t.Equal)
      steps.push({ ...this.named(name), value: this.SUBRULE(this.expression) })
      this.CONSUME(t.Semicolon)
    })
    this.CONSUME(w.Instance)
    this.CONSUME2(t.Equal)
    const instance = this.SUBRULE2(this.expression)
    this.OPTION2(() => {
      this.CONSUME(Planted)
      this.CONSUME3(t.Equal)
      planted = this.SUBRULE3(this.expression)
    })
    this.CONSUME(t.RightBrace)
    return { at, parameters, steps, instance, planted }
  })

  /** format = "format" name [ "best" ] */
  private readonly format = this.RULE('format', (): Section => {
    const at = this.place(this.CONSUME(w.Format))
    const name = this.SUBRULE(this.hyphenated)
    let best = false
    this.OPTION(() => {
      this.CONSUME(w.Best)
      best = true
    })
    return { kind: 'format', at, format: { ...name, best } }
  })

  /** league = "league" name title [ "secret" ] [ "(" setting ")" ] demands */
  private readonly league = this.RULE('league', (): Section => {
    const at = this.place(this.CONSUME(w.League))
    const name = this.SUBRULE(this.hyphenated)
    const title = this.CONSUME(t.Text)
    let secret = false
    let parameter: SettingTree | null = null
    this.OPTION(() => {
      this.CONSUME(w.Secret)
      secret = true
    })
    this.OPTION2(() => {
      this.CONSUME(t.LeftParen)
      parameter = this.SUBRULE(this.setting)
      this.CONSUME(t.RightParen)
    })
    const demands = this.SUBRULE(this.demands)
    return { kind: 'league', at, league: { ...name, title: t.textOf(title.image), secret, parameter, demands } }
  })

  /** reference = "reference" title kind [ number ] ( "{" { field "=" expression } "}" | language block ) */
  private readonly reference = this.RULE('reference', (): Section => {
    const at = this.place(this.CONSUME(w.Reference))
    const title = this.CONSUME(t.Text)
    const kind = this.named(this.CONSUME(t.Word))
    const fields: ReferenceTree['fields'][number][] = []
    let share: ReferenceTree['share'] = null
    let language: Named | null = null
    let script: Block | null = null
    this.OPTION(() => {
      const place = this.place(this.LA(1))
      share = { at: place, value: this.SUBRULE(this.number) }
    })
    this.OR([
      {
        ALT: () => {
          this.CONSUME(t.LeftBrace)
          this.MANY(() => {
            const field = this.named(this.CONSUME(t.Name))
            this.CONSUME(t.Equal)
            fields.push({ ...field, formula: this.SUBRULE(this.expression) })
          })
          this.CONSUME(t.RightBrace)
        },
      },
      {
        ALT: () => {
          language = this.named(this.CONSUME2(t.Word))
          script = this.SUBRULE(this.block)
        },
      },
    ])
    return {
      kind: 'reference',
      at,
      reference: { at, name: t.textOf(title.image), kind, share, fields, language, script },
    }
  })

  private readonly example = this.RULE('example', (): Section => {
    const at = this.place(this.CONSUME(w.Example))
    const name = this.CONSUME(t.Text)
    let refused = false
    const leagues: LeagueUse[] = []
    let instance: Block | null = null
    let solution: Block | null = null
    let quality: { at: number; value: Exact } | null = null
    let because: { at: number; text: string } | null = null
    this.OPTION(() => {
      this.CONSUME(w.Refused)
      refused = true
    })
    this.CONSUME(t.LeftBrace)
    const config = this.SUBRULE(this.exampleConfig)
    const predicate = this.SUBRULE(this.examplePredicate)
    this.MANY(() => leagues.push(this.SUBRULE(this.leagueUse)))
    this.OPTION2(() => {
      this.CONSUME(w.Instance)
      instance = this.SUBRULE(this.block)
    })
    this.OPTION3(() => {
      this.CONSUME(w.Solution)
      solution = this.SUBRULE2(this.block)
    })
    this.OPTION4(() => {
      const place = this.place(this.CONSUME(w.Quality))
      this.CONSUME2(t.Equal)
      quality = { at: place, value: this.SUBRULE(this.number) }
    })
    this.OPTION5(() => {
      const token = this.CONSUME(w.Because)
      const text = this.CONSUME2(t.Text)
      because = { at: this.place(token), text: t.textOf(text.image) }
    })
    this.CONSUME(t.RightBrace)
    const parts = { predicate, leagues, instance, solution, quality, because }
    return { kind: 'example', at, example: { at, name: t.textOf(name.image), refused, config, ...parts } }
  })

  /** exampleConfig = [ "config" "{" { name "=" number } "}" ] */
  private readonly exampleConfig = this.RULE('exampleConfig', () => {
    const config: { at: number; name: string; value: Exact }[] = []
    this.OPTION(() => {
      this.CONSUME(w.Config)
      this.CONSUME(t.LeftBrace)
      this.MANY(() => {
        const setting = this.CONSUME(t.Name)
        this.CONSUME(t.Equal)
        config.push({ ...this.named(setting), value: this.SUBRULE(this.number) })
      })
      this.CONSUME(t.RightBrace)
    })
    return config
  })

  private readonly examplePredicate = this.RULE('examplePredicate', (): Block | null => {
    let predicate: Block | null = null
    this.OPTION(() => {
      this.CONSUME(w.Predicate)
      predicate = this.SUBRULE(this.block)
    })
    return predicate
  })

  /** leagueUse = "league" name [ "(" number ")" ] */
  private readonly leagueUse = this.RULE('leagueUse', (): LeagueUse => {
    this.CONSUME(w.League)
    const name = this.SUBRULE(this.hyphenated)
    let value: Exact | null = null
    this.OPTION(() => {
      this.CONSUME(t.LeftParen)
      value = this.SUBRULE(this.number)
      this.CONSUME(t.RightParen)
    })
    return { ...name, value }
  })

  /** setting = name "=" number "in" number ".." number */
  private readonly setting = this.RULE('setting', (): SettingTree => {
    const name = this.CONSUME(t.Name)
    this.CONSUME(t.Equal)
    const standard = this.SUBRULE(this.number)
    this.CONSUME(t.In)
    const low = this.SUBRULE2(this.number)
    this.CONSUME(t.Dots)
    const high = this.SUBRULE3(this.number)
    return { ...this.named(name), standard, low, high }
  })

  /** hyphenated = word { "-" ( word | number ) } */
  private readonly hyphenated = this.RULE('hyphenated', (): Named => {
    const first = this.CONSUME(t.Word)
    let name = first.image
    this.MANY(() => {
      this.CONSUME(t.Minus)
      const next = this.OR([{ ALT: () => this.CONSUME2(t.Word) }, { ALT: () => this.CONSUME(t.Numeral) }])
      name += `-${next.image}`
    })
    return { at: this.place(first), name }
  })

  /** number = [ "-" ] numeral [ "/" numeral ] */
  private readonly number = this.RULE('number', (): Exact => {
    let negative = false
    let denominator: IToken | null = null
    this.OPTION(() => {
      this.CONSUME(t.Minus)
      negative = true
    })
    const numerator = this.CONSUME(t.Numeral)
    this.OPTION2(() => {
      this.CONSUME(t.Over)
      denominator = this.CONSUME2(t.Numeral)
    })
    return this.ACTION(() => {
      const a = numeral((negative ? '-' : '') + numerator.image)
      const b = numeral(denominator === null ? '1' : denominator.image)
      if (a === null || b === null) throw new Unreadable(this.place(numerator), 'This number is too long.')
      if (b === 0) throw new Unreadable(this.place(numerator), 'Division by 0.')
      return over(a, b)
    })
  })

  private readonly block = this.RULE('block', (): Block => {
    const token = this.CONSUME(w.BlockToken)
    return { at: this.place(token) + 2, source: token.image.slice(2, -2) }
  })

  private named(token: IToken): Named {
    return { at: this.place(token), name: token.image }
  }

  /** Starts another text or another part of a text. */
  override begin(tokens: IToken[]): void {
    super.begin(tokens, 0)
  }
}

export const grammar = lazily(() => new ChallengeGrammar())
