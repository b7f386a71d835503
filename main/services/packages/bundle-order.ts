import type { PackageFile } from './files.ts'

/** The input of the bundler's process: esbuild as WebAssembly, its arguments, and the package's files. */
export interface BundleOrder {
  readonly wasm: Uint8Array
  readonly args: readonly string[]
  readonly files: readonly PackageFile[]
}

interface Head {
  readonly args: readonly string[]
  readonly wasm: number
  readonly files: readonly (readonly [path: string, size: number])[]
}

/** The order as bytes: the length of the head in four bytes, the head as JSON, then all contents in order. */
export function writeBundleOrder({ wasm, args, files }: BundleOrder): Buffer {
  const head: Head = { args, wasm: wasm.length, files: files.map(({ path, bytes }) => [path, bytes.length]) }
  const text = Buffer.from(JSON.stringify(head))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  return Buffer.concat([length, text, wasm, ...files.map(({ bytes }) => bytes)])
}

/** Reads an order that this program wrote from a stream, which need not end. */
export async function readOrder(stream: AsyncIterable<Uint8Array>): Promise<BundleOrder> {
  const parts: Uint8Array[] = []
  let size = 0
  let wanted = 4
  let head: Head | null = null
  for await (const part of stream) {
    parts.push(part)
    size += part.length
    if (head === null && size >= wanted) {
      const start = Buffer.concat(parts)
      const length = start.readUInt32BE()
      wanted = 4 + length
      if (size >= wanted) {
        head = JSON.parse(start.toString('utf8', 4, wanted)) as Head
        wanted += head.files.reduce((sum, [, bytes]) => sum + bytes, head.wasm)
      }
    }
    if (head !== null && size >= wanted) break
  }
  if (head === null || size < wanted) throw new Error('the order is cut off')
  const all = Buffer.concat(parts)
  let at = wanted - head.files.reduce((sum, [, bytes]) => sum + bytes, head.wasm)
  const take = (length: number): Uint8Array => all.subarray(at, (at += length))
  const wasm = take(head.wasm)
  return { wasm, args: head.args, files: head.files.map(([path, length]) => ({ path, bytes: take(length) })) }
}

/** The names of esbuild's output files. */
export const bundleName = 'bundle.js'
export const metafileName = 'meta.json'
export const sourceMapName = `${bundleName}.map`

/**
 * The output of the bundler's process: the bundle, esbuild's metafile, which says what it was made from, and the source
 * map; empty: none was requested.
 */
export interface BundleResult {
  readonly bundle: Uint8Array
  readonly metafile: Uint8Array
  readonly sourceMap: Uint8Array
}

/** A result as bytes: the lengths of metafile and source map in four bytes each, both, then the bundle. */
export function writeBundleResult({ bundle, metafile, sourceMap }: BundleResult): Buffer {
  const lengths = Buffer.alloc(8)
  lengths.writeUInt32BE(metafile.length)
  lengths.writeUInt32BE(sourceMap.length, 4)
  return Buffer.concat([lengths, metafile, sourceMap, bundle])
}

/** Reads a result that `writeBundleResult` wrote. */
export function readBundleResult(bytes: Uint8Array): BundleResult {
  const result = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const end = 8 + result.readUInt32BE()
  const last = end + result.readUInt32BE(4)
  return { metafile: result.subarray(8, end), sourceMap: result.subarray(end, last), bundle: result.subarray(last) }
}
