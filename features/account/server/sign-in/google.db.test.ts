import { createHash, createHmac } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import { startGoogle } from '#stand-ins/google/sign-in/index.ts'
import { listSandboxMails } from '#features/notices/server/door.ts'
import { notices } from '#features/notices/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { aMobile, aUser, signInBuiltUser } from '../builders.ts'
import { account } from '../index.ts'

// A stand-in of Google signs the ID tokens and describes access tokens (money.md A7).
const CLIENT = 'client-1.apps.example'
const BACK = 'http://localhost:3000/oauth/google'
const clock = createTestClock()
const google = await startGoogle({ clientId: CLIENT, redirects: [BACK], now: () => clock.now() })
const ISSUER = google.issuer
const { keys, accessTokens } = google
afterAll(() => google.company.close())

const db = await useTestDb({ max: 20 })
const env = {
  GOOGLE_CLIENT_ID: CLIENT,
  GOOGLE_ISSUER: ISSUER,
  GOOGLE_AUTH_URL: google.consentUrl,
  GOOGLE_KEYS_URL: google.keysUrl,
  GOOGLE_TOKENINFO_URL: google.tokenInfoUrl,
}
const features = [account, notices, risk]
const { call, callAs, deps, settle } = createTestApp({ features, db, clock, env })
await chooseCaptcha(deps, 'off')

let people = 0
const person = (email = `person${++people}@gmail.example`) => ({ sub: `1000${++people}`, email, email_verified: true, name: 'Wang Wei' })
type Claims = Record<string, unknown>

const start = async () => (await call('POST', '/user/googleOAuthStart')).data as { state: string; nonce: string; authorizeUrl: string }
const seconds = () => Math.floor(clock.now().getTime() / 1000)
const idToken = (claims: Claims, header: Claims = {}) => google.createIdToken(claims, header)
const login = (input: object, options = {}) => call('POST', '/user/googleOAuthLogin', { clientId: CLIENT, ...input }, options)
async function signInWith(claims: Claims, extra: object = {}) {
  const { state, nonce } = await start()
  return login({ state, idToken: await idToken({ nonce, ...claims }), ...extra })
}

test('a new person gets an account with a proven mailbox; the next time it is the same one', async () => {
  const who = person()
  const first = await signInWith(who, { inviteCode: 'friend-9' })
  expect(first).toMatchObject({ code: 200, data: { token: expect.any(String), loginUser: { email: who.email, emailVerifyStatus: 1, mobile: null } } })
  const info = (await callAs(first.data.token)('GET', '/user/info')).data
  expect(info).toMatchObject({ email: who.email, google: true, password: false, name: 'Wang Wei' })
  const again = await signInWith({ ...who, email: 'moved@gmail.example' })
  expect((await callAs(again.data.token)('GET', '/user/info')).data.id).toBe(info.id)
  expect(await db.query(`select payload from outbox where event = 'user.registered' and payload->>'userId' = $1`, [info.id])).toEqual([
    { payload: { userId: info.id, inviteCode: 'friend-9' } },
  ])
})

test('the consent page is asked for tokens, with a state of ours and its nonce', async () => {
  const { state, nonce, authorizeUrl } = await start()
  const asked = new URL(authorizeUrl)
  expect(`${asked.origin}${asked.pathname}`).toBe(google.consentUrl)
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({
    client_id: CLIENT,
    response_type: 'token id_token',
    scope: 'openid email profile',
    state,
    nonce,
  })
  expect((await call('GET', '/common/signInOptions')).data.google).toEqual({ clientId: CLIENT, sandbox: false })
})

test('the consent page takes our request, and its answer signs in; a refusal has no token', async () => {
  const follow = async (over: object = {}) => {
    const { state, authorizeUrl } = await start()
    const page = new URL(authorizeUrl)
    for (const [name, value] of Object.entries({ redirect_uri: BACK, ...over })) page.searchParams.set(name, value)
    const reply = await fetch(page, { redirect: 'manual' })
    const facts = new URLSearchParams(new URL(reply.headers.get('location') ?? 'about:blank').hash.slice(1))
    return { state, status: reply.status, facts }
  }
  const who = person()
  google.person = who
  const { state, facts } = await follow()
  expect(facts.get('state')).toBe(state)
  const signedIn = await login({ state, idToken: facts.get('id_token')!, accessToken: facts.get('access_token')! })
  expect(signedIn.data.loginUser).toMatchObject({ email: who.email })
  const again = await follow()
  expect((await login({ state: again.state, accessToken: again.facts.get('access_token')! })).code).toBe(200)
  google.person = undefined
  const refused = await follow()
  expect([refused.facts.get('error'), refused.facts.get('id_token')]).toEqual(['access_denied', null])
  expect((await follow({ redirect_uri: 'https://evil.example/' })).status).toBe(400)
})

test.each<[string, Claims]>([
  ['another audience', { aud: 'client-2.apps.example' }],
  ['two audiences', { aud: [CLIENT, 'client-2.apps.example'] }],
  ['made for another party', { azp: 'client-2.apps.example' }],
  ['another issuer', { iss: 'https://accounts.google.com.evil.example' }],
  ['no issuer', { iss: undefined }],
  ['expired', { iat: 1_600_000_000, exp: 1_600_003_600 }],
  ['not yet good', { nbf: 4_000_000_000 }],
  ['without expiry', { exp: undefined }],
  ['another nonce', { nonce: 'n'.repeat(43) }],
  ['no nonce', { nonce: undefined }],
  ['a nonce that is not text', { nonce: 1 }],
  ['an unproven mailbox', { email_verified: false }],
  ['an unproven mailbox, as text', { email_verified: 'false' }],
  ['nothing about the mailbox', { email_verified: undefined }],
  ['no e-mail', { email: undefined }],
  ['an e-mail that is none', { email: 'a@b.c\r\nBcc: d@e.f' }],
  ['no subject', { sub: undefined }],
])('an ID token is refused: %s', async (_, claims) => {
  const before = await db.query('select count(*) as n from account_users')
  expect(await signInWith({ ...person(), ...claims })).toMatchObject({ status: 200, code: 1022, data: null })
  expect(await db.query('select count(*) as n from account_users')).toEqual(before)
})

const b64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

test('an ID token is refused: alg none, HS256 under the public key, an unknown key, a changed byte, another header', async () => {
  const claims = (nonce: string) => ({ iss: ISSUER, aud: CLIENT, iat: seconds(), exp: seconds() + 3600, nonce, ...person() })
  const forgeries: ((nonce: string) => Promise<string> | string)[] = [
    (nonce) => `${b64({ alg: 'none' })}.${b64(claims(nonce))}.`,
    (nonce) => `${b64({ alg: 'None', kid: keys[0]!['kid'] })}.${b64(claims(nonce))}.`,
    (nonce) => {
      const signed = `${b64({ alg: 'HS256', kid: keys[0]!['kid'] })}.${b64(claims(nonce))}`
      return `${signed}.${createHmac('sha256', JSON.stringify(keys[0])).update(signed).digest('base64url')}`
    },
    async (nonce) => {
      const [, body, mac] = (await idToken({ ...person(), nonce })).split('.')
      return `${b64({ alg: 'RS256', kid: '../../etc/passwd' })}.${body}.${mac}`
    },
    async (nonce) => {
      const [head, , mac] = (await idToken({ ...person(), nonce })).split('.')
      return `${head}.${b64(claims(nonce))}.${mac}`
    },
    async (nonce) => (await idToken({ ...person(), nonce })).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')).replace(/\.(.)/, '.$1x'),
    (nonce) => nonce,
    () => '..',
  ]
  for (const [index, forge] of forgeries.entries()) {
    const { state, nonce } = await start()
    expect((await login({ state, idToken: await forge(nonce) })).code, `forgery ${index}`).toBe(1022)
  }
})

test('a state is ours, good once, for ten minutes, and for its own nonce', async () => {
  const who = person()
  const first = await start()
  const token = await idToken({ ...who, nonce: first.nonce })
  const both = await Promise.all(Array.from({ length: 20 }, () => login({ state: first.state, idToken: token })))
  expect(both.filter((answer) => answer.code === 200)).toHaveLength(1)
  expect((await login({ state: first.state, idToken: token })).code).toBe(1022)
  const second = await start()
  expect((await login({ state: second.state, idToken: token })).code).toBe(1022)
  const third = await start()
  clock.advance(600_001)
  expect((await login({ state: third.state, idToken: await idToken({ ...who, nonce: third.nonce }) })).code).toBe(1022)
  const [random, , mac] = (await start()).state.split('.')
  for (const state of ['', 'x', '..', `${random}.zzzzzzzzz.${mac}`, `${random}.${mac}`, 'a.b.c.d'])
    expect([400, 1022]).toContain((await login({ state, idToken: token })).code)
  expect((await call('POST', '/user/googleOAuthLogin', { clientId: CLIENT, idToken: token })).status).toBe(400)
  expect((await call('POST', '/user/googleOAuthLogin', { clientId: CLIENT, state: (await start()).state })).status).toBe(400)
})

test('another client id is refused', async () => {
  const { state, nonce } = await start()
  expect((await login({ state, clientId: 'client-2.apps.example', idToken: await idToken({ ...person(), nonce }) })).code).toBe(1022)
})

test("an access token alone is good when Google's endpoint confirms its user and client", async () => {
  const who = person()
  const good = { aud: CLIENT, azp: CLIENT, sub: who.sub, email: who.email, email_verified: 'true', expires_in: '3000' }
  const tries: [string, Claims | undefined, number][] = [
    ['good', good, 200],
    ['unknown', undefined, 1022],
    ['other-audience', { ...good, aud: 'client-2.apps.example' }, 1022],
    ['ended', { ...good, expires_in: '0' }, 1022],
    ['unproven', { ...good, email_verified: 'false' }, 1022],
    ['no-subject', { ...good, sub: undefined }, 1022],
    ['no-email', { ...good, email: undefined }, 1022],
  ]
  for (const [token, known, code] of tries) {
    if (known) accessTokens.set(token, known)
    expect((await login({ state: (await start()).state, accessToken: token })).code, token).toBe(code)
  }
  google.company.misbehave('error-before', 1, /tokeninfo/)
  expect((await login({ state: (await start()).state, accessToken: 'good' })).status).toBe(503)
  // without an ID token there is no nonce to compare, so only the state is checked
  const [random, end, mac] = (await start()).state.split('.')
  for (const state of [`${random}.${end}.${'A'.repeat(43)}`, `${random}x.${end}.${mac}`, `${random}.zzzzzzzzzz.${mac}`, `${random}.${end}.`])
    expect((await login({ state, accessToken: 'good' })).code, state).toBe(1022)
})

test('both tokens: the ID token names its access token', async () => {
  const who = person()
  const atHash = createHash('sha256').update('its-own').digest().subarray(0, 16).toString('base64url')
  expect((await signInWith({ ...who, at_hash: atHash }, { accessToken: 'its-own' })).code).toBe(200)
  expect((await signInWith({ ...who, at_hash: atHash }, { accessToken: 'a-stolen-one' })).code).toBe(1022)
})

test('an account whose mailbox was proven is joined, keeps its password, and gets a mail', async () => {
  const user = await aUser(deps)
  const who = person(user.email.toUpperCase())
  const reply = await signInWith(who)
  expect((await callAs(reply.data.token)('GET', '/user/info')).data).toMatchObject({ id: user.userId, google: true, password: true })
  await settle()
  expect((await listSandboxMails(db, user.email)).some((mail) => mail.subject.includes('Google 登录已变更'))).toBe(true)
  expect((await signInBuiltUser(deps, user)).userId).toBe(user.userId)
  // another Google account with the same address does not replace the first one
  expect((await signInWith(person(user.email))).code).toBe(1022)
})

test('pre-hijack: a user with an e-mail that was never proved is locked out when its owner signs in', async () => {
  const hijacker = await aUser(deps)
  await db.query(`update account_identities set verified_at = null where user_id = $1`, [hijacker.userId])
  const reply = await signInWith(person(hijacker.email))
  expect(reply.data.loginUser).toMatchObject({ email: hijacker.email, emailVerifyStatus: 1 })
  const info = (await callAs(reply.data.token)('GET', '/user/info')).data
  expect(info).toMatchObject({ id: hijacker.userId, password: false, google: true })
  expect((await callAs(hijacker.token)('GET', '/user/info')).status).toBe(401)
  expect((await call('POST', '/user/passwordLogin', { email: hijacker.email, password: hijacker.password })).code).toBe(1010)
  expect(await db.query(`select 1 from outbox where event = 'user.secrets-dropped' and payload->>'userId' = $1`, [hijacker.userId])).toHaveLength(1)
})

test('pre-hijack: an account with another way in loses the e-mail it never proved; the owner gets an account of their own', async () => {
  const hijacker = await aUser(deps, { mobile: aMobile(), password: 'a horse of the hijacker' })
  const email = 'never-proved@gmail.example'
  await db.query(`insert into account_identities (kind, subject, display, user_id, created_at) values ('email', $1, $1, $2, now())`, [email, hijacker.userId])
  const reply = await signInWith(person(email))
  const info = (await callAs(reply.data.token)('GET', '/user/info')).data
  expect(info).toMatchObject({ email, emailVerifyStatus: 1, mobile: null, password: false })
  expect(info.id).not.toBe(hijacker.userId)
  expect((await callAs(hijacker.token)('GET', '/user/info')).data).toMatchObject({ email: null, mobile: hijacker.mobile })
})

test('the same person twice at once is one account', async () => {
  const who = person()
  const answers = await Promise.all(Array.from({ length: 8 }, () => signInWith(who)))
  expect(answers.map((answer) => answer.code)).toEqual(Array(8).fill(200))
  expect(await db.query(`select 1 from account_identities where kind = 'google' and subject = $1`, [who.sub])).toHaveLength(1)
  expect(await db.query(`select 1 from account_users u where not exists (select 1 from account_identities i where i.user_id = u.id)`)).toHaveLength(0)
})

test('a frozen account stays out', async () => {
  const who = person()
  await signInWith(who)
  await db.query(
    `update account_users set status = 'frozen', frozen_at = now(), frozen_reason = 'test', frozen_by = 'test' where id = (select user_id from account_identities where kind = 'google' and subject = $1)`,
    [who.sub],
  )
  expect((await signInWith(who)).code).toBe(1015)
})

test('no token of Google is in the database', async () => {
  const { state, nonce } = await start()
  const token = await idToken({ ...person(), nonce })
  await login({ state, idToken: token, accessToken: 'access-token-to-look-for' })
  const tables = await db.owner.query<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public'`)
  for (const { name } of tables) {
    const dump = (await db.owner.query<{ line: string }>(`select t::text as line from ${name} t`)).map((row) => row.line).join('\n')
    for (const secret of [token, 'access-token-to-look-for', state]) expect(dump.includes(secret), name).toBe(false)
  }
})

test('without a client id the sandbox replaces Google outside production; in production Google sign-in is off', async () => {
  const sandbox = createTestApp({ features, db, clock })
  const { state, nonce, authorizeUrl } = (await sandbox.call('POST', '/user/googleOAuthStart')).data
  const { clientId } = (await sandbox.call('GET', '/common/signInOptions')).data.google
  const at = (path: string) => sandbox.inject({ method: 'GET', url: path, headers: { host: 'localhost:3000' } })
  const back = encodeURIComponent('http://localhost:3000/oauth/google')
  const page = await at(`${authorizeUrl}&redirect_uri=${back}`)
  expect([page.statusCode, page.body.includes('name="nonce"')]).toEqual([200, true])
  expect((await at(`${authorizeUrl}&redirect_uri=${encodeURIComponent('https://evil.example/')}`)).statusCode).toBe(400)
  const answer = async (email: string, one = { state, nonce }) => {
    const query = new URLSearchParams({ client_id: clientId, redirect_uri: 'http://localhost:3000/oauth/google', ...one, email })
    const location = String((await at(`/sandbox/google/answer?${query}`)).headers.location)
    expect(location.startsWith('http://localhost:3000/oauth/google#')).toBe(true)
    const found = Object.fromEntries(new URLSearchParams(location.split('#')[1]))
    return { state: found['state']!, idToken: found['id_token'], accessToken: found['access_token'], error: found['error'], clientId }
  }
  const tokens = await answer('demo.person@gmail.example')
  expect((await sandbox.call('POST', '/user/googleOAuthLogin', tokens)).data.loginUser.email).toBe('demo.person@gmail.example')
  for (const magic of ['unverified', 'expired', 'other', 'late']) {
    const again = (await sandbox.call('POST', '/user/googleOAuthStart')).data
    expect((await sandbox.call('POST', '/user/googleOAuthLogin', await answer(`${magic}+demo@gmail.example`, again))).code, magic).toBe(1022)
  }
  const byAccess = (await sandbox.call('POST', '/user/googleOAuthStart')).data
  const { idToken: _, ...onlyAccess } = await answer('demo.person@gmail.example', byAccess)
  expect((await sandbox.call('POST', '/user/googleOAuthLogin', onlyAccess)).code).toBe(200)
  expect((await answer('')).error).toBe('access_denied')

  const production = createTestApp({ features, db, clock, env: { STAGE: 'production', SECRET_KEY: 'x'.repeat(44) } })
  expect((await production.call('GET', '/common/signInOptions')).data.google).toBeNull()
  expect((await production.call('POST', '/user/googleOAuthStart')).code).toBe(1022)
  expect((await production.inject({ method: 'GET', url: '/sandbox/google' })).statusCode).toBe(404)
})
