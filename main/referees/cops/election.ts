/**
 * The election of section 2.3.2, step by step. Candidates are numbers; ballots list them, most desirable first, and may lack some.
 * null: nobody wins.
 */
export function elect(candidates: readonly number[], given: readonly (readonly number[])[]): number | null {
  // Steps 1 and 2.
  let ballots = given
  let running = new Set(candidates)
  for (;;) {
    // Step 3.
    if (running.size === 0 || ballots.every((ballot) => ballot.length === 0)) return null
    // Step 4.
    const [first] = running
    if (running.size === 1) return first!
    // Steps 5 and 6.
    const firsts = new Map([...running].map((candidate) => [candidate, 0]))
    for (const [choice] of ballots) if (choice !== undefined) firsts.set(choice, (firsts.get(choice) ?? 0) + 1)
    const most = Math.max(...firsts.values())
    const top = new Set([...running].filter((candidate) => firsts.get(candidate) === most))
    // Step 7.
    if (top.size === running.size) ballots = ballots.map((ballot) => ballot.slice(1))
    // Steps 8 and 9.
    running = top
    ballots = ballots
      .map((ballot) => ballot.filter((candidate) => top.has(candidate)))
      .filter((ballot) => ballot.length > 0)
  }
}
