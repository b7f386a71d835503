/** The graph of Mycielski with 11 vertices and 20 edges, as the collection of DIMACS has it. */
export const myciel3 = `c FILE: myciel3.col
c SOURCE: Michael Trick
p edge 11 20
${'1 2,1 4,1 7,1 9,2 3,2 6,2 8,3 5,3 7,3 10,4 5,4 6,4 10,5 8,5 9,6 11,7 11,8 11,9 11,10 11'
  .split(',')
  .map((edge) => `e ${edge}\n`)
  .join('')}`

/** Cities of Burma, whose shortest tour is known. */
export const burma14 = `NAME: burma14
TYPE: TSP
COMMENT: 14-Staedte in Burma (Zaw Win)
DIMENSION: 14
EDGE_WEIGHT_TYPE: GEO
EDGE_WEIGHT_FORMAT: FUNCTION
DISPLAY_DATA_TYPE: COORD_DISPLAY
NODE_COORD_SECTION
   1  16.47       96.10
   2  16.47       94.44
   3  20.09       92.54
   4  22.39       93.37
   5  25.23       97.24
   6  22.00       96.05
   7  20.47       97.02
   8  17.20       96.29
   9  16.30       97.38
  10  14.05       98.12
  11  16.53       97.38
  12  21.52       95.59
  13  19.41       97.13
  14  20.09       94.55
EOF
`
