/** Help text for the argument that names a challenge. */
export const which = 'a .challenge file, or the name of a built-in challenge, such as max-csp, or of one of the class'
