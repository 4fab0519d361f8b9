import { createHmac } from 'node:crypto'
import { readConfigText } from '../port.ts'
import type { WidgetVendor } from '../port.ts'

/** Hosts of the messenger as Intercom lists them for a policy by allow-list (intercom.com/help, article 3894). */
const CONNECT = ['via', 'api', 'api.au', 'api.eu', 'api-iam', 'api-iam.eu', 'api-iam.au', 'api-ping'].map((name) => `https://${name}.intercom.io`)
const SOCKETS = ['nexus-websocket-a', 'nexus-websocket-b', 'nexus-europe-websocket', 'nexus-australia-websocket'].flatMap((name) => [
  `https://${name}.intercom.io`,
  `wss://${name}.intercom.io`,
])
const UPLOADS = [
  'https://uploads.intercomcdn.com',
  'https://uploads.intercomcdn.eu',
  'https://uploads.au.intercomcdn.com',
  'https://uploads.intercomusercontent.com',
]
const CDN = 'https://js.intercomcdn.com'

/** HMAC-SHA256 of the user id with the workspace's identity secret, hex; Intercom's user_hash. */
export function computeUserHash(secret: string, userId: string): string {
  return createHmac('sha256', secret).update(userId).digest('hex')
}

export const intercom: WidgetVendor = {
  id: 'intercom',
  needsContact: true,
  available: (config) => readConfigText(config, 'INTERCOM_APP_ID') !== '' && readConfigText(config, 'INTERCOM_SECRET') !== '',
  sources: (config) => ({
    'script-src': [new URL(readConfigText(config, 'INTERCOM_SCRIPT_URL')).origin, 'https://app.intercom.io', 'https://widget.intercom.io', CDN],
    'connect-src': [...CONNECT, 'https://*.intercom-messenger.com', 'wss://*.intercom-messenger.com', ...SOCKETS, ...UPLOADS],
    'font-src': [CDN, 'https://fonts.intercomcdn.com'],
    'media-src': [CDN],
    'img-src': [
      CDN,
      'https://static.intercomassets.com',
      'https://downloads.intercomcdn.com',
      'https://gifs.intercomcdn.com',
      'https://video-messages.intercomcdn.com',
      'https://messenger-apps.intercom.io',
      'https://*.intercom-attachments-5.com',
      'https://*.intercom-attachments-6.com',
      'https://*.intercom-attachments-9.com',
      ...UPLOADS,
    ],
  }),
  boot: (config, user) => {
    const appId = readConfigText(config, 'INTERCOM_APP_ID')
    return {
      script: `${readConfigText(config, 'INTERCOM_SCRIPT_URL').replace(/\/?$/, '/')}${appId}`,
      settings: { app_id: appId },
      user: user
        ? {
            user_id: user.userId,
            user_hash: computeUserHash(readConfigText(config, 'INTERCOM_SECRET'), user.userId),
            ...(user.email ? { email: user.email } : {}),
            ...(user.mobile ? { phone: user.mobile } : {}),
          }
        : null,
    }
  },
}
