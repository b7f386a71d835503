import { deflateSync, inflateSync, crc32 } from 'node:zlib'

/** Pictures of screens have few colours: with a palette of 256 they take a third of the room. */

export interface Pixels {
  readonly width: number
  readonly height: number
  /** Red, green, blue, row by row. */
  readonly rgb: Uint8Array
}

/** Gives a picture with at most 256 colours as PNG. */
export function withPalette({ width, height, rgb }: Pixels): Uint8Array {
  const counts = new Map<number, number>()
  for (let at = 0; at < rgb.length; at += 3) {
    const colour = colourAt(rgb, at)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  const { palette, indexOf } = reduce(counts)
  const rows = new Uint8Array(height * (width + 1))
  for (let y = 0, from = 0; y < height; y++) {
    const row = y * (width + 1)
    for (let x = 1; x <= width; x++, from += 3) rows[row + x] = indexOf.get(colourAt(rgb, from))!
  }
  return write(width, height, palette, rows)
}

const colourAt = (rgb: Uint8Array, at: number): number => (rgb[at]! << 16) | (rgb[at + 1]! << 8) | rgb[at + 2]!
const channel = (colour: number, which: number): number => (colour >> (16 - 8 * which)) & 255

/** Median cut: the box with the most to lose is halved until there are 256. Each colour's index, and the palette. */
function reduce(counts: ReadonlyMap<number, number>): { palette: readonly number[]; indexOf: Map<number, number> } {
  let boxes = [boxOf([...counts.keys()], counts)]
  while (boxes.length < 256) {
    const widest = boxes.reduce((best, box) => (box.loss > best.loss ? box : best))
    if (widest.loss === 0) break
    const colours = widest.colours.toSorted((a, b) => channel(a, widest.axis) - channel(b, widest.axis))
    const half = Math.max(
      1,
      colours.findIndex((colour) => channel(colour, widest.axis) > widest.middle),
    )
    boxes = boxes.filter((box) => box !== widest)
    boxes.push(boxOf(colours.slice(0, half), counts), boxOf(colours.slice(half), counts))
  }
  const indexOf = new Map<number, number>()
  const palette = boxes.map(({ colours }, index) => {
    for (const colour of colours) indexOf.set(colour, index)
    // Its commonest colour, as it is: paper stays paper.
    return colours.reduce((best, colour) => (counts.get(colour)! > counts.get(best)! ? colour : best))
  })
  return { palette, indexOf }
}

function boxOf(colours: readonly number[], counts: ReadonlyMap<number, number>) {
  let [axis, range, middle] = [0, -1, 0]
  for (const which of [0, 1, 2]) {
    let [low, high] = [255, 0]
    for (const colour of colours) {
      low = Math.min(low, channel(colour, which))
      high = Math.max(high, channel(colour, which))
    }
    if (high - low > range) [axis, range, middle] = [which, high - low, Math.floor((low + high) / 2)]
  }
  const pixels = colours.reduce((sum, colour) => sum + counts.get(colour)!, 0)
  return { colours, axis, middle, loss: range * range * Math.sqrt(pixels) }
}

/** Bytes of a pixel by the colour type: RGB, a palette, RGBA. */
const SIZES = new Map([
  [2, 3],
  [3, 1],
  [6, 4],
])

/** `png`: as Chromium or `withPalette` makes it, 8 bits a channel, without transparency. Throws an Error for others. */
export function readPixels(png: Uint8Array): Pixels {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength)
  const [width, height, depth, type] = [view.getUint32(16), view.getUint32(20), png[24], png[25]]
  const size = SIZES.get(type ?? NaN)
  if (depth !== 8 || size === undefined) throw new Error(`a PNG of depth ${depth} and colour type ${type}`)
  const data: Uint8Array[] = []
  let palette = new Uint8Array()
  for (let at = 8; at < png.length;) {
    const length = view.getUint32(at)
    const name = String.fromCharCode(...png.subarray(at + 4, at + 8))
    const body = png.subarray(at + 8, at + 8 + length)
    if (name === 'IDAT') data.push(body)
    if (name === 'PLTE') palette = Uint8Array.from(body)
    at += 12 + length
  }
  const bytes = unfiltered(inflateSync(Buffer.concat(data)), width, height, size)
  if (size === 3) return { width, height, rgb: bytes }
  const rgb = new Uint8Array(width * height * 3)
  for (let i = 0; i < width * height; i++) {
    const from = size === 1 ? bytes[i]! * 3 : i * 4
    rgb.set((size === 1 ? palette : bytes).subarray(from, from + 3), i * 3)
  }
  return { width, height, rgb }
}

/** Undoes the filters of the rows, by section 9 of the PNG specification. `size`: bytes of a pixel. */
function unfiltered(raw: Uint8Array, width: number, height: number, size: number): Uint8Array {
  const stride = width * size
  const bytes = new Uint8Array(height * stride)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)]!
    for (let x = 0; x < stride; x++) {
      const left = x < size ? 0 : bytes[y * stride + x - size]!
      const up = y === 0 ? 0 : bytes[(y - 1) * stride + x]!
      const corner = x < size || y === 0 ? 0 : bytes[(y - 1) * stride + x - size]!
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]!
      bytes[y * stride + x] = raw[y * (stride + 1) + 1 + x]! + guess
    }
  }
  return bytes
}

/** The filter of section 9.4 of the PNG specification. */
function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

function write(width: number, height: number, palette: readonly number[], rows: Uint8Array): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const colours = Uint8Array.from(palette.flatMap((colour) => [0, 1, 2].map((which) => channel(colour, which))))
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', new Uint8Array()),
  ])
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
