// The output of npm while it installs, and the line that a person reads meanwhile.

/** The state of an install after a number of seconds. npm puts most packages in their place only after it looked all of them up. */
export const progressLine = (here, all, answers, seconds) =>
  `${answers} answers of the package registry, ${here} of ${all} packages in their place, ${seconds} s`

/** Divides the output of npm into the answers of the registry that it names and its other words. */
export function npmWords(output) {
  const lines = output.split('\n')
  const words = lines.filter((line) => !line.startsWith('npm http '))
  return { answers: lines.length - words.length, words: words.join('\n') }
}
