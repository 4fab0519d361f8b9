import { createHmac } from 'node:crypto'
import { textOf } from '../port.ts'
import type { WidgetConfig, WidgetVendor } from '../port.ts'

const baseOf = (config: WidgetConfig) => textOf(config, 'CHATWOOT_BASE_URL').replace(/\/$/, '')

/** HMAC-SHA256 of the identifier with the inbox's token, hex: what Chatwoot calls identifier_hash. */
export function identifierHash(token: string, identifier: string): string {
  return createHmac('sha256', token).update(identifier).digest('hex')
}

/** Chatwoot, its cloud or one's own server. The conversation lives in a frame of that host, so that host is all a page reaches. */
export const chatwoot: WidgetVendor = {
  id: 'chatwoot',
  needsContact: true,
  available: (config) => textOf(config, 'CHATWOOT_WEBSITE_TOKEN') !== '' && textOf(config, 'CHATWOOT_HMAC_TOKEN') !== '',
  sources: (config) => {
    const { origin } = new URL(baseOf(config))
    return {
      'script-src': [origin],
      'connect-src': [origin, origin.replace(/^http/, 'ws')],
      'frame-src': [origin],
      'img-src': [origin],
      'media-src': [origin],
    }
  },
  boot: (config, user) => ({
    script: `${baseOf(config)}/packs/js/sdk.js`,
    settings: { websiteToken: textOf(config, 'CHATWOOT_WEBSITE_TOKEN'), baseUrl: baseOf(config) },
    user: user
      ? {
          identifier: user.userId,
          identifier_hash: identifierHash(textOf(config, 'CHATWOOT_HMAC_TOKEN'), user.userId),
          ...(user.email ? { email: user.email } : {}),
          ...(user.mobile ? { phone_number: user.mobile } : {}),
        }
      : null,
  }),
}
