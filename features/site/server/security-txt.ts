import type { RawRoute } from '#platform/server/feature.ts'
import { readSiteConfig } from './config.ts'

const DAY_MS = 86_400_000
/** RFC 9116 recommends less than a year. The text is generated for each request, so it never expires. */
const GOOD_DAYS = 180

/** Contact for reporting vulnerabilities (RFC 9116). */
export const securityTxt: RawRoute = {
  method: 'GET',
  path: '/.well-known/security.txt',
  role: 'api',
  handle: async (deps) => {
    const { SECURITY_CONTACT, SUPPORT_EMAIL } = readSiteConfig(deps.config)
    const expires = new Date((Math.floor(deps.clock.now().getTime() / DAY_MS) + GOOD_DAYS) * DAY_MS)
    const lines = [
      `Contact: ${SECURITY_CONTACT ?? `mailto:${SUPPORT_EMAIL}`}`,
      `Expires: ${expires.toISOString().replace('.000Z', 'Z')}`,
      'Preferred-Languages: zh, en',
      `Canonical: ${deps.siteUrl()}/.well-known/security.txt`,
    ]
    return { status: 200, type: 'text/plain; charset=utf-8', body: `${lines.join('\n')}\n` }
  },
}
