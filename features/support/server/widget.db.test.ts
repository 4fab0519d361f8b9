import { createHmac } from 'node:crypto'
import { parse } from 'yaml'
import { afterAll, expect, test } from 'vitest'
import { transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { aUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { createChatwootInbox } from '#stand-ins/chatwoot/index.ts'
import { CHATWOOT_RULES } from '#stand-ins/chatwoot/rules.ts'
import { createIntercomMessenger } from '#stand-ins/intercom/index.ts'
import { INTERCOM_RULES } from '#stand-ins/intercom/rules.ts'
import { support, listSupportSources } from './index.ts'
import { featureFlags, featuresUrl, widgetProvider, widgetPlace, widgetTexts, widgetTimes } from './settings.ts'
import { widgetVendors } from './vendors/index.ts'

const db = await useTestDb()
const ENV = {
  INTERCOM_APP_ID: 'abc12345',
  INTERCOM_SECRET: 'intercom identity secret',
  CHATWOOT_WEBSITE_TOKEN: 'wtoken12345',
  CHATWOOT_HMAC_TOKEN: 'chatwoot hmac token',
  CHATWOOT_BASE_URL: 'https://chat.example.com/',
}
const features = [account, notices, risk, support]
const full = createTestApp({ features, db, env: ENV })
const bare = createTestApp({ features, db })
const messenger = createIntercomMessenger({ appId: ENV.INTERCOM_APP_ID, secret: ENV.INTERCOM_SECRET })
const inbox = createChatwootInbox({ websiteToken: ENV.CHATWOOT_WEBSITE_TOKEN, hmacToken: ENV.CHATWOOT_HMAC_TOKEN })
afterAll(() => Promise.all([messenger.close(), inbox.close()]))
const SYSTEM = { kind: 'system', id: 'test' } as const
const AS_SET = { times: widgetTimes.fallback, place: widgetPlace.fallback, texts: widgetTexts.fallback.zh }
const choose = (provider: string) => transact(db, SYSTEM, (tx) => full.deps.settings.set(tx, widgetProvider, provider))

test('the embedded conversation is the default and reaches no other host', async () => {
  expect((await bare.call('GET', '/common/support/widget')).data).toEqual({ provider: 'embedded', script: '', settings: {}, user: null, ...AS_SET })
  expect(await listSupportSources(full.deps)).toEqual({})
})

test('times, place and texts of the widget are settings, the texts in the caller’s language', async () => {
  await transact(db, SYSTEM, async (tx) => {
    await full.deps.settings.set(tx, widgetTimes, { ...widgetTimes.fallback, lookMs: 250, textTries: 3 })
    await full.deps.settings.set(tx, widgetPlace, { ...widgetPlace.fallback, bottom: 72 })
    await full.deps.settings.set(tx, widgetTexts, { ...widgetTexts.fallback, en: { launcher: 'Ask us' } })
  })
  const { data } = await full.call('GET', '/common/support/widget', {}, { lang: 'en' })
  expect(data).toMatchObject({
    times: { lookMs: 250, lookForMs: 5_000, bootForMs: 60_000, textTries: 3 },
    place: { bottom: 72 },
    texts: { launcher: 'Ask us' },
  })
  await transact(db, SYSTEM, async (tx) => {
    await full.deps.settings.set(tx, widgetTimes, widgetTimes.fallback)
    await full.deps.settings.set(tx, widgetPlace, widgetPlace.fallback)
    await full.deps.settings.set(tx, widgetTexts, widgetTexts.fallback)
  })
})

test('Intercom: boot payload with the user’s hash, for visitors without one, and never with another user’s identity', async () => {
  await choose('intercom')
  const user = await aUser(full.deps)
  const { data, raw } = await full.call('GET', '/common/support/widget', { user_id: 'usr_other', userId: 'usr_other' }, { token: user.token })
  expect(data).toEqual({
    provider: 'intercom',
    script: 'https://widget.intercom.io/widget/abc12345',
    settings: { app_id: 'abc12345' },
    user: { user_id: user.userId, email: user.email, user_hash: createHmac('sha256', ENV.INTERCOM_SECRET).update(user.userId).digest('hex') },
    ...AS_SET,
  })
  expect(raw.body).not.toContain(ENV.INTERCOM_SECRET)
  expect(raw.headers['cache-control']).toBe('no-store')
  expect((await full.call('GET', '/common/support/widget')).data.user).toBeNull()
  expect((await listSupportSources(full.deps))['script-src']).toContain('https://widget.intercom.io')
  expect(messenger.boot({ ...data.settings, ...data.user })).toEqual({ status: 200, as: 'user' })
  expect(messenger.boot(data.settings)).toEqual({ status: 200, as: 'visitor' })
  expect(messenger.boot({ ...data.settings, ...data.user, user_id: 'usr_other' }).status).toBe(INTERCOM_RULES.refusal.status)
})

test('Chatwoot: the configured server, its socket, and the identifier’s hash', async () => {
  await choose('chatwoot')
  const user = await aUser(full.deps)
  const { data } = await full.call('GET', '/common/support/widget', {}, { token: user.token })
  expect(data).toEqual({
    provider: 'chatwoot',
    script: 'https://chat.example.com/packs/js/sdk.js',
    settings: { websiteToken: 'wtoken12345', baseUrl: 'https://chat.example.com' },
    user: { identifier: user.userId, email: user.email, identifier_hash: createHmac('sha256', ENV.CHATWOOT_HMAC_TOKEN).update(user.userId).digest('hex') },
    ...AS_SET,
  })
  expect([inbox.run(data.settings).status, inbox.setUser(data.user).status]).toEqual([200, 200])
  expect(inbox.setUser({ ...data.user, identifier: 'usr_other' }).status).toBe(CHATWOOT_RULES.refusal.status)
  expect(await listSupportSources(full.deps)).toMatchObject({
    'script-src': ['https://chat.example.com'],
    'connect-src': ['https://chat.example.com', 'wss://chat.example.com'],
  })
})

test('Intercom: our distances are not below its least, and it knows all that the page adds', () => {
  const { zIndex, ...distances } = widgetPlace.fallback
  for (const pixels of Object.values(distances)) expect(pixels).toBeGreaterThanOrEqual(INTERCOM_RULES.padding.least)
  const { right, bottom } = distances
  const page = { language_override: 'en', alignment: 'right', horizontal_padding: right, vertical_padding: bottom, z_index: zIndex }
  expect(messenger.boot({ app_id: ENV.INTERCOM_APP_ID, ...page })).toEqual({ status: 200, as: 'visitor' })
})

test.each(['intercom', 'chatwoot', 'no such vendor'])('%s without its credentials is not offered', async (provider) => {
  await choose(provider)
  expect((await bare.call('GET', '/common/support/widget')).data.provider).toBe('embedded')
  expect(await listSupportSources(bare.deps)).toEqual({})
  await choose('embedded')
})

test.each(widgetVendors.map((vendor) => [vendor.id, vendor] as const))('%s keeps the port’s promises', (_id, vendor) => {
  const config = full.deps.config
  expect(vendor.available(config)).toBe(true)
  const user = { userId: 'usr_1', email: 'a@example.com', mobile: '+8613800138000' }
  const boot = vendor.boot(config, user)
  for (const known of [user, { ...user, email: undefined }, { ...user, mobile: undefined }]) {
    const { settings, user: who } = vendor.boot(config, known)
    if (vendor.id === 'intercom') expect(messenger.boot({ ...settings, ...who })).toEqual({ status: 200, as: 'user' })
    if (vendor.id === 'chatwoot') expect(inbox.setUser(who!)).toEqual({ status: 200 })
  }
  expect(JSON.stringify(boot)).not.toMatch(/intercom identity secret|chatwoot hmac token/)
  expect(vendor.boot(config, undefined).user).toBeNull()
  expect(vendor.boot(config, user)).toEqual(boot)
  if (boot.user) {
    const hash = Object.entries(boot.user).find(([name]) => name.endsWith('_hash'))![1]
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify(vendor.boot(config, { ...user, userId: 'usr_2' }).user)).not.toContain(hash)
    expect(Object.values(vendor.boot(config, { ...user, email: undefined, mobile: undefined }).user!)).not.toContain('')
  }
  for (const list of Object.values(vendor.sources(config))) for (const source of list) expect(source).toMatch(/^(https?|wss?):\/\/[\w.*:-]+$/)
  if (boot.script) expect(vendor.sources(config)['script-src']).toContain(new URL(boot.script).origin)
})

test('/features.yaml: a map of booleans, every action on until the setting says no; or the way elsewhere', async () => {
  const read = async () => {
    const reply = await full.inject({ url: '/features.yaml' })
    expect(reply.headers['cache-control']).toBe('no-store')
    return reply
  }
  const reply = await read()
  expect(reply.headers['content-type']).toContain('yaml')
  expect(parse(reply.body)).toEqual({
    features: { ...featureFlags.fallback },
  })
  await transact(db, SYSTEM, (tx) => full.deps.settings.set(tx, featureFlags, { createKey: false, newThing: true }))
  expect(parse((await read()).body).features).toMatchObject({ createKey: false, newThing: true, recharge: true })
  await expect(transact(db, SYSTEM, (tx) => full.deps.settings.set(tx, featureFlags, { 'a: b\nc': true }))).rejects.toThrow('BAD_INPUT')
  await transact(db, SYSTEM, (tx) => full.deps.settings.set(tx, featuresUrl, 'https://files.example.com/qa/features.yaml'))
  expect(await read()).toMatchObject({ statusCode: 302, headers: { location: 'https://files.example.com/qa/features.yaml' } })
  expect(await listSupportSources(full.deps)).toEqual({ 'connect-src': ['https://files.example.com'] })
  await expect(transact(db, SYSTEM, (tx) => full.deps.settings.set(tx, featuresUrl, 'javascript:alert(1)'))).rejects.toThrow('BAD_INPUT')
})
