import type { CodePassage, ComparedCode } from '../../../main/contract/procedures/agent-answers.ts'

/** A piece of a text. `passage`: the number, from 1, of the common passage that it is a part of; null: it is in none. */
interface CodePiece {
  readonly text: string
  readonly passage: number | null
}

/** The pieces of the files of one side, in order. If passages overlap, the earlier one has the text. */
export function piecesOf(
  { sides, passages }: ComparedCode,
  side: 0 | 1,
): readonly { readonly path: string; readonly pieces: readonly CodePiece[] }[] {
  const spans = passages.map((passage: CodePassage, at) => ({ ...passage[side], passage: at + 1 }))
  return sides[side].map(({ path, text }, file) => {
    const pieces: CodePiece[] = []
    let done = 0
    const own = spans.filter((each) => each.file === file).sort((a, b) => a.from - b.from || a.passage - b.passage)
    for (const { from, to, passage } of own) {
      const begins = Math.max(from, done)
      if (begins >= to) continue
      if (begins > done) pieces.push({ text: text.slice(done, begins), passage: null })
      pieces.push({ text: text.slice(begins, to), passage })
      done = to
    }
    if (done < text.length) pieces.push({ text: text.slice(done), passage: null })
    return { path, pieces }
  })
}
