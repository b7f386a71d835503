import type { IToken, ParserMethod } from 'chevrotain'
import { lazily } from '../../lazily.ts'
import { CommonGrammar } from './common-grammar.ts'
import type {
  Code,
  Definition,
  FieldPart,
  Flag,
  Include,
  NameDef,
  OptionalPart,
  Part,
  QualifiedName,
  Repetition,
  SyntaxPart,
  TypeUse,
} from '../model.ts'
import * as o from './older-tokens.ts'
import type { Source } from '../source.ts'
import { decodeText } from './text.ts'
import * as t from './tokens.ts'

const none: readonly never[] = []

type Body = Pick<Definition, 'alternatives' | 'parts'> & Partial<Pick<Definition, 'common' | 'repetition'>>

const words = {
  identifier: o.OlderIdentifier,
  using: o.Using,
  package: o.Package,
  lookahead: o.Lookahead,
  import: o.Import,
}

/**
 * The common grammar of dialects A and B: Demeter/C++ with its words between stars, DemeterJ without stars, and the
 * head and the flags of DemFGen. Features of one dialect are accepted in both.
 */
class OlderParser extends CommonGrammar {
  constructor() {
    super(o.olderTokenTypes, words, 3)
    this.performSelfAnalysis()
  }

  readonly #code = this.RULE('code', (): Code => {
    const block = this.CONSUME(o.JavaExpression)
    return { text: block.image, at: this.at(block) }
  })

  readonly #lookaheadCode = this.RULE('lookaheadCode', (): Code => {
    this.CONSUME(o.Lookahead)
    return this.SUBRULE(this.#code)
  })

  readonly typeUse: ParserMethod<[], TypeUse> = this.RULE('typeUse', (): TypeUse => {
    const external = this.OPTION(() => this.CONSUME(o.Dollar))
    const name = this.CONSUME(o.OlderIdentifier)
    const module = this.OPTION2(() => {
      const sign = this.OR([{ ALT: () => this.CONSUME(o.AtAt) }, { ALT: () => this.CONSUME(o.At) }])
      return { sign: sign.image as '@' | '@@', name: this.CONSUME2(o.OlderIdentifier).image }
    })
    let uses: readonly TypeUse[] = none
    this.OPTION3(() => {
      this.CONSUME(t.OpenParen)
      uses = this.SUBRULE(this.typeUses)
      this.CONSUME(t.CloseParen)
    })
    return {
      name: name.image,
      at: this.at(name),
      arguments: uses,
      ...(external === undefined ? {} : { external: true }),
      ...(module === undefined ? {} : { module }),
    }
  })

  readonly #flag = this.RULE('flag', (): Flag =>
    this.OR([
      { ALT: () => (this.CONSUME(o.Nogen), 'nogen' as const) },
      { ALT: () => (this.CONSUME(o.Noparse), 'noparse' as const) },
      { ALT: () => (this.CONSUME(o.Extern), 'extern' as const) },
    ]),
  )

  readonly #include = this.RULE('include', (): Include => {
    const marked = this.OPTION(() => this.SUBRULE(this.#flag))
    this.CONSUME(o.Include)
    const name = this.CONSUME(t.Text)
    this.OPTION2(() => this.CONSUME(t.Semicolon))
    return { flag: marked ?? null, name: this.ACTION(() => decodeText(name.image)), at: this.at(name) }
  })

  /** A name, including words that are keywords elsewhere. */
  readonly #anyName = this.RULE('anyName', (): IToken =>
    this.OR([
      { ALT: () => this.CONSUME(o.OlderIdentifier) },
      ...o.labelWords.map((word) => ({ ALT: () => this.CONSUME(word) })),
    ]),
  )

  readonly #qualifiedName = this.RULE('qualifiedName', (): QualifiedName => {
    const first = this.CONSUME(o.OlderIdentifier)
    const names = [first.image]
    this.MANY(() => {
      this.CONSUME(t.Dot)
      names.push(this.SUBRULE(this.#anyName).image)
    })
    const star = this.OPTION(() => this.CONSUME(t.DotStar))
    this.CONSUME(t.Semicolon)
    return { name: names.join('.'), all: star !== undefined, at: this.at(first) }
  })

  readonly #packageAndImports = this.RULE('packageAndImports', () => {
    this.CONSUME(o.Package)
    const name = this.SUBRULE(this.#qualifiedName)
    const imports: QualifiedName[] = []
    this.MANY(() => {
      this.CONSUME(o.Import)
      imports.push(this.SUBRULE2(this.#qualifiedName))
    })
    return { name, imports }
  })

  readonly #syntaxPart = this.RULE('syntaxPart', (): SyntaxPart => this.OR([...this.syntaxAlternatives]))

  readonly #syntaxParts = this.RULE('syntaxParts', (): SyntaxPart[] => {
    const parts: SyntaxPart[] = []
    this.MANY(() => parts.push(this.SUBRULE(this.#syntaxPart)))
    return parts
  })

  readonly #partWord = this.RULE('partWord', (): string =>
    this.OR(o.partWords.map((word) => ({ ALT: () => this.CONSUME(word).image }))),
  )

  readonly #field = this.RULE('field', (): FieldPart => {
    const modifiers: string[] = []
    this.MANY(() => modifiers.push(this.SUBRULE(this.#partWord)))
    const label = this.OPTION(() => {
      this.CONSUME(t.OpenAngle)
      const name = this.SUBRULE(this.#anyName)
      this.CONSUME(t.CloseAngle)
      this.MANY2(() => modifiers.push(this.SUBRULE2(this.#partWord)))
      return name
    })
    const type = this.SUBRULE(this.typeUse)
    const initial = this.OPTION2(() => {
      this.CONSUME(t.Equals)
      return this.SUBRULE(this.#code)
    })
    return {
      kind: 'field',
      label: label?.image ?? this.ACTION(() => decapitalised(type.name)),
      at: label === undefined ? type.at : this.at(label),
      type,
      ...(label === undefined ? { implicit: true } : {}),
      ...(modifiers.length === 0 ? {} : { modifiers }),
      ...(initial === undefined ? {} : { initial }),
    }
  })

  readonly #optional = this.RULE('optional', (): OptionalPart => {
    const open = this.CONSUME(o.OpenBracket)
    const hint = this.OPTION(() => this.SUBRULE(this.#lookaheadCode))
    const before = this.SUBRULE(this.#syntaxParts)
    const inner = this.SUBRULE(this.#field)
    const after = this.SUBRULE2(this.#syntaxParts)
    this.CONSUME(o.CloseBracket)
    return {
      kind: 'optional',
      at: this.at(open),
      before,
      field: inner,
      after,
      ...(hint === undefined ? {} : { lookahead: hint }),
    }
  })

  readonly #part = this.RULE('part', (): Part =>
    this.OR({
      DEF: [
        { ALT: () => this.SUBRULE(this.#field) },
        { ALT: () => this.SUBRULE(this.#syntaxPart) },
        { ALT: () => this.SUBRULE(this.#optional) },
        {
          ALT: () => {
            const word = this.CONSUME(o.Inherit)
            return { kind: 'inherit' as const, at: this.at(word), types: this.SUBRULE(this.typeUses) }
          },
        },
        {
          ALT: () => {
            const word = this.CONSUME(o.Eof)
            const starred = word.image !== 'EOF'
            return { kind: 'end' as const, at: this.at(word), ...(starred ? { starred: true as const } : {}) }
          },
        },
      ],
      ERR_MSG: 'a part, a literal or a printing command',
    }),
  )

  readonly #construction = this.RULE('construction', (): Body => {
    this.CONSUME(t.Equals)
    const parts: Part[] = []
    this.MANY(() => parts.push(this.SUBRULE(this.#part)))
    return { alternatives: none, parts }
  })

  readonly #alternation = this.RULE('alternation', (): Body => {
    this.CONSUME(t.Colon)
    const alternatives: TypeUse[] = []
    this.AT_LEAST_ONE_SEP({
      SEP: t.Bar,
      ERR_MSG: 'a name',
      DEF: () => {
        const hint = this.OPTION(() => this.SUBRULE(this.#lookaheadCode))
        const use = this.SUBRULE(this.typeUse)
        alternatives.push(hint === undefined ? use : { ...use, lookahead: hint })
      },
    })
    const common = this.OPTION2(() => this.CONSUME(o.Common))
    const parts: Part[] = []
    // Without the word, two names in a row are a missing bar, not a shared part.
    this.MANY({
      GATE: () => common !== undefined || this.LA(1).tokenType !== o.OlderIdentifier,
      DEF: () => parts.push(this.SUBRULE(this.#part)),
    })
    if (common === undefined) return { alternatives, parts }
    return { alternatives, parts, common: common.image as 'common' | '*common*' }
  })

  readonly #repetition = this.RULE('repetition', (): Body => {
    const tilde = this.CONSUME(o.Tilde)
    const before = this.SUBRULE(this.#syntaxParts)
    const first = this.OPTION(() => this.SUBRULE(this.typeUse))
    this.CONSUME(o.OpenBrace)
    const hint = this.OPTION2(() => this.SUBRULE(this.#lookaheadCode))
    const open = this.SUBRULE2(this.#syntaxParts)
    const of = this.SUBRULE2(this.typeUse)
    const close = this.SUBRULE3(this.#syntaxParts)
    this.CONSUME(o.CloseBrace)
    const after = this.SUBRULE4(this.#syntaxParts)
    const repeated: Repetition = {
      at: this.at(tilde),
      before,
      first: first ?? null,
      ...(hint === undefined ? {} : { lookahead: hint }),
      open,
      of,
      close,
      after,
    }
    return { alternatives: none, parts: none, repetition: repeated }
  })

  readonly #definition = this.RULE('definition', (): Definition => {
    const directive = this.OPTION(() => this.SUBRULE(this.#packageAndImports))
    const modifiers: string[] = []
    let marked: Flag | null = null
    let isInterface = false
    this.MANY(() =>
      this.OR([
        { ALT: () => (marked = this.SUBRULE(this.#flag)) },
        {
          ALT: () => {
            this.CONSUME(o.Interface)
            isInterface = true
          },
        },
        ...o.classWords.map((word) => ({ ALT: () => modifiers.push(this.CONSUME(word).image) })),
      ]),
    )
    const name = this.CONSUME(o.OlderIdentifier)
    let parameters: readonly NameDef[] = none
    this.OPTION2(() => {
      this.CONSUME(t.OpenParen)
      parameters = this.SUBRULE(this.nameDefs)
      this.CONSUME(t.CloseParen)
    })
    this.OPTION3(() => {
      this.CONSUME(o.Noparse)
      marked = 'noparse'
    })
    const body = this.OR2({
      DEF: [
        { ALT: () => this.SUBRULE(this.#construction) },
        { ALT: () => this.SUBRULE(this.#alternation) },
        { ALT: () => this.SUBRULE(this.#repetition) },
      ],
      ERR_MSG: '`=`, `:` or `~`',
    })
    let extended: readonly TypeUse[] = none
    this.OPTION4(() => {
      this.CONSUME(o.Extends)
      extended = this.SUBRULE(this.typeUses)
    })
    let implemented: readonly TypeUse[] = none
    this.OPTION5(() => {
      this.CONSUME(o.Implements)
      implemented = this.SUBRULE2(this.typeUses)
    })
    const methods = this.OPTION6(() => this.CONSUME(o.JavaMethods))
    const end = this.OPTION7(() => this.CONSUME(o.Eof))
    this.CONSUME(t.Dot)
    const parts =
      end === undefined
        ? body.parts
        : this.ACTION(() => [
            ...body.parts,
            { kind: 'end' as const, at: this.at(end), ...(end.image === 'EOF' ? {} : { starred: true as const }) },
          ])
    return {
      flag: marked,
      isInterface,
      name: name.image,
      at: this.at(name),
      parameters,
      ...body,
      parts,
      implements: implemented,
      ...(modifiers.length === 0 ? {} : { modifiers }),
      ...(extended.length === 0 ? {} : { extends: extended }),
      ...(methods === undefined ? {} : { methods: { text: methods.image, at: this.at(methods) } }),
      ...(directive === undefined ? {} : { package: directive }),
    }
  })

  /** Classes, followed by terminal sets. */
  readonly definitions: ParserMethod<[], Pick<Source, 'definitions' | 'terminalSets'>> = this.RULE(
    'definitions',
    () => {
      const definitions: Definition[] = []
      let terminalSets: readonly TypeUse[] = none
      this.MANY(() => definitions.push(this.SUBRULE(this.#definition)))
      this.OPTION(() => {
        this.CONSUME(o.TerminalSets)
        terminalSets = this.SUBRULE(this.typeUses)
        this.CONSUME(t.Dot)
      })
      return { definitions, ...(terminalSets.length === 0 ? {} : { terminalSets }) }
    },
  )

  readonly source: ParserMethod<[], Source> = this.sourceRule(this.#include, this.#qualifiedName, this.definitions)
}

function decapitalised(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/** A shared instance, because the parser keeps no state between two texts. */
export const olderParser = lazily(() => new OlderParser())
