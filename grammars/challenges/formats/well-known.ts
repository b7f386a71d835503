/** An edge joins two vertices, numbered from 1, the smaller one first. */
export type Edge = { readonly a: number; readonly b: number }

/** The graph of Mycielski `mycielN` of the collection of DIMACS: no triangle, and N + 1 colours are needed. `n`: at least 2. */
export function mycielski(n: number): { readonly vertices: number; readonly edges: readonly Edge[] } {
  let [vertices, edges]: [number, readonly Edge[]] = [2, [{ a: 1, b: 2 }]]
  for (let round = 2; round <= n; round++) {
    // Each vertex has a copy with the same neighbours, and one more vertex is joined to all copies.
    const copies = edges.flatMap(({ a, b }) => [
      { a, b: vertices + b },
      { a: b, b: vertices + a },
    ])
    const last = 2 * vertices + 1
    const joined = Array.from({ length: vertices }, (_, at) => ({ a: vertices + at + 1, b: last }))
    ;[vertices, edges] = [last, [...edges, ...copies, ...joined]]
  }
  return { vertices, edges }
}

/** The graph `queenN_N` of the collection: squares of a board, numbered row by row, of which a queen attacks one from the other. */
export function queens(n: number): { readonly vertices: number; readonly edges: readonly Edge[] } {
  const edges: Edge[] = []
  for (let a = 0; a < n * n; a++) {
    for (let b = a + 1; b < n * n; b++) {
      const [down, right] = [Math.floor(b / n) - Math.floor(a / n), (b % n) - (a % n)]
      if (down === 0 || right === 0 || down === Math.abs(right)) edges.push({ a: a + 1, b: b + 1 })
    }
  }
  return { vertices: n * n, edges }
}

/** The places of problems of TSPLIB whose distances are GEO: latitudes and longitudes, as degrees and minutes. */
export const placesOnEarth: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  burma14: [
    ...([
      [16.47, 96.1],
      [16.47, 94.44],
      [20.09, 92.54],
      [22.39, 93.37],
      [25.23, 97.24],
    ] as const),
    ...([
      [22, 96.05],
      [20.47, 97.02],
      [17.2, 96.29],
      [16.3, 97.38],
      [14.05, 98.12],
    ] as const),
    ...([
      [16.53, 97.38],
      [21.52, 95.59],
      [19.41, 97.13],
      [20.09, 94.55],
    ] as const),
  ],
  ulysses16: [
    ...([
      [38.24, 20.42],
      [39.57, 26.15],
      [40.56, 25.32],
      [36.26, 23.12],
      [33.48, 10.54],
    ] as const),
    ...([
      [37.56, 12.19],
      [38.42, 13.11],
      [37.52, 20.44],
      [41.23, 9.1],
      [41.17, 13.05],
    ] as const),
    ...([
      [36.08, -5.21],
      [38.47, 15.13],
      [38.15, 15.35],
      [37.51, 15.17],
      [35.49, 14.32],
      [39.36, 19.56],
    ] as const),
  ],
}
