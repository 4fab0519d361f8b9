import { createHmac } from 'node:crypto'
import { createOracle } from '../oracles/create-oracle.ts'
import { CHATWOOT_RULES } from './rules.ts'

const text = { type: 'string', minLength: 1 }
/** Written by hand from the pages that `rules.ts` names. */
const SCHEMAS = {
  run: {
    type: 'object',
    properties: { websiteToken: { type: 'string', pattern: String.raw`^\w{8,}$` }, baseUrl: { type: 'string', pattern: '^https?://.*[^/]$' } },
    required: ['websiteToken', 'baseUrl'],
    additionalProperties: false,
  },
  setUser: {
    type: 'object',
    properties: {
      ...{
        identifier: { ...text, maxLength: 255 },
        identifier_hash: { type: 'string', pattern: '^[0-9a-f]{64}$' },
        email: { type: 'string', format: 'email' },
      },
      ...{
        phone_number: { type: 'string', pattern: CHATWOOT_RULES.phone.pattern.source },
        name: text,
        avatar_url: text,
        description: text,
        company_name: text,
      },
      ...{ country_code: text, city: text },
    },
    required: ['identifier', 'identifier_hash'],
    additionalProperties: false,
  },
}

/** A website inbox of Chatwoot with identity validation. 401: the hash is not of this identifier. `close` rejects if a call differed. */
export function createChatwootInbox({ websiteToken, hmacToken }: { websiteToken: string; hmacToken: string }) {
  const oracle = createOracle({ vendor: 'chatwoot', schemas: SCHEMAS, endpoints: {} })
  return {
    run: (settings: Readonly<Record<string, unknown>>): { status: number } => {
      oracle.checkSent('run', settings)
      return { status: settings['websiteToken'] === websiteToken ? 200 : 404 }
    },
    setUser: (user: Readonly<Record<string, unknown>>): { status: number } => {
      oracle.checkSent('setUser', user)
      const right = createHmac('sha256', hmacToken).update(String(user['identifier'])).digest('hex')
      return { status: user['identifier_hash'] === right ? 200 : CHATWOOT_RULES.refusal.status }
    },
    close: async () => oracle.report(),
  }
}
