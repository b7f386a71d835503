import type { FastifyHelmetOptions } from '@fastify/helmet'

/**
 * Our content security policy: pages may load their own scripts, styles, fonts and pictures and connect to their origin. No
 * inline code, no eval, no framing or embedding, and no referrer for other sites.
 */
export const securityHeaders: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'img-src': ["'self'", 'data:'],
      'font-src': ["'self'"],
      'connect-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
    },
  },
  referrerPolicy: { policy: 'no-referrer' },
  frameguard: { action: 'deny' },
  crossOriginOpenerPolicy: { policy: 'same-origin' },
  crossOriginResourcePolicy: { policy: 'same-origin' },
  // HTTPS only; this is a loopback address.
  strictTransportSecurity: false,
}
