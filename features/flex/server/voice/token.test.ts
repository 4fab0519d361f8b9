import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { createAccessToken, readVoiceToken } from './token.ts'

const house = { key: 'mingxi', secret: Buffer.alloc(32, 7) }
const now = new Date('2026-11-23T10:00:00Z')
const grant = { identity: 'u_1', room: 'voice-srv_1', now, expires: new Date(now.getTime() + 600_000) }
const at = (seconds: number) => new Date(now.getTime() + seconds * 1000)

test('a token opens its room, within its lifetime and only as it was signed', () => {
  const token = createAccessToken(house, grant)
  expect(readVoiceToken(house, token, now)).toEqual({ identity: 'u_1', room: 'voice-srv_1' })
  expect(readVoiceToken(house, token, at(601))).toBeUndefined()
  expect(readVoiceToken(house, token, at(-60))).toBeUndefined()
  expect(readVoiceToken({ ...house, secret: Buffer.alloc(32, 8) }, token, now)).toBeUndefined()
  expect(readVoiceToken({ ...house, key: 'other' }, token, now)).toBeUndefined()
  const [head, body, signed] = token.split('.') as [string, string, string]
  const claims = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), video: { roomJoin: true, room: 'voice-srv_2' } }
  const forged = Buffer.from(JSON.stringify(claims)).toString('base64url')
  expect(readVoiceToken(house, `${head}.${forged}.${signed}`, now)).toBeUndefined()
  for (const broken of ['', 'a.b', `${token}.x`, `${head}.${body}.`, `${head}.${body}.${signed.slice(1)}`])
    expect(readVoiceToken(house, broken, now)).toBeUndefined()
  const notJson = `${head}.${Buffer.from('{').toString('base64url')}`
  expect(readVoiceToken(house, `${notJson}.${createHmac('sha256', house.secret).update(notJson).digest('base64url')}`, now)).toBeUndefined()
})
