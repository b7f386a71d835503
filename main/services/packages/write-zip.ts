import { crc32, deflateRawSync } from 'node:zlib'

const utf8Names = 0x0800
const deflated = 8
const version = 20
/** The earliest date in the zip format, so that equal files give equal archives. */
const firstDay = 0x0021

/** Writes a zip of files by path (relative, with forward slashes), in the given order; less than 4 GB in total. */
export function writeZip(files: ReadonlyMap<string, Uint8Array>): Buffer {
  const parts: Buffer[] = []
  const list: Buffer[] = []
  let at = 0
  for (const [path, bytes] of files) {
    const name = Buffer.from(path)
    const packed = deflateRawSync(bytes)
    // The part that both headers of a file share: version, flags, method, time, date, checksum, sizes, length of the
    // name, no extra field.
    const about = Buffer.alloc(26)
    about.writeUInt16LE(version, 0)
    about.writeUInt16LE(utf8Names, 2)
    about.writeUInt16LE(deflated, 4)
    about.writeUInt16LE(firstDay, 8)
    about.writeUInt32LE(crc32(bytes), 10)
    about.writeUInt32LE(packed.length, 14)
    about.writeUInt32LE(bytes.length, 18)
    about.writeUInt16LE(name.length, 22)
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), about, name, packed)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(at, 10)
    list.push(Buffer.from('PK\x01\x02', 'latin1'), uint16(version), about, rest, name)
    at += 30 + name.length + packed.length
  }
  const listBytes = list.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.size, 4)
  end.writeUInt16LE(files.size, 6)
  end.writeUInt32LE(listBytes, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...parts, ...list, Buffer.from('PK\x05\x06', 'latin1'), end])
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}
