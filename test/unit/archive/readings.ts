import { run } from '../cli/environment.ts'

/** The readings of a class: the table of the term, the gradebook and the cases. */
export async function readingsOf(data: string): Promise<Readonly<Record<string, unknown>>> {
  const readings: Record<string, unknown> = {}
  for (const verb of [
    ['class', 'table'],
    ['class', 'gradebook', 'show'],
    ['case', 'list'],
  ]) {
    const { code, stdout } = await run(...verb, '--json', '--data', data)
    if (code !== 0) throw new Error(`${verb.join(' ')}: ${stdout}`)
    readings[verb.join(' ')] = JSON.parse(stdout)
  }
  return readings
}
