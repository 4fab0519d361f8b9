const OPENID = 'https://developers.google.com/identity/openid-connect/openid-connect'

export const GOOGLE_RULES = {
  /** Both spellings occur. */
  issuers: { value: ['https://accounts.google.com', 'accounts.google.com'], source: `${OPENID}#validatinganidtoken` },
  algorithm: { value: 'RS256', source: 'https://accounts.google.com/.well-known/openid-configuration' },
  lifetimeSeconds: { value: 3_600, source: `${OPENID}#an-id-tokens-payload` },
  /** Characters of `sub`, ASCII. */
  subject: { most: 255, source: `${OPENID}#an-id-tokens-payload` },
  /** `response_type` with id_token requires `nonce` and a scope with `openid`. */
  nonce: { value: 'required', source: `${OPENID}#authenticationuriparameters` },
  scope: { pattern: /^openid( (email|profile))*$/, source: `${OPENID}#scope-param` },
  prompt: { value: ['none', 'consent', 'select_account'], source: `${OPENID}#authenticationuriparameters` },
  /** The address is one of those registered for the client, letter by letter. */
  redirect: {
    value: 'redirect_uri_mismatch',
    source: 'https://developers.google.com/identity/protocols/oauth2/web-server#authorization-errors-redirect-uri-mismatch',
  },
  /** Tokens of `response_type=token id_token` come in the fragment. */
  fragment: { value: '#', source: 'https://openid.net/specs/openid-connect-core-1_0.html#ImplicitAuthResponse' },
  /** Left half of the SHA-256 of the access token. */
  atHash: { value: 16, source: 'https://openid.net/specs/openid-connect-core-1_0.html#ImplicitIDToken' },
  tokenInfo: {
    value: 'all values are text; an invalid token is 400 invalid_token',
    source: 'https://developers.google.com/identity/protocols/oauth2/openid-connect',
  },
} as const
