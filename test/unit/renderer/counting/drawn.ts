/** How often a picture of the whole match has been worked out. */
export const drawn = { times: 0 }
