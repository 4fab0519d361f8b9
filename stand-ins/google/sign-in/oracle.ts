import type { Oracle } from '../../kit/server.ts'
import { createOracle } from '../../oracles/create-oracle.ts'
import { GOOGLE_RULES } from './rules.ts'

/** An object with exactly these fields; `?` after a name makes it optional. */
const closed = (fields: Readonly<Record<string, object>>) => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name.replace('?', ''), schema])),
  required: Object.keys(fields).filter((name) => !name.endsWith('?')),
  additionalProperties: false,
})
const text = { type: 'string', minLength: 1 }
const url = { type: 'string', format: 'uri' }
const digits = { type: 'string', pattern: String.raw`^\d+$` }

/** Written by hand from the pages that `rules.ts` names, and https://accounts.google.com/.well-known/openid-configuration. */
const SCHEMAS = {
  consent: closed({
    'client_id': text,
    'response_type': { enum: ['token id_token', 'id_token token', 'id_token', 'token', 'code'] },
    'scope': { type: 'string', pattern: GOOGLE_RULES.scope.pattern.source },
    'redirect_uri': url,
    'state?': text,
    'nonce?': text,
    'prompt?': { enum: GOOGLE_RULES.prompt.value },
    'login_hint?': text,
    'hd?': text,
    'include_granted_scopes?': text,
  }),
  nothing: closed({}),
  keys: closed({
    keys: { type: 'array', items: closed({ kty: { const: 'RSA' }, alg: { const: 'RS256' }, use: { const: 'sig' }, kid: text, n: text, e: text }) },
  }),
  tokenInfo: closed({ access_token: text }),
  tokenFacts: closed({
    'azp': text,
    'aud': text,
    'sub?': { type: 'string', maxLength: GOOGLE_RULES.subject.most },
    'scope': text,
    'exp': digits,
    'expires_in': digits,
    'email?': text,
    'email_verified?': { enum: ['true', 'false'] },
    'access_type': { enum: ['online', 'offline'] },
  }),
  problem: closed({ 'error': text, 'error_description?': text }),
}

export const createSignInOracle = (): Oracle =>
  createOracle({
    vendor: 'google',
    schemas: SCHEMAS,
    endpoints: {
      'GET /o/oauth2/v2/auth': { request: 'consent' },
      'GET /oauth2/v3/certs': { request: 'nothing', reply: 'keys' },
      'POST /tokeninfo': { request: 'tokenInfo', reply: 'tokenFacts' },
    },
    error: 'problem',
    encoding: 'form',
  })
