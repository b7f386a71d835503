import config from './eslint.config.js'

/** The rules of eslint.config.js for components, those that need types among them: a part of `npm test`. */
export default config.filter(({ name }) => !name?.startsWith('components without types'))
