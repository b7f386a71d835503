// The TextMate grammars of challenges and class dictionaries, made from the words of the languages.

const start = String.raw`(?<![\w$])`
const end = String.raw`(?![\w$])`
const name = String.raw`[A-Za-z$_][\w$]*`
const oneOf = (words) => `${start}(?:${[...words].toSorted().join('|')})${end}`

const comments = [
  { name: 'comment.line.double-slash', match: '//.*$' },
  { name: 'comment.block', begin: String.raw`/\*`, end: String.raw`\*/` },
]

/** The grammar of .challenge files. */
export async function challengeColours() {
  const { vocabulary, sectionWords } = await import('../grammars/challenges/words.ts')
  const { functions } = await import('../grammars/language-services/words.ts')
  const words = vocabulary.flatMap(({ PATTERN, name: kind }) =>
    typeof PATTERN === 'string' && /^[a-z]+$/.test(PATTERN)
      ? [{ word: PATTERN, isReserved: kind.startsWith('Reserved_') }]
      : [],
  )
  const constants = new Set(['true', 'false'])
  const reserved = words.filter(({ word, isReserved }) => isReserved && !constants.has(word)).map(({ word }) => word)
  const others = words.filter(({ isReserved }) => !isReserved).map(({ word }) => word)
  const sections = [...sectionWords].map(({ PATTERN }) => PATTERN)
  return {
    $schema: 'https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json',
    name: 'Tartaglia challenge',
    scopeName: 'source.challenge',
    fileTypes: ['challenge'],
    patterns: [{ include: '#blocks' }, { include: '#parts' }],
    repository: {
      blocks: {
        patterns: [
          block(String.raw`${start}(text)\s*(\{\{)`, 'markup.raw.prose', []),
          block(String.raw`${start}(dictionary)\s*(\{\{)`, 'meta.embedded.class-dictionary', [
            { include: 'source.class-dictionary' },
          ]),
          block(String.raw`(?:${start}(predicate|instance|solution)\s*)?(\{\{)`, 'string.unquoted.value', []),
        ],
      },
      parts: {
        patterns: [
          ...comments,
          {
            name: 'string.quoted.double',
            begin: '"',
            end: '"|$',
            patterns: [
              { name: 'constant.character.escape', match: String.raw`\\["\\nt{}]` },
              {
                name: 'meta.embedded.formula',
                begin: String.raw`\{`,
                end: String.raw`\}|(?=")`,
                patterns: [{ include: '#formula' }],
              },
            ],
          },
          { include: '#formula' },
        ],
      },
      formula: {
        patterns: [
          { name: 'constant.numeric', match: String.raw`(?<![\w$])\d+(?:\.\d+)?` },
          { match: String.raw`(?<!\.)\.\s*(${name})`, captures: { 1: { name: 'variable.other.property' } } },
          { name: 'constant.language', match: oneOf(constants) },
          {
            name: 'keyword.other.section',
            match: String.raw`^\s*(?:challenge|${sections.toSorted().join('|')})${end}(?!\s*[.(])`,
          },
          { name: 'keyword.control', match: oneOf(reserved) },
          { name: 'support.function', match: String.raw`${oneOf(functions.map(({ word }) => word))}(?=\s*\()` },
          { name: 'entity.name.function', match: String.raw`${start}${name}(?=\s*\()` },
          { name: 'entity.name.type', match: String.raw`${start}[A-Z][\w$]*` },
          { name: 'keyword.other', match: oneOf(others) },
          { name: 'variable.other', match: String.raw`${start}${name}` },
          { name: 'keyword.operator', match: String.raw`\.\.|<=|>=|!=|[-+*/<>=]` },
        ],
      },
    },
  }
}

/** `begin` has two groups: the word before the block, and the braces. */
function block(begin, contentName, patterns) {
  return {
    begin,
    beginCaptures: { 1: { name: 'keyword.other.section' }, 2: { name: 'punctuation.section.block.begin' } },
    end: String.raw`\}\}`,
    endCaptures: { 0: { name: 'punctuation.section.block.end' } },
    contentName,
    patterns,
  }
}

/** The grammar of class dictionaries, of all dialects. */
export async function dictionaryColours() {
  const { lexicalNames } = await import('../grammars/class-dictionary/built-in.ts')
  const { tokenTypes } = await import('../grammars/class-dictionary/parsing/tokens.ts')
  const words = tokenTypes.flatMap(({ name: kind }) => (kind.startsWith('Word_') ? [kind.slice('Word_'.length)] : []))
  return {
    $schema: 'https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json',
    name: 'Class dictionary',
    scopeName: 'source.class-dictionary',
    fileTypes: ['cd'],
    patterns: [
      ...comments,
      {
        name: 'string.quoted.double',
        begin: '"',
        end: '"|$',
        patterns: [{ name: 'constant.character.escape', match: String.raw`\\(?:[ntbrf\\'"]|[0-7]{1,3})` }],
      },
      { name: 'constant.numeric', match: String.raw`${start}(?:0[xX][0-9A-Fa-f]+|\d+)` },
      { match: String.raw`(<)\s*(${name})\s*(>)`, captures: { 2: { name: 'variable.other.property' } } },
      { name: 'keyword.control', match: String.raw`\*[a-z][a-z_-]+\*` },
      { name: 'keyword.other.print', match: String.raw`\*[stlr]|[+-]` },
      { name: 'keyword.control', match: oneOf(words) },
      { name: 'support.type', match: oneOf([...lexicalNames.keys(), 'List', 'Option', 'Set', 'Map', 'Entry']) },
      { name: 'entity.name.type', match: String.raw`${start}${name}` },
      { name: 'keyword.operator', match: String.raw`[=:|~]` },
    ],
  }
}
