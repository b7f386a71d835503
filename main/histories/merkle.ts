import type { Sha256 } from '../contract/ids.ts'
import { sha256 } from './canonical.ts'

/**
 * The tree of RFC 6962 section 2.1 over heads of runs: leaf = SHA256(0x00 head), node = SHA256(0x01 left right), split at
 * the largest power of two below the number of leaves. Heads and hashes are hex outside and bytes inside.
 */
export interface MerkleTree {
  readonly root: Sha256
  readonly count: number
  /** The siblings of a leaf on the way to the root, nearest first. Throws RangeError on a wrong index. */
  path(index: number): Sha256[]
}

/** Builds the tree of at least one head. */
export function merkleTree(heads: readonly Sha256[]): MerkleTree {
  if (heads.length === 0) throw new RangeError('a tree has at least one leaf')
  // Level by level, an odd last node moving up unchanged: the same tree as the recursive definition.
  const levels: Buffer[][] = [heads.map(leaf)]
  for (let level = levels[0]!; level.length > 1;) {
    const above: Buffer[] = []
    for (let i = 0; i < level.length; i += 2) {
      const [left, right] = [level[i]!, level[i + 1]]
      above.push(right === undefined ? left : node(left, right))
    }
    levels.push(above)
    level = above
  }
  return {
    root: levels.at(-1)![0]!.toString('hex'),
    count: heads.length,
    path(index) {
      if (!Number.isInteger(index) || index < 0 || index >= heads.length) throw new RangeError(`no leaf ${index}`)
      const siblings = levels.slice(0, -1).map((level, height) => level[(index >> height) ^ 1])
      return siblings.filter((sibling) => sibling !== undefined).map((sibling) => sibling.toString('hex'))
    },
  }
}

/** Where a path leads from leaf `index` of `count`; null when the path has the wrong length for that place. */
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
