import type { Sha256 } from '../contract/ids.ts'
import { sha256 } from './canonical.ts'

/**
 * The Merkle tree of RFC 6962 section 2.1 over heads of runs: leaf = SHA256(0x00 head), node = SHA256(0x01 left right),
 * split at the largest power of two below the number of leaves. Heads and hashes are hex in the interface and hashed as
 * bytes.
 */
export interface MerkleTree {
  readonly root: Sha256
  readonly count: number
  /** The siblings of a leaf on the way to the root, nearest first. Throws RangeError on a wrong index. */
  path(index: number): Sha256[]
}

/** Builds the tree of at least one head. */
export function merkleTree(heads: readonly Sha256[]): MerkleTree {
  const levels = levelsOver(heads.map(leaf))
  return {
    root: levels.at(-1)![0]!.toString('hex'),
    count: heads.length,
    path(index) {
      if (!Number.isInteger(index) || index < 0 || index >= heads.length) throw new RangeError(`no leaf ${index}`)
      return siblingsOf(levels, index)
    },
  }
}

/** A Merkle tree whose leaves are not kept in memory. */
export interface LargeTree extends Pick<MerkleTree, 'root' | 'count'> {
  /** Like `MerkleTree.path`; rejects like `heads`. */
  path(index: number): Promise<Sha256[]>
}

/** The number of leaves in a part of a large tree: a power of two, so that parts are complete subtrees. */
const PART = 1_024

/**
 * Builds the tree of `count` heads, at least one, with memory for a thousandth of them. `heads` returns the heads from
 * one index to before another; computing a path calls it again.
 */
export async function largeTree(
  count: number,
  heads: (from: number, to: number) => Promise<readonly Sha256[]>,
): Promise<LargeTree> {
  const partOf = async (number: number): Promise<MerkleTree> =>
    merkleTree(await heads(number * PART, Math.min(count, (number + 1) * PART)))
  const roots: Buffer[] = []
  for (let number = 0; number * PART < count; number++) roots.push(Buffer.from((await partOf(number)).root, 'hex'))
  const levels = levelsOver(roots)
  let last: { readonly number: number; readonly part: MerkleTree } | null = null
  return {
    root: levels.at(-1)![0]!.toString('hex'),
    count,
    async path(index) {
      const number = Math.floor(index / PART)
      if (last?.number !== number) last = { number, part: await partOf(number) }
      return [...last.part.path(index % PART), ...siblingsOf(levels, number)]
    },
  }
}

/** Builds the tree level by level; an odd last node moves up unchanged, which equals the recursive definition. */
function levelsOver(nodes: readonly Buffer[]): readonly (readonly Buffer[])[] {
  if (nodes.length === 0) throw new RangeError('a tree has at least one leaf')
  const levels = [nodes]
  for (let level = nodes; level.length > 1;) {
    const above: Buffer[] = []
    for (let i = 0; i < level.length; i += 2) {
      const [left, right] = [level[i]!, level[i + 1]]
      above.push(right === undefined ? left : node(left, right))
    }
    levels.push(above)
    level = above
  }
  return levels
}

function siblingsOf(levels: readonly (readonly Buffer[])[], index: number): Sha256[] {
  const siblings = levels.slice(0, -1).map((level, height) => level[(index >> height) ^ 1])
  return siblings.filter((sibling) => sibling !== undefined).map((sibling) => sibling.toString('hex'))
}

/** The root that a path gives from leaf `index` of `count`; null if the path has the wrong length for that leaf. */
export function rootFrom(head: Sha256, index: number, count: number, path: readonly Sha256[]): Sha256 | null {
  if (!Number.isSafeInteger(count) || !Number.isInteger(index) || index < 0 || index >= count) return null
  let value = leaf(head)
  let used = 0
  let at = index
  for (let last = count - 1; last > 0; last = Math.floor(last / 2)) {
    const alone = at === last && at % 2 === 0
    if (!alone) {
      const sibling = path[used++]
      if (sibling === undefined) return null
      const other = Buffer.from(sibling, 'hex')
      value = at % 2 === 0 ? node(value, other) : node(other, value)
    }
    at = Math.floor(at / 2)
  }
  return used === path.length ? value.toString('hex') : null
}

function leaf(head: Sha256): Buffer {
  return Buffer.from(sha256(Buffer.concat([Buffer.of(0), Buffer.from(head, 'hex')])), 'hex')
}

function node(left: Buffer, right: Buffer): Buffer {
  return Buffer.from(sha256(Buffer.concat([Buffer.of(1), left, right])), 'hex')
}
