const PASSKEY = { id: 'chl_none', credential: { id: 'x'.repeat(22), rawId: 'x'.repeat(22), type: 'public-key', response: {} } }

/** Valid inputs of the endpoints for passkeys, authenticators and re-authentication. */
export const factorSamples: Readonly<Record<string, () => Record<string, unknown>>> = {
  'POST /user/sendSecondaryVerify': () => ({ by: 'email' }),
  'POST /user/secondaryVerify': () => ({ verifyCode: '000000' }),
  'POST /user/initPassword': () => ({ password: 'a horse that is correct' }),
  'GET /user/factors': () => ({}),
  'POST /user/authenticator/start': () => ({}),
  'POST /user/authenticator/confirm': () => ({ code: '000000' }),
  'POST /user/authenticator/remove': () => ({}),
  'POST /user/recovery/renew': () => ({}),
  'POST /user/passkey/options': () => ({}),
  'POST /user/passkey/add': () => ({ ...PASSKEY, name: 'a key' }),
  'POST /user/passkey/remove': () => ({ passkeyId: 'x'.repeat(22) }),
  'POST /user/secondaryVerify/passkey': () => ({}),
}
