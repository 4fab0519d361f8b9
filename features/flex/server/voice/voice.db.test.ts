import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { RTCPeerConnection } from 'werift'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { invitations } from '#features/invitations/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { makeTrialEligible } from '#features/services/server/builders.ts'
import { workTask } from '#features/services/server/door.ts'
import { services } from '#features/services/server/index.ts'
import { support } from '#features/support/server/index.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { flex } from '../index.ts'
import { syncAccounts } from '../seats/sync-accounts.ts'
import { voiceRooms } from '../settings.ts'
import { stopVoices } from './verbs.ts'

const featureFlags = support.settings!.find(({ key }) => key === 'support.features')!
const db = await useTestDb({ max: 10 })
const features = [flex, services, payments, invitations, wallet, account, notices, risk, support]
const { call, deps } = createTestApp({ features, db, clock: createRunningClock(), env: { VOICE_PORTS: '41000-41900' } })
let user: BuiltUser

beforeAll(async () => {
  await flex.start?.(deps, new Set())
  await syncAccounts(deps)
})
afterAll(stopVoices)
beforeEach(async () => {
  user = await aUser(deps)
  await makeTrialEligible(db, user.userId)
})
const ask = (path: string, input: object) => call('POST', `/v1/tool/voice/${path}`, input)
const mine = (path: string, who = user) => call('GET', `/v1/tool/openaiPlus/${path}`, {}, { token: who.token })
/** A day’s trial of ChatGPT, which has voice. */
const bought = async (): Promise<string> => {
  const { data } = await call(
    'POST',
    '/v1/tool/openaiPlus/applySharePlus',
    { packageId: 1, inviteCode: '' },
    { token: user.token, idempotencyKey: createId('key') },
  )
  await workTask(deps, data.taskId)
  return data.taskId
}
const over = async (id: string) => {
  await db.owner.query(`update services_tasks set expires_at = clock_timestamp() - interval '1 second' where id = $1`, [id])
  await workTask(deps, id)
}
/** A browser's offer: its microphone and three receiving tracks. */
const anOffer = async () => {
  const connection = new RTCPeerConnection({ iceUseIpv6: false, bundlePolicy: 'max-bundle' })
  connection.addTransceiver('audio', { direction: 'sendonly' })
  for (let at = 0; at < 3; at++) connection.addTransceiver('audio', { direction: 'recvonly' })
  await connection.setLocalDescription(await connection.createOffer())
  onTestFinished(() => connection.close())
  return connection.localDescription!.sdp
}

test('a voice room admits its member and a guest by their tokens, and closes with the subscription', async () => {
  const id = await bought()
  expect((await mine('shareUseInfo')).data.rowList[0].hasVoiceRoom).toBe(true)
  const own = (await mine('livekitToken')).data
  expect(own).toMatchObject({ kind: 'room', room: `voice-${id}`, identity: user.userId })
  const guest = new URL((await mine('voiceInvite')).data.url).hash.slice(1)
  expect((await ask('look', { token: guest })).data).toMatchObject({ who: 'guest', people: 4, places: 3, here: 0 })
  const first = (await ask('join', { token: own.token, sdp: await anOffer() })).data
  expect(first.sdp).toContain('a=fingerprint')
  const second = (await ask('join', { token: guest, sdp: await anOffer() })).data
  expect((await ask('room', { secret: first.secret, muted: false })).data.rowList).toMatchObject([
    { who: 'owner', isMe: true, place: null },
    { who: 'guest', isMe: false, place: 0, isMuted: false },
  ])
  // A rejoin after a lost connection replaces the same person
  const again = (await ask('join', { token: 'x'.repeat(30), sdp: await anOffer(), again: second.secret })).data
  expect((await ask('room', { secret: again.secret, muted: true })).data.rowList).toHaveLength(2)
  expect((await ask('room', { secret: second.secret, muted: false })).code).toBe(3712)
  await ask('leave', { secret: again.secret })
  expect((await ask('room', { secret: first.secret, muted: false })).data.rowList).toHaveLength(1)
  await over(id)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11_000 })
  expect((await ask('room', { secret: first.secret, muted: false })).code).toBe(3712)
  vi.useRealTimers()
  expect((await ask('join', { token: guest, sdp: await anOffer() })).code).toBe(3712)
  expect((await mine('voiceInvite')).code).toBe(3724)
})

test('the page shows a voice room exactly when its token is issued', async () => {
  const without = createTestApp({ features, db, clock: createRunningClock() })
  const shownAndGiven = async (app = { call }) => {
    const get = (path: string) => app.call('GET', `/v1/tool/openaiPlus/${path}`, {}, { token: user.token })
    return [(await get('shareUseInfo')).data.rowList[0].hasVoiceRoom, (await get('livekitToken')).code]
  }
  expect(await shownAndGiven()).toEqual([false, 3724])
  const id = await bought()
  expect(await shownAndGiven()).toEqual([true, 200])
  expect(await shownAndGiven(without)).toEqual([false, 3728])
  const flags = (value: Record<string, boolean>) => transact(db, SYSTEM, (tx) => deps.settings.set(tx, featureFlags, value))
  await flags({ enableChatGPT: false })
  expect(await shownAndGiven()).toEqual([false, 3703])
  await flags({})
  await over(id)
  expect(await shownAndGiven()).toEqual([false, 3724])
})

test('a voice room refuses a forged token, another account, an invalid offer and a join above the limit', async () => {
  const id = await bought()
  const { token } = (await mine('livekitToken')).data
  const [head, , signature] = token.split('.')
  const claims = { iss: 'mingxi', sub: 'guest', nbf: 0, exp: 9e9, video: { roomJoin: true, room: `voice-${id}` } }
  const forged = `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`
  expect((await ask('look', { token: forged })).code).toBe(3712)
  expect((await mine('voiceInvite', await aUser(deps))).code).toBe(3724)
  expect((await ask('join', { token, sdp: `v=0\r\n${'m=video 9 X 96\r\n'.repeat(4)}` })).code).toBe(3713)
  const limit = (most: number) => transact(db, SYSTEM, (tx) => deps.settings.set(tx, voiceRooms, most))
  await limit(0)
  expect((await ask('join', { token, sdp: await anOffer() })).code).toBe(3711)
  await limit(40)
  await over(id)
})
