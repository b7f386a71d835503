import { createToken, Lexer } from 'chevrotain'
import type { IToken } from 'chevrotain'
import { badTokens, FormulaGrammar, numeral, over, syntaxFault, tokens as t, Unreadable } from '../formulas/index.ts'
import type { Exact, Fault } from '../formulas/index.ts'
import type { Block, ChallengeTree, ExampleTree, Goal, Judged, Named, Section, SettingTree } from './tree.ts'

const BlockToken = createToken({
  name: 'Block',
  label: 'a block {{ ... }}',
  pattern: /\{\{[^}]*(?:\}[^}]+)*\}\}/,
  line_breaks: true,
})
/** A block without an end, with all that follows. */
const BadBlock = createToken({ name: 'BadBlock', pattern: /\{\{[^]*/, line_breaks: true })
const Challenge = t.word('challenge')
const TextWord = t.word('text')
const Config = t.word('config')
const Dictionary = t.word('dictionary')
const SetWord = t.word('set')
const Legal = t.word('legal')
const Feasible = t.word('feasible')
const Predicate = t.word('predicate')
const Instance = t.word('instance')
const Solution = t.word('solution')
const Measure = t.word('measure')
const GoalWord = t.word('goal')
const Max = t.word('max')
const Min = t.word('min')
const Bound = t.word('bound')
const Example = t.word('example')
const Quality = t.word('quality')

const words = [Challenge, TextWord, Config, Dictionary, SetWord, Legal, Feasible, Predicate, Instance, Solution]
const more = [Measure, GoalWord, Max, Min, Bound, Example, Quality]
// Words first: "instance" must be tried before "in".
const vocabulary = [BlockToken, BadBlock, ...words, ...more, ...t.formulaTokens, ...t.lastTokens]

/** file = "challenge" name title { section } */
class ChallengeGrammar extends FormulaGrammar {
  constructor() {
    super(vocabulary)
    this.performSelfAnalysis()
  }

  read(tokens: IToken[]): ChallengeTree {
    this.begin(tokens, 0)
    return this.file()
  }

  private readonly file = this.RULE('file', (): ChallengeTree => {
    const sections: Section[] = []
    this.CONSUME(Challenge)
    const name = this.SUBRULE(this.challengeName)
    const title = this.CONSUME(t.Text)
    this.MANY(() => sections.push(this.SUBRULE(this.section)))
    return { name, title: t.textOf(title.image), sections }
  })

  /** challengeName = word { "-" ( word | number ) } */
  private readonly challengeName = this.RULE('challengeName', (): Named => {
    const first = this.CONSUME(t.Word)
    let name = first.image
    this.MANY(() => {
      this.CONSUME(t.Minus)
      const next = this.OR([{ ALT: () => this.CONSUME2(t.Word) }, { ALT: () => this.CONSUME(t.Numeral) }])
      name += `-${next.image}`
    })
    return { at: this.place(first), name }
  })

  private readonly section = this.RULE('section', (): Section => {
    return this.OR([
      {
        ALT: (): Section => {
          const at = this.place(this.CONSUME(TextWord))
          return { kind: 'text', at, block: this.SUBRULE(this.block) }
        },
      },
      {
        ALT: (): Section => {
          const at = this.place(this.CONSUME(Dictionary))
          return { kind: 'dictionary', at, block: this.SUBRULE2(this.block) }
        },
      },
      {
        ALT: (): Section => {
          const at = this.place(this.CONSUME(Config))
          const settings: SettingTree[] = []
          this.CONSUME(t.LeftBrace)
          this.MANY(() => settings.push(this.SUBRULE(this.setting)))
          this.CONSUME(t.RightBrace)
          return { kind: 'config', at, settings }
        },
      },
      {
        ALT: (): Section => {
          const at = this.place(this.CONSUME(SetWord))
          const className = this.named(this.CONSUME(t.Name))
          this.CONSUME(t.Dot)
          return { kind: 'set', at, className, label: this.named(this.CONSUME(t.Word)) }
        },
      },
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
      {
        ALT: (): Section => {
          const word = this.OR2([{ ALT: () => this.CONSUME(Measure) }, { ALT: () => this.CONSUME(Bound) }])
          this.CONSUME(t.Equal)
          const kind = word.tokenType === Bound ? 'bound' : 'measure'
          return { kind, at: this.place(word), formula: this.SUBRULE(this.expression) }
        },
      },
      {
        ALT: (): Section => {
          const at = this.place(this.CONSUME(GoalWord))
          this.CONSUME2(t.Equal)
          const goal = this.OR3([{ ALT: () => this.CONSUME(Max) }, { ALT: () => this.CONSUME(Min) }])
          return { kind: 'goal', at, goal: goal.image as Goal }
        },
      },
      { ALT: () => this.SUBRULE(this.example) },
    ])
  })

  private readonly judged = this.RULE('judged', (): { at: number; judged: Judged } => {
    return this.OR([
      {
        ALT: (): { at: number; judged: Judged } => {
          const at = this.place(this.CONSUME(Legal))
          const what = this.OR2([{ ALT: () => this.CONSUME(Predicate) }, { ALT: () => this.CONSUME(Instance) }])
          return { at, judged: what.tokenType === Instance ? 'legal instance' : 'legal predicate' }
        },
      },
      {
        ALT: (): { at: number; judged: Judged } => {
          const at = this.place(this.CONSUME(Feasible))
          this.CONSUME(Solution)
          return { at, judged: 'feasible solution' }
        },
      },
    ])
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
    const token = this.CONSUME(BlockToken)
    return { at: this.place(token) + 2, source: token.image.slice(2, -2) }
  })

  private readonly example = this.RULE('example', (): Section => {
    const at = this.place(this.CONSUME(Example))
    const name = this.CONSUME(t.Text)
    const config: { at: number; name: string; value: Exact }[] = []
    this.CONSUME(t.LeftBrace)
    this.OPTION(() => {
      this.CONSUME(Config)
      this.CONSUME2(t.LeftBrace)
      this.MANY(() => {
        const setting = this.CONSUME(t.Name)
        this.CONSUME(t.Equal)
        config.push({ ...this.named(setting), value: this.SUBRULE(this.number) })
      })
      this.CONSUME(t.RightBrace)
    })
    this.CONSUME(Predicate)
    const predicate = this.SUBRULE(this.block)
    this.CONSUME(Instance)
    const instance = this.SUBRULE2(this.block)
    this.CONSUME(Solution)
    const solution = this.SUBRULE3(this.block)
    const qualityAt = this.place(this.CONSUME(Quality))
    this.CONSUME2(t.Equal)
    const quality = { at: qualityAt, value: this.SUBRULE2(this.number) }
    this.CONSUME2(t.RightBrace)
    const example: ExampleTree = { at, name: t.textOf(name.image), config, predicate, instance, solution, quality }
    return { kind: 'example', at, example }
  })

  private named(token: IToken): Named {
    return { at: this.place(token), name: token.image }
  }
}

const lexer = new Lexer(vocabulary, { positionTracking: 'onlyOffset' })
const grammar = new ChallengeGrammar()

/** Reads the text of a .challenge file, or says what keeps it from being one. */
export function parseChallenge(source: string): ChallengeTree | readonly Fault[] {
  const { tokens } = lexer.tokenize(source)
  const open = tokens.find(({ tokenType, image }) => {
    return tokenType === BadBlock || (tokenType === BlockToken && image.includes('{{', 2))
  })
  if (open) return [{ at: open.startOffset, message: 'This block {{ is not closed by }}.' }]
  const bad = badTokens(tokens, 0)
  if (bad.length > 0) return bad
  try {
    const tree = grammar.read(tokens)
    return grammar.errors.length > 0 ? grammar.errors.map((error) => syntaxFault(error, 0, source.length)) : tree
  } catch (error) {
    if (error instanceof Unreadable) return [{ at: error.at, message: error.message }]
    throw error
  }
}
