declare module '*-rules.md' {
  import type { Rulebook } from './rulebook.ts'

  const rulebook: Rulebook
  export default rulebook
}
