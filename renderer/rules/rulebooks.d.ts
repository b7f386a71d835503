declare module '*-rules.md' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-imports -- such a declaration cannot import by a relative name
  const rulebook: import('./rulebook.ts').Rulebook
  export default rulebook
}
declare module '*.md?contents' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-imports -- as above
  export const pages: readonly import('../help/page.ts').ManualPage[]
}
