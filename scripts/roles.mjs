// `npm run roles`: writes docs/roles.md, the table of who may call what, from main/contract/procedures/access.ts.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { entry, note, root } from './setup.mjs'

const preamble = `# Roles

<!-- Written by \`npm run roles\` from the table in main/contract/procedures/access.ts. Edit the table instead. -->

Everybody in a class has one role. The person at the machine of the class is always an educator.

| Role      | May                                                                                                                 |
| --------- | ------------------------------------------------------------------------------------------------------------------- |
| educator  | everything                                                                                                          |
| assistant | what an educator may, except for people, keys, trust, deletions, and decisions about entrants                          |
| student   | see what the class has made public, and use what belongs to their team: its agents, their sources, output and faults |
| guest     | see what the class has made public, if the educator admits guests                                                   |

A **terminal** that somebody has signed in, such as \`tartaglia submit\`, may only hand in: call the procedures and send the files that have
"yes" in the last column, as far as the role of its person goes. Everything else does not exist for it.

Somebody who has left the class may call nothing. A role that is taken away ends with the next call.

**Public** are contests that have begun, ended, ask for entries or recur, with their standings and the histories of finished matches;
matches that are being played, as spectators see them; challenges that ship or that such contests use; texts such as maps; kits, components,
and sources that the reveal rule has made public. The version of an agent that plays is public, with its number and its hash, which the
histories of its matches name, but neither when it was handed in nor how its trial ended; candidates, former versions and those
that failed are its team's. A contest that was never started is the educator's draft, and a practice is known to its team
alone. An object that somebody may not see is answered exactly like one that does not exist.

A student or guest gets less than an educator in answers marked "in part": no output and no faults of other teams' agents, no messages
for educators, no addresses or credentials of an arena, no paths of the machine. A file that was uploaded or opened can be used by the
person who did that, and by nobody else, whatever their role. A download is for whoever began it. A student may keep 10 uploaded files of
128 MB in all, unless the class sets other limits, and send two at a time; older ones are dropped.
`

const file = join(root, 'docs', 'roles.md')
const roles = ['educator', 'assistant', 'student', 'guest']
const headings = { procedures: 'Procedures', topics: 'Topics', uploads: 'Uploads' }

/** The text of the page. */
export async function rolesPage() {
  const { procedureAccess, topicAccess, uploadAccess } = await import('../main/contract/procedures/access.ts')
  const tables = { procedures: procedureAccess, topics: topicAccess, uploads: uploadAccess }
  const sections = Object.entries(tables).map(([id, rows]) => `## ${headings[id]}\n\n${table(Object.entries(rows))}\n`)
  const page = `${preamble}\n${sections.join('\n')}`
  const { format, resolveConfig } = await import('prettier')
  return format(page, { ...(await resolveConfig(file)), filepath: file })
}

function table(rows) {
  const head = ['| Name | In words | Terminal |', '| --- | --- | --- |']
  const cells = rows.map(([name, row]) => [`\`${name}\``, sentence(row), row.terminal === true ? 'yes' : ''])
  return [...head, ...cells.map((each) => `| ${each.join(' | ')} |`)].join('\n')
}

/** One sentence about a row, such as "Educators and assistants; a student for their team." */
export function sentence(row) {
  const those = (reach) => roles.filter((role) => row[role] === reach)
  if (row.onlyHere === true) return 'The person at this machine.'
  const parts = []
  if (those('all').length > 0) parts.push(`${listed(those('all').map((role) => `${role}s`))}`)
  if (those('own').length > 0)
    parts.push(
      `${listed(those('own').map((role) => `${role}s`))} on what is theirs or their team's${row.studentsIf === undefined ? '' : ', while the class lets them play by hand'}`,
    )
  if (those('public').length > 0)
    parts.push(
      `${listed(those('public').map((role) => `${role}s`))} ${publicWords(row)}${row.leave === undefined ? '' : ', in part'}`,
    )
  const text = parts.join('; ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** An assistant with this reach changes settings. */
function publicWords(row) {
  return row.assistant === 'public' ? 'on what concerns neither keys nor trust' : 'on what is public to them'
}

function listed(words) {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

if (pathToFileURL(process.argv[1]).href === import.meta.url) {
  await entry(async () => {
    writeFileSync(file, await rolesPage())
    note(`${file} is written.`)
    return 0
  })
}
