/** The path of a part of a value, from the innermost step outwards; null: the value itself. */
export type Path = { readonly inside: Path; readonly step: string | number } | null

/** `constraints[3].weight`, counted from 0 like in `values.validate`. The middle of a long path is left out. */
export function pathText(path: Path): string {
  const steps: string[] = []
  for (let at = path; at; at = at.inside) steps.push(typeof at.step === 'number' ? `[${at.step}]` : `.${at.step}`)
  steps.reverse()
  const shown = steps.length > 40 ? [...steps.slice(0, 20), '..', ...steps.slice(-20)] : steps
  return shown.join('').replace(/^\./, '')
}
