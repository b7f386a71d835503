/** What verbs say of a challenge that they are given. */
export const which = 'a .challenge file, or the name of a challenge that ships, such as max-csp, or of one of the class'
