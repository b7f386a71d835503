import * as z from 'zod'
import { readAgent } from '../../../administrator/classroom/agents.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import type { CodePassage, ComparedCode } from '../../../contract/procedures/agent-answers.ts'
import { readingJob } from '../../machine/reading.ts'
import { placedTokens, type PlacedToken } from './code-tokens.ts'
import { GRAM, gramPrints, WINDOW } from './fingerprints.ts'
import type { ShippedPrints } from './shipped-prints.ts'
import { codeOf, type CodeFile } from './source-code.ts'

// The passages that two agents have in common, side by side: what the shares of `similar-pairs.ts` are made of.

/** The tokens of the shortest passage that counts: as long as one that fingerprints always find. */
const SHORTEST = GRAM + WINDOW - 1
/** Places of the other code at which a passage may go on, of each kind of beginning: repetitive code has many. */
const PLACES_MAX = 16
const PASSAGES_MAX = 500
/** The tokens of common code, such as an idiom that kits have too, that do not end a passage of one's own. */
const BRIDGED = GRAM
/** The characters of each agent that are compared and shown, at most. */
const CHARACTERS_MAX = 400_000

interface PassagesOrder extends Pick<ShippedPrints, 'common'> {
  /** The data folder that has the agent, and the agent. */
  readonly sides: readonly [StoredCode, StoredCode]
}

interface StoredCode {
  readonly data: string
  readonly agent: Sha256
}

const span = z.strictObject({ file: z.int().min(0), from: z.int().min(0), to: z.int().min(0) })
const file = z.strictObject({ path: z.string(), text: z.string() })

/** The code of two stored agents, and what they have in common. Rejects with ExpectedError 'host' like `readAgent`. */
export const passagesJob = readingJob<PassagesOrder, ComparedCode>({
  name: 'common-passages',
  what: 'the code of two agents',
  result: z.strictObject({
    sides: z.tuple([z.array(file), z.array(file)]),
    passages: z.array(z.tuple([span, span])),
  }),
  async read({ sides, common }) {
    const [one, other] = await Promise.all(sides.map(shownCode))
    const plain = (files: readonly CodeFile[]) => files.map(({ path, text }) => ({ path, text }))
    return { sides: [plain(one!), plain(other!)], passages: [...commonPassages(one!, other!, new Set(common))] }
  },
})

async function shownCode({ data, agent }: StoredCode): Promise<readonly CodeFile[]> {
  let left = CHARACTERS_MAX
  return (await codeOf(await readAgent(data, agent))).flatMap((each) => {
    const text = each.text.slice(0, left)
    left -= text.length
    return text === '' ? [] : [{ ...each, text }]
  })
}

/**
 * The passages that two codes have in common, in the order of the first one. Names, texts and layout do not count (`codeTokens`), nor
 * code of which all have the fingerprints (`common`). Each place of the first code is in one passage at most.
 */
export function commonPassages(
  one: readonly CodeFile[],
  other: readonly CodeFile[],
  common: ReadonlySet<number>,
): readonly CodePassage[] {
  const theirs = other.map((each) => scanned(each, common))
  const places = placesOf(theirs)
  const found: CodePassage[] = []
  for (const [index, mine] of one.map((each) => scanned(each, common)).entries()) {
    for (let at = 0; at < mine.own.length && found.length < PASSAGES_MAX;) {
      const best = mine.own[at] === true ? longest(mine, at, theirs, places) : null
      if (best === null) {
        at += 1
        continue
      }
      found.push([spanOf(mine, index, at, best.length), spanOf(theirs[best.file]!, best.file, best.at, best.length)])
      at += best.length
    }
  }
  return found
}

/** A file's tokens, and where its own code is. */
interface Scanned {
  readonly tokens: readonly PlacedToken[]
  /** The hash of the passage of `GRAM` tokens that begins at each. */
  readonly prints: Uint32Array
  /** By token: it is in no passage of common code. */
  readonly own: readonly boolean[]
}

function scanned({ text, comments }: CodeFile, common: ReadonlySet<number>): Scanned {
  const tokens = [...placedTokens(text, comments)]
  const prints = gramPrints(tokens.map(({ kind }) => kind))
  const own = tokens.map(() => true)
  // The fingerprint of a window is the least one, as in winnowing: all windows of common code have a common one.
  for (let at = 0; at + WINDOW <= prints.length; at++)
    if (common.has(Math.min(...prints.subarray(at, at + WINDOW)))) own.fill(false, at, at + SHORTEST)
  return { tokens, prints, own }
}

interface Place {
  readonly file: number
  readonly at: number
}

/** The beginnings of the passages of a code, by their first fingerprint. */
function placesOf(files: readonly Scanned[]): ReadonlyMap<number, readonly Place[]> {
  const places = new Map<number, Place[]>()
  for (const [file, { prints, own }] of files.entries()) {
    for (const [at, print] of prints.entries()) {
      if (own[at] !== true) continue
      const known = places.get(print) ?? []
      if (known.length < PLACES_MAX) known.push({ file, at })
      places.set(print, known)
    }
  }
  return places
}

/** The longest passage of the other code that equals the one from a token on; null: none is long enough. */
function longest(
  mine: Scanned,
  at: number,
  theirs: readonly Scanned[],
  places: ReadonlyMap<number, readonly Place[]>,
): (Place & { readonly length: number }) | null {
  let best: (Place & { readonly length: number }) | null = null
  for (const place of places.get(mine.prints[at]!) ?? []) {
    const length = commonLength(mine, at, theirs[place.file]!, place.at)
    if (length > (best?.length ?? 0)) best = { ...place, length }
  }
  return best
}

/**
 * The number of equal tokens from two places on, up to the last one of the agent's own code; 0 if fewer than `SHORTEST` of them are its
 * own.
 */
function commonLength(mine: Scanned, at: number, theirs: Scanned, to: number): number {
  let length = 0
  let upToOwn = 0
  let own = 0
  while (
    length - upToOwn <= BRIDGED &&
    mine.tokens[at + length] !== undefined &&
    mine.tokens[at + length]!.kind === theirs.tokens[to + length]?.kind
  ) {
    length += 1
    if (mine.own[at + length - 1] !== true) continue
    own += 1
    upToOwn = length
  }
  return own < SHORTEST ? 0 : upToOwn
}

function spanOf({ tokens }: Scanned, file: number, at: number, length: number): CodePassage[number] {
  return { file, from: tokens[at]!.at, to: tokens[at + length - 1]!.end }
}
