/** The parts of a live hearing, which have the same time: each side speaks, then the panel asks. */
export const hearingParts = ['filer', 'other', 'panel'] as const
export type HearingPartOf = (typeof hearingParts)[number]

/** The end of a part, in ms from the beginning of a hearing of `whole` ms. The record does not know the parts: people may write at any time. */
export function endOfPart(part: HearingPartOf, whole: number): number {
  return (whole * (hearingParts.indexOf(part) + 1)) / hearingParts.length
}
