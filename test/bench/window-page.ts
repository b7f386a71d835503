import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { resources } from '../../main/services/machine/resources.ts'
import { rowOf, type Bench } from './row.ts'

/** How large the window is as it is built: what runs, packed as a package packs it, and what it needs besides. */
export const windowPage: Bench = {
  name: 'window-page',
  async measure() {
    const assets = join(resources.renderer, 'assets')
    const files = readdirSync(assets).map((name) => join(assets, name))
    const code = files.filter((file) => /\.(js|css)$/.test(file))
    const others = files.filter((file) => !code.includes(file))
    const packed = kilobytes(code, (file) => gzipSync(readFileSync(file)).length)
    return [
      rowOf(
        { name: 'window, scripts and styles of all screens', value: kilobytes(code, sizeOf), unit: 'kB' },
        { name: 'the same, gzipped', value: packed, unit: 'kB' },
      ),
      rowOf(
        { name: 'window, the largest of its scripts', value: Math.max(...code.map(sizeOf)) / 1_000, unit: 'kB' },
        { name: 'its fonts and pictures', value: kilobytes(others, sizeOf), unit: 'kB' },
      ),
    ]
  },
}

const sizeOf = (file: string): number => statSync(file).size

function kilobytes(files: readonly string[], size: (file: string) => number): number {
  return files.reduce((sum, file) => sum + size(file), 0) / 1_000
}
