import { createHmac } from 'node:crypto'
import type { Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { actionIsOn } from '#features/services/server/door.ts'
import type { flexContract } from '../contract.ts'
import { voiceOf } from './config.ts'
import { packageIn } from './service.ts'
import { usedOn } from './read.ts'

const MINUTES = 10

/** One room a subscription: its member, and whoever answers there. */
export const livekitToken: Handler<(typeof flexContract)['livekitToken']> = async (ctx) => {
  const task = await usedOn(ctx, 1)
  if (!packageIn(task).services.includes('chatgptVoice')) fail('FLEX_NOT_IN_USE')
  if (!(await actionIsOn(ctx, 'enableChatGPT', ctx.userId))) fail('SERVICE_PAUSED', { reason: '' })
  const voice = voiceOf(ctx.config) ?? fail('FLEX_VOICE_OFF')
  const room = `voice-${task.id}`
  const expires = new Date(ctx.clock.now().getTime() + MINUTES * 60_000)
  await transact(ctx.db, ctx.actor, (tx) => tx.audit('flex.voice', `service:${task.id}`, { room }))
  const token = accessToken(voice, { identity: ctx.userId, room, now: ctx.clock.now(), expires })
  return { url: voice.url, token, room, identity: ctx.userId, expiresTime: expires.toISOString() }
}

interface Grant {
  readonly identity: string
  readonly room: string
  readonly now: Date
  readonly expires: Date
}

/** LiveKit's access token: a JWT of the API key, with a `video` grant. https://docs.livekit.io/home/get-started/authentication/ */
export function accessToken(voice: { readonly key: string; readonly secret: string }, { identity, room, now, expires }: Grant): string {
  const seconds = (time: Date) => Math.floor(time.getTime() / 1000)
  const claims = {
    iss: voice.key,
    sub: identity,
    nbf: seconds(now) - 10,
    exp: seconds(expires),
    video: { roomJoin: true, room, canPublish: true, canSubscribe: true, canPublishData: false, canPublishSources: ['microphone'] },
  }
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const body = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  return `${body}.${createHmac('sha256', voice.secret).update(body).digest('base64url')}`
}
