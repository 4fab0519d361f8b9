import { createHmac } from 'node:crypto'
import { readConfigText } from '../port.ts'
import type { WidgetConfig, WidgetVendor } from '../port.ts'

const readBaseUrl = (config: WidgetConfig) => readConfigText(config, 'CHATWOOT_BASE_URL').replace(/\/$/, '')

/** HMAC-SHA256 of the identifier with the inbox's token, hex; Chatwoot's identifier_hash. */
export function computeIdentifierHash(token: string, identifier: string): string {
  return createHmac('sha256', token).update(identifier).digest('hex')
}

/** Chatwoot, in its cloud or self-hosted. The conversation is in a frame of that host, so that host is all a page contacts. */
export const chatwoot: WidgetVendor = {
  id: 'chatwoot',
  needsContact: true,
  available: (config) => readConfigText(config, 'CHATWOOT_WEBSITE_TOKEN') !== '' && readConfigText(config, 'CHATWOOT_HMAC_TOKEN') !== '',
  sources: (config) => {
    const { origin } = new URL(readBaseUrl(config))
    return {
      'script-src': [origin],
      'connect-src': [origin, origin.replace(/^http/, 'ws')],
      'frame-src': [origin],
      'img-src': [origin],
      'media-src': [origin],
    }
  },
  boot: (config, user) => ({
    script: `${readBaseUrl(config)}/packs/js/sdk.js`,
    settings: { websiteToken: readConfigText(config, 'CHATWOOT_WEBSITE_TOKEN'), baseUrl: readBaseUrl(config) },
    user: user
      ? {
          identifier: user.userId,
          identifier_hash: computeIdentifierHash(readConfigText(config, 'CHATWOOT_HMAC_TOKEN'), user.userId),
          ...(user.email ? { email: user.email } : {}),
          ...(user.mobile ? { phone_number: user.mobile } : {}),
        }
      : null,
  }),
}
