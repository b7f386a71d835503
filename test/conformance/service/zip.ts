import { crc32, deflateRawSync } from 'node:zlib'

/** A zip as tools write it, its files in the order given. `lie` may change what the list of files says of each. */
export function zip(
  files: Readonly<Record<string, string | Uint8Array>> | readonly (readonly [string, string | Uint8Array])[],
  lie?: (central: Buffer, name: string) => void,
): Buffer {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  const pairs = Array.isArray(files)
    ? (files as readonly (readonly [string, string | Uint8Array])[])
    : Object.entries(files)
  let at = 0
  for (const [name, content] of pairs) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE(8, 10)
    central.writeUInt32LE(crc32(bytes), 16)
    central.writeUInt32LE(packed.length, 20)
    central.writeUInt32LE(bytes.length, 24)
    central.writeUInt16LE(Buffer.byteLength(name), 28)
    central.writeUInt32LE(at, 42)
    lie?.(central, name)
    centrals.push(central, Buffer.from(name))
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(Buffer.byteLength(name), 26)
    locals.push(local, Buffer.from(name), packed)
    at += 30 + Buffer.byteLength(name) + packed.length
  }
  const list = Buffer.concat(centrals)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(pairs.length, 8)
  end.writeUInt16LE(pairs.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, list, end])
}
