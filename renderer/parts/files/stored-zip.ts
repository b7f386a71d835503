/** The version of the format that a reader needs, the flag of names in UTF-8, and its earliest date, so that equal files give equal zips. */
const VERSION = 20
const UTF8_NAMES = 0x0800
const FIRST_DAY = 0x0021

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit++) sum = (sum & 1) === 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  return sum
})

function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) sum = (sum >>> 8) ^ crcTable[(sum ^ byte) & 0xff]!
  return (sum ^ 0xffffffff) >>> 0
}

/** The parts of a zip (APPNOTE 6.3) of files that are stored as they are. */
export function storedZip(files: readonly (readonly [string, Uint8Array])[]): Uint8Array<ArrayBuffer>[] {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const list: Uint8Array<ArrayBuffer>[] = []
  let at = 0
  for (const [path, bytes] of files) {
    const name = new TextEncoder().encode(path)
    // Shared by both headers of a file: version, flags, method 0, time, date, checksum, sizes, length of the name, no extra field.
    const about = numbers([
      ...([
        [VERSION, 2],
        [UTF8_NAMES, 2],
        [0, 2],
        [0, 2],
        [FIRST_DAY, 2],
        [crc32(bytes), 4],
      ] as const),
      ...([
        [bytes.length, 4],
        [bytes.length, 4],
        [name.length, 2],
        [0, 2],
      ] as const),
    ])
    parts.push(numbers([[0x04034b50, 4]]), about, name, Uint8Array.from(bytes))
    // No comment, disk 0, no attributes, and the place of the file.
    const rest = numbers([
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [at, 4],
    ])
    list.push(
      numbers([
        [0x02014b50, 4],
        [VERSION, 2],
      ]),
      about,
      rest,
      name,
    )
    at += 30 + name.length + bytes.length
  }
  const listBytes = list.reduce((sum, { length }) => sum + length, 0)
  const end = numbers([
    ...([
      [0x06054b50, 4],
      [0, 2],
      [0, 2],
      [files.length, 2],
      [files.length, 2],
    ] as const),
    ...([
      [listBytes, 4],
      [at, 4],
      [0, 2],
    ] as const),
  ])
  return [...parts, ...list, end]
}

/** Numbers of 2 or 4 bytes, little-endian. */
function numbers(values: readonly (readonly [number, 2 | 4])[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(values.reduce((sum, [, size]) => sum + size, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [value, size] of values) {
    if (size === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += size
  }
  return bytes
}
