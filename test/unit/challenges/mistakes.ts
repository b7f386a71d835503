/** A small challenge with something of everything, of which the mistakes change a part. */
export const ERRAND = `challenge errand "Errands"

text {{
  Pack what fits.
}}

config {
  most = 9 in 1..20
}

dictionary {{
  Predicate = "sizes" <sizes> List(int).
  Instance = "room" <room> int "items" <items> List(Item) "shape" <shape> Shape.
  Item = "(" <weight> int "for" <value> int ")".
  Shape = Square | Round.
  Square = "square" <side> int.
  Round = "round" <radius> int.
  Solution = "pack" <chosen> List(int).
}}

set Predicate.sizes

define weigh(chosen: list of int, items: list of Item) = sum(items[i].weight for i in chosen)

define half(x: int) = x div 2

legal predicate {
  require length(predicate.sizes) > 0 else "Name a size."
}

legal instance {
  require instance.room in 1..config.most else "At most {config.most}, not {instance.room}."
  for item in instance.items {
    require item.weight in predicate.sizes and item.value > 0 else "No {item.weight}."
  }
}

feasible solution {
  require all(1 <= i and i <= length(instance.items) for i in solution.chosen) else "No such item."
  require distinct(solution.chosen) else "Not twice."
  require weigh(solution.chosen, instance.items) <= instance.room else "Too heavy."
}

measure = sum(instance.items[i].value for i in solution.chosen)
goal = max
bound = sum(item.value for item in instance.items)

property instance {
  Instance.room: range 1 config.most
  Instance.items: length range 1 4
  Item.weight: in predicate.sizes
  Item.value: range 1 9
}

property solution {
  Solution.chosen: length range 0 1, element range 1 length(instance.items)
}

example "one" {
  predicate {{ sizes 2 }}
  instance {{ room 2 items (2 for 3) shape square 1 }}
  solution {{ pack 1 }}
  quality = 1
}
`

/**
 * A mistake: its name, the text that is replaced and its replacement, the code, and the remedy: the text of the replacement that is offered,
 * or null if there is only advice.
 */
export type Mistake = readonly [
  name: string,
  from: string,
  to: string,
  code: string,
  remedy: string | null,
  /** The line, if it is not the one where the replacement begins: lines from there. */
  lines?: number,
]

/** Mistakes of people who know C, Java, JavaScript, Python or MiniZinc. */
export const mistakes: readonly Mistake[] = [
  // Signs
  ['== for equality', 'length(predicate.sizes) > 0', 'length(predicate.sizes) == 1', 'equal-sign', '='],
  ['=== for equality', 'length(predicate.sizes) > 0', 'length(predicate.sizes) === 1', 'equal-sign', '='],
  [':= for a definition', 'goal = max', 'goal := max', 'equal-sign', '='],
  ['<> for inequality', 'length(predicate.sizes) > 0', 'length(predicate.sizes) <> 0', 'unequal-sign', '!='],
  ['=< for at most', '<= instance.room', '=< instance.room', 'order-sign', '<='],
  ['≤ for at most', '<= instance.room', '≤ instance.room', 'order-sign', '<='],
  ['≥ for at least', 'length(predicate.sizes) > 0', 'length(predicate.sizes) ≥ 1', 'order-sign', '>='],
  ['≠ for inequality', 'length(predicate.sizes) > 0', 'length(predicate.sizes) ≠ 0', 'unequal-sign', '!='],
  ['&& for and', 'sizes and item', 'sizes && item', 'logic-sign', 'and'],
  ['|| for or', 'sizes and item', 'sizes || item', 'logic-sign', 'or'],
  ['∧ for and', 'sizes and item', 'sizes ∧ item', 'logic-sign', 'and'],
  ['! for not', 'distinct(solution.chosen) else', '!(length(solution.chosen) > 4) else', 'logic-sign', 'not '],
  ['-> for an implication', 'sizes and item', 'sizes -> item', 'implication-sign', null],
  ['<-> for equivalence', 'sizes and item', 'sizes <-> item', 'implication-sign', null],
  [
    '=> in a case of match',
    'bound = sum(',
    'bound = 0 * match instance.shape { Square s => s.side, Round r: r.radius } + sum(',
    'case-sign',
    ':',
  ],
  ['a character without a meaning', 'x div 2', 'x @ 2', 'character', null],
  [
    'an alternative misspelt',
    'bound = sum(',
    'bound = 0 * match instance.shape { Sqare s: s.side, Round r: r.radius } + sum(',
    'alternative-unknown',
    'Square',
  ],
  ['% for the remainder', 'x div 2', 'x % 2', 'arithmetic-sign', 'mod'],
  ['a minus of typography', 'x div 2', 'x − 2', 'arithmetic-sign', '-'],
  ['× for a product', 'x div 2', 'x × 2', 'arithmetic-sign', '*'],
  ['^ for a power', 'x div 2', 'x^2', 'power-sign', '(x * x)'],
  ['** for a power', 'x div 2', '3 * x ** 2', 'power-sign', '(x * x)'],
  ['^ for a power that varies', 'x div 2', '2 ^ x', 'power-sign', null],
  ['+= in a formula', 'x div 2', 'x += 2', 'assignment-sign', null],
  ['?: for if', 'x div 2', 'x > 0 ? x : 0', 'conditional-sign', 'if x > 0 then x else'],
  ['three dots for a range', '1..config.most else', '1...config.most else', 'range-sign', '..'],
  ['a minus for a range', '1..config.most else', '1-config.most else', 'range-sign', '..'],
  ['a minus for the range of a setting', 'in 1..20', 'in 1-20', 'range-sign', '..'],
  ['brackets for the range of a setting', 'in 1..20', 'in [1, 20]', 'range-sign', '1..20'],
  ['∈ for in', 'i in chosen)', 'i ∈ chosen)', 'member-sign', 'in'],
  [
    '| in a comprehension',
    'distinct(solution.chosen) else',
    'distinct([i | i in solution.chosen]) else',
    'loop-sign',
    'for',
  ],
  // Texts, comments, characters
  ['single quotes', 'else "Not twice."', "else 'Not twice.'", 'quotes', '"Not twice."'],
  ['typographic quotes', 'else "Not twice."', 'else “Not twice.”', 'quotes', '"Not twice."'],
  ['# before a comment', 'goal = max', '# the more the better\ngoal = max', 'comment-sign', '//'],
  ['# behind something', 'goal = max', "goal = max # it's the more the better", 'comment-sign', '//'],
  ['% before a comment', 'goal = max', '% the more the better\ngoal = max', 'comment-sign', '//'],
  ['a space that does not break', 'goal = max', 'goal =\u00a0max', 'space', ' '],
  ['a text that is not closed', 'else "Not twice."', 'else "Not twice.', 'text-open', null],
  ['a comment that is not closed', 'goal = max', 'goal = max /* the more', 'comment-open', null],
  ['a block that is not closed', '  Pack what fits.\n}}', '  Pack what fits.\n', 'block-open', null, -1],
  // Words
  ['AND in capitals', 'sizes and item', 'sizes AND item', 'word-case', 'and'],
  ['True', 'distinct(solution.chosen) else', 'True else', 'word-case', 'true'],
  ['a class for its value', 'length(predicate.sizes) > 0', 'length(Predicate.sizes) > 0', 'word-case', 'predicate'],
  ['a section in capitals', 'goal = max', 'Goal = max', 'word-case', 'goal'],
  ['Int for int', 'half(x: int)', 'half(x: Int)', 'word-case', 'int'],
  ['assert for require', 'require distinct', 'assert distinct', 'word-foreign', 'require'],
  ['constraint for require', 'require distinct', 'constraint distinct', 'word-foreign', 'require'],
  ['require left out', 'require distinct', 'distinct', 'word-missing', 'require '],
  ['maximize for max', 'goal = max', 'goal = maximize', 'word-foreign', 'max'],
  ['elif', 'x div 2', 'if x > 2 then 1 elif x > 1 then 2 else 3', 'word-foreign', 'else if'],
  // Notation
  ['a semicolon at the end', 'goal = max', 'goal = max;', 'semicolon', ''],
  ['a semicolon after a requirement', 'else "Not twice."', 'else "Not twice.";', 'semicolon', ''],
  ['commas between settings', 'most = 9 in 1..20', 'most = 9 in 1..20,\n  least = 1 in 1..2', 'comma', ''],
  ['braces around a function', '= x div 2', '{ return x div 2; }', 'braces', '= x div 2'],
  [
    'braces for a set',
    'instance.room in 1..config.most else',
    'instance.room in {1, 2, 3} else',
    'braces',
    '[1, 2, 3]',
  ],
  ['the type before a parameter', 'half(x: int)', 'half(int x)', 'type-first', 'x: int'],
  ['the type before a setting', 'most = 9', 'int most = 9', 'type-first', 'most'],
  ['List[int] for a parameter', 'chosen: list of int', 'chosen: List[int]', 'type-arguments', 'list of int'],
  ['list(int) for a parameter', 'chosen: list of int', 'chosen: list(int)', 'type-arguments', 'list of int'],
  ['int[] for a parameter', 'chosen: list of int', 'chosen: int[]', 'type-arguments', 'list of int'],
  ['array[1..n] of int', 'chosen: list of int', 'chosen: array[1..9] of int', 'type-arguments', 'list of'],
  ['the type of a result with an arrow', 'half(x: int) =', 'half(x: int) -> int =', 'type-of-result', ''],
  ['a parameter without a type', 'half(x: int)', 'half(x)', 'type-missing', null],
  ['range 2..x', 'room: range 1 config.most', 'room: range 1..config.most', 'range-ends', ' '],
  ['range(1, x)', 'room: range 1 config.most', 'room: range(1, config.most)', 'range-ends', ' 1 config.most'],
  [
    'an end of a range with a sign',
    'room: range 1 config.most',
    'room: range 1 config.most - 1',
    'range-ends',
    '(config.most - 1)',
  ],
  [
    'forall(i in list)(condition)',
    'all(1 <= i and i <= length(instance.items) for i in solution.chosen)',
    'forall(i in solution.chosen)(1 <= i and i <= 4)',
    'loop-form',
    'all(1 <= i and i <= 4 for i in solution.chosen)',
  ],
  [
    'for with parentheses',
    'for item in instance.items {',
    'for (item in instance.items) {',
    'loop-form',
    'item in instance.items',
  ],
  [
    'if in a comprehension',
    'distinct(solution.chosen) else',
    'distinct([i for i in solution.chosen if i > 0]) else',
    'loop-form',
    'where',
  ],
  [
    'enumerate',
    'item.value for item in instance.items',
    'item.value * i for i, item in enumerate(instance.items)',
    'loop-form',
    'item at i in instance.items',
  ],
  ['if with a colon', 'x div 2', 'if x > 0: x else 0', 'if-form', ' then'],
  ['if without then', 'x div 2', 'if (x > 0) x else 0', 'if-form', ' then'],
  ['the condition of Python in the middle', 'x div 2', 'x if x > 0 else 0', 'if-form', 'if x > 0 then x else'],
  ['if without else', 'x div 2', 'if x > 0 then x', 'else-missing', null],
  ['require without a sentence', ' else "Not twice."', '', 'sentence-missing', null],
  ['a comma before the sentence', 'chosen) else "Not twice."', 'chosen), "Not twice."', 'else-missing', ' else'],
  [
    'a count of conditions',
    'length(predicate.sizes) > 0',
    'count(s > 0 for s in predicate.sizes) > 0',
    'count-condition',
    null,
  ],
  ['an element 0', 'items[i].weight', 'items[0].weight', 'index-zero', '1'],
  ['list.length', 'length(predicate.sizes) > 0', 'predicate.sizes.length > 0', 'call-form', 'length(predicate.sizes)'],
  [
    'a comma left out',
    'weigh(solution.chosen, instance.items)',
    'weigh(solution.chosen instance.items)',
    'sign-missing',
    ',',
  ],
  ['2x', 'x div 2', '2x', 'sign-missing', ' * '],
  ['a colon left out', 'Item.weight: in', 'Item.weight in', 'sign-missing', ':'],
  ['a colon for "="', 'measure = sum', 'measure: sum', 'sign-missing', ' ='],
  ['a parenthesis left out', 'solution.chosen)\ngoal', 'solution.chosen\ngoal', 'bracket-missing', null],
  ['a brace left out', '"Too heavy."\n}', '"Too heavy."\n', 'bracket-missing', null],
  ['the range of a setting left out', 'most = 9 in 1..20', 'most = 9', 'range-missing', null],
  // Names
  ['len for length', 'length(predicate.sizes) > 0', 'len(predicate.sizes) > 0', 'function-unknown', 'length'],
  [
    'a function misspelt',
    'weigh(solution.chosen, instance',
    'weight(solution.chosen, instance',
    'function-unknown',
    'weigh',
  ],
  ['a function of nowhere', 'x div 2', 'frobnicate(x)', 'function-unknown', null],
  ['a function that objects of JavaScript have', 'x div 2', 'constructor(x)', 'function-unknown', null],
  ['a type that objects of JavaScript have', 'half(x: int)', 'half(x: toString)', 'type-unknown', null],
  ['a setting without config', '1..config.most else', '1..most else', 'name-unknown', 'config.most'],
  ['a name misspelt', 'distinct(solution.chosen)', 'distinct(solutoin.chosen)', 'name-unknown', 'solution'],
  ['a field misspelt', 'item.value > 0', 'item.valeu > 0', 'field-unknown', 'value'],
  [
    'a field that is made later',
    'Instance.room: range 1 config.most',
    'Instance.room: range 1 length(instance.items)',
    'field-later',
    null,
  ],
  ['a type of other languages', 'half(x: int)', 'half(x: integer)', 'type-unknown', 'int'],
  ['a section misspelt', 'measure = sum', 'mesure = sum', 'section-unknown', 'measure'],
  ['def for define', 'define half', 'def half', 'section-unknown', 'define'],
  ['legal solution', 'feasible solution {', 'legal solution {', 'section-unknown', 'feasible solution'],
  ['a section left out', 'goal = max\n', '', 'section-missing', null, 999],
  // The dictionary
  ['a label left out', '"sizes" <sizes> List(int)', '"sizes" List(int)', 'label-missing', '<list> List'],
  ['the only label left out', 'Square = "square" <side> int', 'Square = int', 'label-missing', '<value> '],
  ['a label like a property', '"(" <weight> int', '"(" weight: int', 'label-missing', '<weight>'],
  ['the type before a label', '"(" <weight> int', '"(" int weight', 'type-first', '<weight> int'],
  ['List[int] in the dictionary', '<sizes> List(int)', '<sizes> List[int]', 'type-arguments', '(int)'],
  ['List<int> in the dictionary', '<sizes> List(int)', '<sizes> List<int>', 'type-arguments', '(int)'],
  ['a dot left out', '<sizes> List(int).', '<sizes> List(int)', 'dot-missing', '.'],
  ['a semicolon for a dot', '<sizes> List(int).', '<sizes> List(int);', 'dot-missing', '.'],
  ['::= in the dictionary', 'Shape = Square', 'Shape ::= Square', 'equal-sign', '='],
  ['single quotes around a literal', '"sizes" <sizes>', "'sizes' <sizes>", 'quotes', '"sizes"'],
  ['# before a comment in the dictionary', '  Shape =', '  # of a thing\n  Shape =', 'comment-sign', '//'],
  ['a class misspelt', 'List(Item)', 'List(Itme)', 'class-unknown', 'Item'],
  [
    'a class that is used twice and is nowhere',
    'Shape = Square | Round',
    'Shape = Square | Round <a> Ghost <b> Ghost',
    'class-unknown',
    null,
  ],
  ['a class defined twice', '  Shape =', '  Item = "i".\n  Shape =', 'class-twice', null],
  ['two fields with one label', '<value> int ")"', '<weight> int ")"', 'label-twice', null],
  ['braces for a repetition', '<items> List(Item)', '<items> { Item }', 'repetition-sign', 'List(Item)'],
  ['a star for a repetition', '<items> List(Item)', '<items> Item*', 'repetition-sign', 'List(Item)'],
  [
    'an include that is not there',
    '  Predicate =',
    '  include "lib.cd";\n  Extra = <a> Ghost <b> Phantom.\n  Predicate =',
    'include-missing',
    null,
  ],
  ['a list for a number', 'length(predicate.sizes) > 0', 'predicate.sizes > 0', 'type-mismatch', null],
  // Tried later: what people who know Python, C, Java and MiniZinc write in their first files
  ['return in a function', '= x div 2', '= return x div 2', 'word-foreign', ''],
  [
    'list.contains(x)',
    'item.weight in predicate.sizes and',
    'predicate.sizes.contains(item.weight) and',
    'call-form',
    'item.weight in predicate.sizes',
  ],
  [
    'list.includes(x)',
    'item.weight in predicate.sizes and',
    'predicate.sizes.includes(item.weight) and',
    'call-form',
    'item.weight in predicate.sizes',
  ],
  ['list.size()', 'length(predicate.sizes) > 0', 'predicate.sizes.size() > 0', 'call-form', 'length(predicate.sizes)'],
  [
    'list.sort()',
    'distinct(solution.chosen) else',
    'distinct(solution.chosen.sort()) else',
    'call-form',
    'sort(solution.chosen)',
  ],
  ['is for equality', 'length(predicate.sizes) > 0', 'length(predicate.sizes) is 1', 'word-foreign', '='],
  ['is not for inequality', 'length(predicate.sizes) > 0', 'length(predicate.sizes) is not 0', 'word-foreign', '!='],
  ['equals', 'length(predicate.sizes) > 0', 'length(predicate.sizes) equals 1', 'word-foreign', '='],
  ['xor', 'distinct(solution.chosen) else', 'distinct(solution.chosen) xor false else', 'word-foreign', '!='],
  [
    'between',
    'instance.room in 1..config.most else',
    'instance.room between 1 and config.most else',
    'word-foreign',
    'in 1..',
  ],
  [
    'to for a range',
    'instance.room in 1..config.most else',
    'instance.room in 1 to config.most else',
    'range-sign',
    '..',
  ],
  ['Math.max', 'x div 2', 'Math.max(x, 2)', 'call-form', 'max'],
  ['Math.floor', 'x div 2', 'Math.floor(x / 2)', 'call-form', 'floor'],
  ['int(x)', 'x div 2', 'int(x / 2)', 'function-unknown', 'floor'],
  ['digits in groups with a low line', 'x div 2', 'x + 1_000', 'number-form', '1000'],
  ['digits in groups with a comma', 'x div 2', 'x + 1,000', 'number-form', '1000'],
  ['a number with an exponent', 'x div 2', '1e3', 'number-form', '1000'],
  ['a hexadecimal number', 'x div 2', '0x10', 'number-form', '16'],
  ['a point without a digit before it', 'x div 2', '.5', 'number-form', '0.5'],
  ['a number with the letter of its type', 'x div 2', '1.5f', 'number-form', '1.5'],
  ['a text with a letter before it', 'else "Not twice."', 'else f"Not twice."', 'quotes', ''],
  ['set of int', 'chosen: list of int', 'chosen: set of int', 'type-arguments', 'list of'],
  ['endif', 'x div 2', 'if x > 1 then 1 else 2 endif', 'word-foreign', ''],
  [
    'a part of a list with a colon',
    'distinct(solution.chosen) else',
    'distinct(solution.chosen[1:2]) else',
    'call-form',
    null,
  ],
  ['single braces around a value', '{{ pack 1 }}', '{ pack 1 }', 'braces', '{{ pack 1 }}'],
  ['function for define', 'define half', 'function half', 'section-unknown', 'define'],
  ['for of', 'for item in instance.items {', 'for item of instance.items {', 'loop-form', 'in'],
  ['backticks', 'else "Not twice."', 'else `Not twice.`', 'quotes', '"Not twice."'],
  ['sorted', 'distinct(solution.chosen) else', 'distinct(sorted(solution.chosen)) else', 'function-unknown', 'sort'],
  [
    'alldifferent',
    'distinct(solution.chosen) else',
    'alldifferent(solution.chosen) else',
    'function-unknown',
    'distinct',
  ],
  ['a quality without a sign', 'quality = 1', 'quality 1', 'sign-missing', ' ='],
  ['a colon after a setting', 'most = 9 in 1..20', 'most: 9 in 1..20', 'sign-missing', ' ='],
  ['const before a setting', 'most = 9 in 1..20', 'const most = 9 in 1..20', 'type-first', 'most'],
  ['an equal sign in a rule', 'Item.value: range 1 9', 'Item.value = range 1 9', 'sign-missing', ':'],
  ['the default of a setting outside its range', 'most = 9 in 1..20', 'most = 90 in 1..20', 'setting-range', null],
  ['a section twice', 'goal = max', 'goal = max\ngoal = max', 'section-twice', null, 1],
  [
    'a function twice',
    'define half(x: int) = x div 2',
    'define half(x: int) = x div 2\ndefine half(y: int) = y',
    'name-twice',
    null,
    1,
  ],
  [
    'a case left out',
    'bound = sum(',
    'bound = 0 * match instance.shape { Square s: s.side } + sum(',
    'case-missing',
    null,
  ],
  ["another quality than the file's", 'quality = 1', 'quality = 0.5', 'example-wrong', null],
  ['a low line in the name of the challenge', 'challenge errand', 'challenge my_errand', 'name-malformed', null],
  ['a class of a rule misspelt', 'Item.value: range', 'Itm.value: range', 'class-unknown', null],
  ['a field of a rule misspelt', 'Item.value: range', 'Item.valu: range', 'field-unknown', null],
]
