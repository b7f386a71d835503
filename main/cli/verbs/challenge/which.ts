/** What the verbs of `challenge` say of their first argument. */
export const which = 'a .challenge file, or the name of one that ships, such as max-csp'
