import { createHash, timingSafeEqual } from 'node:crypto'
import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import { failedReplyError, lostCallError, unreadableError } from '#platform/shared/suppliers/supplier-error.ts'
import { listPlainAddresses } from '#platform/shared/suppliers/test-account.ts'
import type { AccessTokenFacts, GoogleConfig, OpenIdProvider, SignInPerson, SignInProvider, SignInVendor, VendorTokens } from '../port.ts'

const TIMEOUT_MS = 5_000
/** Clock tolerance; Google's own libraries allow more. */
const TOLERANCE_SECONDS = 30

/** Google, or a compatible provider. */
export const google: SignInProvider = {
  name: 'google',
  // Any OpenID provider may take its place, but only over https.
  listTestSettings: (config) => listPlainAddresses(config, ['GOOGLE_ISSUER', 'GOOGLE_AUTH_URL', 'GOOGLE_KEYS_URL', 'GOOGLE_TOKENINFO_URL']),
  connect: (config, { now }) => {
    const { GOOGLE_CLIENT_ID, ...addresses } = config as GoogleConfig
    return GOOGLE_CLIENT_ID ? openGoogle(createGoogleProvider(GOOGLE_CLIENT_ID, addresses, now)) : undefined
  },
}

/** Keys are fetched on first use and cached; an unknown key id refetches them, at most every 30 s. */
const keySets = new Map<string, JWTVerifyGetKey>()

function getKeySet(url: string): JWTVerifyGetKey {
  const known = keySets.get(url) ?? createRemoteJWKSet(new URL(url), { timeoutDuration: TIMEOUT_MS, cooldownDuration: 30_000 })
  keySets.set(url, known)
  return known
}

function createGoogleProvider(clientId: string, addresses: Omit<GoogleConfig, 'GOOGLE_CLIENT_ID'>, now: () => Date): OpenIdProvider {
  const { GOOGLE_ISSUER: issuer, GOOGLE_AUTH_URL: authorizePage, GOOGLE_KEYS_URL: keysUrl, GOOGLE_TOKENINFO_URL: tokenInfoUrl } = addresses
  return {
    clientId,
    sandbox: false,
    // https://developers.google.com/identity/openid-connect/openid-connect#validatinganidtoken names both spellings
    issuers: issuer === 'https://accounts.google.com' ? [issuer, 'accounts.google.com'] : [issuer],
    authorizePage,
    keys: getKeySet(keysUrl),
    readAccessToken: (token) => fetchTokenInfo(tokenInfoUrl, token),
    now,
  }
}

/** Resolves a Google account from its ID token, or from an access token verified by Google's endpoint. */
export function openGoogle(provider: OpenIdProvider): SignInVendor {
  const { clientId, sandbox, authorizePage } = provider
  return {
    clientId,
    sandbox,
    authorizeUrl: ({ state, nonce }) => {
      const query = new URLSearchParams({
        client_id: clientId,
        response_type: 'token id_token',
        scope: 'openid email profile',
        prompt: 'select_account',
        state,
        nonce,
      })
      return `${authorizePage}?${query}`
    },
    personOf: async (tokens) =>
      tokens.idToken === undefined ? verifyAccessToken(provider, tokens.accessToken ?? '') : verifyIdToken(provider, tokens.idToken, tokens),
  }
}

async function verifyIdToken(provider: OpenIdProvider, idToken: string, { accessToken, nonce }: VendorTokens): Promise<SignInPerson | undefined> {
  const claims = await verifyClaims(provider, idToken)
  if (!claims || !isSameText(claims['nonce'], nonce)) return undefined
  // the only audience must be our client; azp names the other party if the token was issued to one
  if (claims.aud !== provider.clientId && !(Array.isArray(claims.aud) && claims.aud.length === 1)) return undefined
  if (claims['azp'] !== undefined && claims['azp'] !== provider.clientId) return undefined
  if (accessToken !== undefined && claims['at_hash'] !== undefined && claims['at_hash'] !== computeHalfHash(accessToken)) return undefined
  const { sub, email, name } = claims
  if (!sub || typeof email !== 'string') return undefined
  return { subject: sub, email, emailVerified: isTrue(claims['email_verified']), name: typeof name === 'string' ? name : '' }
}

async function verifyClaims(provider: OpenIdProvider, idToken: string): Promise<JWTPayload | undefined> {
  try {
    const { payload } = await jwtVerify(idToken, provider.keys, {
      algorithms: ['RS256'],
      issuer: [...provider.issuers],
      audience: provider.clientId,
      requiredClaims: ['sub', 'exp', 'iat', 'email', 'nonce'],
      clockTolerance: TOLERANCE_SECONDS,
      currentDate: provider.now(),
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) return undefined
    throw lostCallError(error, { writes: false, timedOut: error instanceof errors.JWKSTimeout })
  }
}

async function verifyAccessToken(provider: OpenIdProvider, token: string): Promise<SignInPerson | undefined> {
  const facts = await provider.readAccessToken(token)
  if (!facts || facts.audience !== provider.clientId || !(facts.expiresInSeconds > 0) || !facts.subject || !facts.email) return undefined
  return { subject: facts.subject, email: facts.email, emailVerified: facts.emailVerified, name: '' }
}

/** https://developers.google.com/identity/protocols/oauth2: an invalid token gets a 400. */
async function fetchTokenInfo(url: string, token: string): Promise<AccessTokenFacts | undefined> {
  // sent in the body, so that no access log contains the token
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ access_token: token }),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw lostCallError(error, { writes: false })
  })
  // Google documents only 400 as the response to an invalid token
  if (response.status >= 500 || response.status === 429) throw failedReplyError({ status: response.status, said: 'token info', writes: false })
  if (!response.ok) return undefined
  const facts = (await response.json().catch(() => {
    throw unreadableError(false, 'token info')
  })) as Record<string, unknown>
  const text = (name: string) => (typeof facts[name] === 'string' ? facts[name] : '')
  return {
    audience: text('aud'),
    subject: text('sub'),
    email: text('email'),
    emailVerified: isTrue(facts['email_verified']),
    expiresInSeconds: Number(facts['expires_in'] ?? 0),
  }
}

const isTrue = (value: unknown) => value === true || value === 'true'

/** OpenID Connect Core 3.2.2.9: the left half of the SHA-256 of the access token. */
const computeHalfHash = (token: string) => createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url')

function isSameText(found: unknown, wanted: string): boolean {
  if (typeof found !== 'string') return false
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(found), digest(wanted))
}
