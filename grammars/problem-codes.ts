/**
 * The kinds of problems in challenges, formulas and dictionaries, for programs and tests. A code never changes; the sentence
 * that comes with it is for people and may.
 */
export type ProblemCode =
  | SignCode
  | WordCode
  | NotationCode
  | MissingCode
  | UnknownCode
  | RuleCode
  | DictionaryCode
  /** The text does not follow the grammar in another way. */
  | 'syntax'

/** A sign of another language. */
type SignCode =
  /** `==`, `===`, `:=` for `=` */
  | 'equal-sign'
  /** `<>`, `!==`, `≠` for `!=` */
  | 'unequal-sign'
  /** `=<`, `≤`, `=>`, `≥` for `<=` and `>=` */
  | 'order-sign'
  /** `&&`, `||`, `!`, `¬` and so on for `and`, `or`, `not` */
  | 'logic-sign'
  /** `->`, `<->` between conditions */
  | 'implication-sign'
  /** `%` for `mod`, `×`, `÷`, `−` for `*`, `/`, `-` */
  | 'arithmetic-sign'
  /** `^` and `**` */
  | 'power-sign'
  /** `+=`, `++` and so on */
  | 'assignment-sign'
  /** `...`, `…`, and `-` between the ends of a range */
  | 'range-sign'
  /** `∈`, `∉`, `⊆` */
  | 'member-sign'
  /** `c ? a : b` */
  | 'conditional-sign'
  /** `[f | x in list]` */
  | 'loop-sign'
  /** `=>` or `->` in a case of match */
  | 'case-sign'
  /** `#`, `%`, `--` before a comment */
  | 'comment-sign'
  /** Single or typographic quotes around a text */
  | 'quotes'
  /** An unusual space, or an invisible character */
  | 'space'
  /** A character without any meaning */
  | 'character'

/** A word of another language, or in other letters. */
type WordCode =
  /** A word of the language with capital letters */
  | 'word-case'
  /** A word of another language for one of this language */
  | 'word-foreign'

/** A notation of another language, of words and signs that this one has too. */
type NotationCode =
  | 'semicolon'
  | 'comma'
  | 'braces'
  /** `int x` for `x: int` */
  | 'type-first'
  /** `List[int]`, `List(int)`, `int[]` for `list of int` */
  | 'type-arguments'
  /** `-> int` or `: int` behind the parameters of a function */
  | 'type-of-result'
  /** `range 2..x`, `range(2, x)`, `range 2, x` */
  | 'range-ends'
  /** `forall(i in list)(condition)`, `for (x in list)`, `for i, x in enumerate(list)` */
  | 'loop-form'
  /** `if c: a else: b`, `a if c else b` */
  | 'if-form'
  /** `xs.length`, `xs.size()`, `xs.contains(x)`, `Math.max(a, b)`, `xs[1:3]` */
  | 'call-form'
  /** `1_000`, `1e3`, `0x10`, `.5` */
  | 'number-form'
  /** `xs[0]` */
  | 'index-zero'
  /** count(condition for ...) */
  | 'count-condition'

/** Something that is needed is not there. */
type MissingCode =
  | 'sign-missing'
  | 'word-missing'
  | 'bracket-missing'
  | 'else-missing'
  | 'sentence-missing'
  | 'type-missing'
  | 'range-missing'
  | 'text-open'
  | 'comment-open'
  | 'block-open'
  | 'section-missing'

/** A name without a meaning. */
type UnknownCode =
  | 'function-unknown'
  /** A function that draws at random, outside a generator */
  | 'draw-outside'
  | 'name-unknown'
  | 'field-unknown'
  /** A rule of a property uses a field that is made later */
  | 'field-later'
  | 'type-unknown'
  | 'section-unknown'
  /** A format of other programs */
  | 'format-unknown'
  /** Raw material has other fields than its declared format */
  | 'format-fields'
  | 'alternative-unknown'
  | 'type-mismatch'

/** A rule of the language that a name, a formula or a section breaks. */
type RuleCode =
  | 'section-twice'
  /** Two things of one name: functions, settings, leagues, formulas */
  | 'name-twice'
  /** The name has another meaning */
  | 'name-taken'
  | 'name-malformed'
  | 'argument-count'
  | 'case-missing'
  | 'case-unreachable'
  /** The alternative of a case has no value to name */
  | 'case-value'
  | 'too-deep'
  /** Constants that have no value together, such as 1 / 0 */
  | 'no-value'
  /** The text, or what it stands for, is longer than its limit */
  | 'too-large'
  /** A function calls itself with another value than a part of its own */
  | 'recursion'
  | 'setting-range'
  /** The field cannot be compared as a set */
  | 'set-field'
  /** The parts of an example do not belong together */
  | 'example-form'
  /** The file judges an example in another way than it says */
  | 'example-wrong'
  /** The text of a value cannot be read */
  | 'value-malformed'
  | 'reference-form'
  | 'picture-form'
  | 'rule-form'
  /** A regular expression */
  | 'pattern'

/** Problems of class dictionaries. */
type DictionaryCode =
  | 'label-missing'
  | 'dot-missing'
  | 'class-unknown'
  | 'class-twice'
  | 'label-twice'
  | 'include-missing'
  /** `:` before the alternatives in dialect C, `=` in A and B */
  | 'abstract-sign'
  /** `{X}`, `[X]`, `X*` of other dialects and of EBNF */
  | 'repetition-sign'
  | 'alternative-twice'
  | 'alternative-of-itself'
  /** A class with two abstract classes above it */
  | 'two-parents'
  /** Elements of two classes in one repetition */
  | 'mixed-elements'
  /** Every value, or every type argument, needs a larger one */
  | 'endless'
  | 'left-recursion'
  /** The next tokens do not tell which alternative it is, or that a list goes on */
  | 'ambiguous'
  /** A list or an option of something whose text can be empty */
  | 'empty-element'
  /** EOF before something else */
  | 'end-inside'
  /** A literal that begins like a lexical class */
  | 'literal-hidden'
  | 'class-unused'
  /** The number of the lookahead */
  | 'lookahead'
