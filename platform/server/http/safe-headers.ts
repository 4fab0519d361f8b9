import type { FastifyInstance } from 'fastify'
import type { Deps } from '../feature.ts'

/** Headers for replies other than our pages: a browser may do nothing with them. Pages and sandbox pages set a policy of their own. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': `default-src 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}
/** ASVS 3.4.1 asks for a year at least, and at level 2 for all hosts below this one. */
const YEAR_SECONDS = 31_536_000

/** Puts the headers on every reply of the platform that does not bring its own. The model API's replies do not pass here: they look like their vendor's. */
export function mountSafeHeaders(app: FastifyInstance, { config, publicUrl }: Pick<Deps, 'config' | 'publicUrl'>): void {
  const hsts = `max-age=${YEAR_SECONDS}${config.HSTS_SUBDOMAINS ? '; includeSubDomains' : ''}`
  app.addHook('onSend', (_request, reply, payload, done) => {
    for (const name in HEADERS) if (!reply.hasHeader(name)) reply.header(name, HEADERS[name])
    if (publicUrl().startsWith('https://')) reply.header('strict-transport-security', hsts)
    done(null, payload)
  })
}
