// Writes main/administrator/people/common-passwords.ts from lib/frequency_lists.js of the package zxcvbn 4.4.2 (MIT), unpacked:
// node scripts/common-passwords.mjs zxcvbn/lib/frequency_lists.js
import { createRequire } from 'node:module'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'

const lists = createRequire(import.meta.url)(resolve(argv[2]))
/** A password has at least ten characters, so shorter ones need not be on the list. */
const long = (words) => words.filter((word) => word.length >= 10)
// A word is in the list in which it is commonest only: "basketball" is an English word there, and a password too.
const words = new Set([...long(lists.passwords), ...Object.values(lists).flatMap((list) => long(list.slice(0, 4_000)))])
const lines = []
for (const word of [...words].toSorted()) {
  if (!/^[\w!@#$%^&*.,?=+-]+$/.test(word) || word.includes('${')) continue
  if (lines.length === 0 || lines.at(-1).length + 1 + word.length > 118) lines.push(word)
  else lines[lines.length - 1] += ` ${word}`
}
writeFileSync(
  fileURLToPath(new URL('../main/administrator/people/common-passwords.ts', import.meta.url)),
  `// Written by scripts/common-passwords.mjs from the frequency lists of zxcvbn 4.4.2 (Dan Wheeler and Dropbox, MIT licence): its 30,000
// commonest passwords, and the 4,000 commonest words and names of each other list, as far as they have ten characters or more.
export const commonPasswords = \`
${lines.join('\n')}
\`
`,
)
