import config from './eslint.config.js'

/** The rules of eslint.config.js for the window, those that need types among them: a part of `npm test`. */
export default config.filter(({ name }) => !name?.startsWith('the window without types'))
