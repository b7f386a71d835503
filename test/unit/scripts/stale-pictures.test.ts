import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readPixels, withPalette, type Pixels } from '../../e2e/pictures/png.ts'
import { stalePictures } from '../../e2e/pictures/stale-pictures.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const picture = readPixels(readFileSync('docs/images/sign-in-normal-light-390.png'))

/** The picture with other values of colours: `change` gets each one, its column and row, and its place among them. */
function changed(change: (value: number, x: number, y: number, at: number) => number): Pixels {
  const { width, rgb } = picture
  const values = rgb.map((value, at) => change(value, Math.floor(at / 3) % width, Math.floor(at / 3 / width), at))
  return { ...picture, rgb: values }
}

/** The parts of stale pictures, if this one is made where another is shown; null: none is made. */
function staleWith(made: Pixels | null): readonly (number | null)[] {
  const [shown, anew] = [temporaryFolder('shown'), temporaryFolder('made')]
  writeFileSync(join(shown, 'a.png'), withPalette(picture))
  writeFileSync(join(shown, 'a.svg'), '<svg/>')
  if (made !== null) writeFileSync(join(anew, 'a.png'), withPalette(made))
  return stalePictures(shown, anew).map(({ name, part }) => {
    expect(name).toBe('a.png')
    return part
  })
}

test('a picture with other edges of letters is not stale', () => {
  expect(staleWith(picture)).toEqual([])
  expect(staleWith(changed((value, x, y) => Math.min(255, value + ((x * 7 + y * 3) % 40))))).toEqual([])
  // A pixel to the right.
  expect(staleWith(changed((value, x, _, at) => (x === 0 ? value : picture.rgb[at - 3]!)))).toEqual([])
})

test('a picture that lacks a word, has another size or was not made is stale', () => {
  const word = changed((value, x, y) => (x >= 20 && x < 60 && y >= 20 && y < 34 ? 0 : value))
  expect(staleWith(word)).toEqual([expect.closeTo((40 * 14) / (picture.width * picture.height), 3)])
  const { width, height, rgb } = picture
  expect(staleWith({ width, height: height - 1, rgb: rgb.subarray(0, (height - 1) * width * 3) })).toEqual([1])
  expect(staleWith(null)).toEqual([null])
})
