import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { generateKeyPair, SignJWT } from 'jose'
import type { OpenIdProvider, SignInTools } from '../port.ts'
import { consentHtml } from './consent.ts'
import { readCookieLang, DEFAULT_LANG } from '#platform/shared/languages.ts'

interface Ask {
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}
interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export const SANDBOX_PAGE = '/sandbox/google'
const CLIENT_ID = 'mingxi-sandbox.apps.example'
const ISSUER = 'https://google.sandbox.mingxi.example'
const LIVE_SECONDS = 3600

/** One key per process: tokens from before a restart are refused, and signing in again is one click. */
let pair: ReturnType<typeof generateKeyPair> | undefined
const keyPair = () => (pair ??= generateKeyPair('RS256'))

/**
 * Fake OpenID provider that accepts any address. Its tokens are real and are verified like Google's. Magic addresses: `unverified+...` has an
 * unverified mailbox, `expired+...` gets expired tokens, `other+...` gets tokens for another client, `late+...` a wrong nonce; the button
 * "refuse" responds like Google does when the user declines.
 */
export function sandboxProvider({ now, sign }: SignInTools): OpenIdProvider {
  return {
    clientId: CLIENT_ID,
    sandbox: true,
    issuers: [ISSUER],
    authorizePage: SANDBOX_PAGE,
    keys: async () => (await keyPair()).publicKey,
    readAccessToken: async (token) => {
      const [body = '', mac = ''] = token.split('.')
      if (!equal(mac, sign(body))) return undefined
      const facts = JSON.parse(Buffer.from(body, 'base64url').toString()) as { aud: string; sub: string; email: string; verified: boolean; exp: number }
      return {
        audience: facts.aud,
        subject: facts.sub,
        email: facts.email,
        emailVerified: facts.verified,
        expiresInSeconds: facts.exp - Math.floor(now().getTime() / 1000),
      }
    },
    now,
  }
}

/** The consent page, which asks for the address to sign in as. */
export async function consentPage(tools: SignInTools, { query, headers }: Ask): Promise<Answer> {
  const refusal = refuse(tools, query, headers)
  if (refusal) return refusal
  const lang = readCookieLang(String(headers['cookie'] ?? '')) ?? DEFAULT_LANG
  return {
    status: 200,
    type: 'text/html; charset=utf-8',
    // a response redirects to another page of this origin; form-action would need to name it in every browser
    headers: { 'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'` },
    body: consentHtml(lang, query),
  }
}

/** Redirects back with the response in the fragment, like the implicit flow (OAuth 2.0, 4.2.2). */
export async function giveAnswer(tools: SignInTools, { query, headers }: Ask): Promise<Answer> {
  const refusal = refuse(tools, query, headers)
  if (refusal) return refusal
  const email = (query['email'] ?? '').trim().slice(0, 200)
  const fields = query['action'] === 'refuse' || !email.includes('@') ? { error: 'access_denied' } : await tokensFor(tools, email, query['nonce'] ?? '')
  const fragment = new URLSearchParams({ state: query['state'] ?? '', ...fields })
  return { status: 302, type: 'text/plain', body: '', headers: { location: `${query['redirect_uri']}#${fragment}` } }
}

async function tokensFor({ now, sign }: SignInTools, email: string, nonce: string): Promise<Record<string, string>> {
  const magic = /^(unverified|expired|other|late)\+/.exec(email)?.[1]
  const at = Math.floor(now().getTime() / 1000) - (magic === 'expired' ? 86_400 : 0)
  const audience = magic === 'other' ? 'other-client.apps.example' : CLIENT_ID
  const subject = createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 21)
  const facts = { aud: audience, sub: subject, email, verified: magic !== 'unverified', exp: at + LIVE_SECONDS, n: randomBytes(8).toString('hex') }
  const body = Buffer.from(JSON.stringify(facts)).toString('base64url')
  const accessToken = `${body}.${sign(body)}`
  const claims = {
    email,
    email_verified: magic !== 'unverified',
    name: email.split('@')[0],
    nonce: magic === 'late' ? `not ${nonce}` : nonce,
    at_hash: createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url'),
  }
  const idToken = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuer(ISSUER)
    .setAudience(audience)
    .setSubject(subject)
    .setIssuedAt(at)
    .setExpirationTime(at + LIVE_SECONDS)
    .sign((await keyPair()).privateKey)
  return { access_token: accessToken, id_token: idToken, token_type: 'Bearer', expires_in: String(LIVE_SECONDS) }
}

/** Like a real provider it checks its client and the redirect URI: this origin only. */
function refuse({ publicUrl }: SignInTools, query: Ask['query'], headers: Ask['headers']): Answer | undefined {
  const origins = [new URL(publicUrl()).origin, `http://${String(headers['host'] ?? '')}`, `https://${String(headers['host'] ?? '')}`]
  const target = URL.parse(query['redirect_uri'] ?? '')
  if (query['client_id'] === CLIENT_ID && target && origins.includes(target.origin)) return undefined
  return { status: 400, type: 'text/plain; charset=utf-8', body: 'client_id or redirect_uri is not registered here' }
}

function equal(found: string, wanted: string): boolean {
  return found.length === wanted.length && timingSafeEqual(Buffer.from(found), Buffer.from(wanted))
}
