declare module '*-rules.md' {
  const rulebook: import('./rulebook.ts').Rulebook
  export default rulebook
}
