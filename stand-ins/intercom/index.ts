import { createHmac } from 'node:crypto'
import { createOracle } from '../oracles/create-oracle.ts'
import { INTERCOM_RULES } from './rules.ts'

const text = { type: 'string', minLength: 1 }
const padding = { type: 'integer', minimum: INTERCOM_RULES.padding.least }
/** Written by hand from the page that `INTERCOM_RULES.attributes` names. */
const boot = {
  type: 'object',
  properties: {
    ...{ app_id: { type: 'string', pattern: '^[a-z0-9]{8}$' }, user_id: { ...text, maxLength: 255 }, user_hash: { type: 'string', pattern: '^[0-9a-f]{64}$' } },
    ...{
      email: { type: 'string', format: 'email' },
      phone: { type: 'string', pattern: String.raw`^\+[1-9]\d{6,14}$` },
      name: text,
      created_at: { type: 'integer' },
    },
    ...{
      language_override: text,
      alignment: { enum: ['left', 'right'] },
      horizontal_padding: padding,
      vertical_padding: padding,
      z_index: { type: 'integer' },
    },
    ...{ hide_default_launcher: { type: 'boolean' }, custom_launcher_selector: text, action_color: text, background_color: text },
  },
  required: ['app_id'],
  dependentRequired: { user_hash: ['user_id'], user_id: ['user_hash'], email: ['user_id'], phone: ['user_id'] },
  additionalProperties: false,
}

/**
 * Intercom's Messenger of one workspace with identity verification enforced. `boot` is the page's call; 403: the user's hash is not of this
 * user. `close` rejects if a call differed from the documentation.
 */
export function createIntercomMessenger({ appId, secret }: { appId: string; secret: string }) {
  const oracle = createOracle({ vendor: 'intercom', schemas: { boot }, endpoints: {} })
  return {
    boot: (settings: Readonly<Record<string, unknown>>): { status: number; as: 'user' | 'visitor' } => {
      const { app_id: app, user_id: user, user_hash: hash } = settings
      if (app !== appId) return { status: 404, as: 'visitor' }
      oracle.checkSent('boot', settings)
      if (user === undefined) return { status: 200, as: 'visitor' }
      const right = createHmac('sha256', secret).update(String(user)).digest('hex')
      return hash === right ? { status: 200, as: 'user' } : { status: INTERCOM_RULES.refusal.status, as: 'visitor' }
    },
    close: async () => oracle.report(),
  }
}
