import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { startStandInServer } from '../../kit/server.ts'
import type { StandInReply, StandInRequest, StandInServer } from '../../kit/server.ts'
import { createSignInOracle } from './oracle.ts'
import { GOOGLE_RULES } from './rules.ts'

type Claims = Readonly<Record<string, unknown>>

export interface Google {
  readonly company: StandInServer
  readonly issuer: string
  readonly consentUrl: string
  readonly keysUrl: string
  readonly tokenInfoUrl: string
  /** Public keys as it publishes them, the current one first. */
  readonly keys: readonly Claims[]
  /** Facts of access tokens; the endpoint adds what it always has. */
  readonly accessTokens: Map<string, Claims>
  /** Claims of the person who agrees on the consent page; undefined refuses. */
  person: Claims | undefined
  /** An ID token of now with these claims and header fields; undefined leaves one out. */
  createIdToken(claims: Claims, header?: Claims): string
}

const json = (status: number, value: unknown): StandInReply => ({
  status,
  headers: { 'content-type': 'application/json; charset=UTF-8', 'cache-control': 'public, max-age=20000' },
  body: JSON.stringify(value),
})
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Google's sign-in for one client: consent page, keys and token info (https://developers.google.com/identity/openid-connect/openid-connect). */
export async function startGoogle({
  clientId,
  redirects,
  now = () => new Date(),
}: {
  clientId: string
  redirects: readonly string[]
  now?: () => Date
}): Promise<Google> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { n, e } = publicKey.export({ format: 'jwk' })
  const kid = createHash('sha1').update(n!).digest('hex')
  const keys = [{ kty: 'RSA', alg: GOOGLE_RULES.algorithm.value, use: 'sig', kid, n, e }]
  const accessTokens = new Map<string, Claims>()
  const seconds = () => Math.floor(now().getTime() / 1000)

  function createIdToken(claims: Claims, header: Claims = {}): string {
    const exp = seconds() + GOOGLE_RULES.lifetimeSeconds.value
    const all = { iss: google.issuer, aud: clientId, azp: clientId, iat: seconds(), nbf: seconds() - 10, exp, jti: randomBytes(20).toString('hex'), ...claims }
    const signed = `${encode({ alg: 'RS256', kid, typ: 'JWT', ...header })}.${encode(all)}`
    return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64url')}`
  }
  function consent(query: URLSearchParams): StandInReply {
    const one = (name: string) => query.get(name) ?? ''
    if (one('client_id') !== clientId) return json(401, { error: 'invalid_client', error_description: 'The OAuth client was not found.' })
    if (!redirects.includes(one('redirect_uri'))) return json(400, { error: GOOGLE_RULES.redirect.value })
    const wantsIdToken = one('response_type').split(' ').includes('id_token')
    if (!GOOGLE_RULES.scope.pattern.test(one('scope')) || (wantsIdToken && !one('nonce'))) return json(400, { error: 'invalid_request' })
    const back = new URL(one('redirect_uri'))
    const facts = new URLSearchParams(query.has('state') ? { state: one('state') } : {})
    if (!google.person) facts.set('error', 'access_denied')
    else {
      const accessToken = `ya29.${randomBytes(24).toString('base64url')}`
      const { sub, email, email_verified: verified } = google.person
      accessTokens.set(accessToken, { sub, email, email_verified: String(verified) })
      const atHash = createHash('sha256').update(accessToken).digest().subarray(0, GOOGLE_RULES.atHash.value).toString('base64url')
      for (const [name, value] of [
        ['access_token', accessToken],
        ['token_type', 'Bearer'],
        ['expires_in', '3599'],
        ['scope', one('scope')],
        ['authuser', '0'],
        ['prompt', 'none'],
      ] as const)
        facts.set(name, value)
      if (wantsIdToken) facts.set('id_token', createIdToken({ ...google.person, nonce: one('nonce'), at_hash: atHash }))
    }
    back.hash = facts.toString()
    return { status: 302, headers: { location: back.href }, body: '' }
  }
  function describeToken(body: string): StandInReply {
    const known = accessTokens.get(new URLSearchParams(body).get('access_token') ?? '')
    if (!known) return json(400, { error: 'invalid_token', error_description: 'Invalid Value' })
    const always = { azp: clientId, aud: clientId, scope: 'openid https://www.googleapis.com/auth/userinfo.email', exp: String(seconds() + 3_599) }
    return json(200, { ...always, expires_in: '3599', access_type: 'online', ...known })
  }
  function answer({ method, path, query, body, headers }: StandInRequest): StandInReply {
    if (path === '/o/oauth2/v2/auth' && method === 'GET') return consent(query)
    if (path === '/oauth2/v3/certs' && method === 'GET') return json(200, { keys })
    const isForm = String(headers['content-type']).startsWith('application/x-www-form-urlencoded')
    return path === '/tokeninfo' && method === 'POST' && isForm ? describeToken(body) : json(404, { error: 'not_found' })
  }
  const company = await startStandInServer(answer, { oracle: createSignInOracle() })
  const google: Google = {
    ...{ company, issuer: company.url, consentUrl: `${company.url}/o/oauth2/v2/auth`, keysUrl: `${company.url}/oauth2/v3/certs` },
    ...{ tokenInfoUrl: `${company.url}/tokeninfo`, keys, accessTokens, person: undefined, createIdToken },
  }
  return google
}
