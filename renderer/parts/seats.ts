import type { SeatId } from '../../main/contract/ids.ts'

// Okabe and Ito's palette for all kinds of colour vision, without black, which is the text colour.
const colours = ['#e69f00', '#56b4e9', '#009e73', '#f0e442', '#0072b2', '#d55e00', '#cc79a7'] as const
/** Colours that need light text. */
const dark = new Set(['#0072b2'])

/** Outlines in a box of 24 by 24. */
const shapes = [
  'M12 2a10 10 0 1 0 0 20a10 10 0 1 0 0-20z',
  'M3 3h18v18H3z',
  'M12 0.5L23.5 12L12 23.5L0.5 12z',
  'M12 1.5L23 9.5L18.8 22.5H5.2L1 9.5z',
  'M6.5 2h11L23 12l-5.500 10h-11L1 12z',
  'M12 1L24 22H0z',
  'M7.500 1h9v6.500H23v9h-6.500V23h-9v-6.500H1v-9h6.500z',
] as const

/** A seat's colour, the same on every screen; always shown together with its shape or letter. */
export function seatColour(seat: SeatId): string {
  return colours[seat % colours.length]!
}

/** Text colour on `seatColour`. */
export function seatTextColour(seat: SeatId): string {
  return dark.has(seatColour(seat)) ? '#ffffff' : '#1e1b16'
}

/** An SVG path in a box of 24 by 24. After seven seats, colours are combined with other shapes. */
export function seatShape(seat: SeatId): string {
  return shapes[(seat + Math.floor(seat / colours.length)) % shapes.length]!
}

/** A, B, ... Z, AA, AB, ... */
export function seatLetter(seat: SeatId): string {
  const last = String.fromCharCode(65 + (seat % 26))
  return seat < 26 ? last : seatLetter(Math.floor(seat / 26) - 1) + last
}
