import { z } from 'zod'
import { defineContract, emptyReply } from '#platform/shared/contract.ts'
import { serviceErrors } from '#features/services/errors.ts'
import { flexErrors } from './errors.ts'

const token = z.string().min(20).max(2000)
const secret = z.string().regex(/^[\w-]{24}$/)

/** Our own voice rooms: a room's token admits its holder, signed in or not, as on a LiveKit server. */
export const voiceContract = defineContract({ ...serviceErrors, ...flexErrors })({
  voiceInvite: {
    method: 'GET',
    path: '/v1/tool/openaiPlus/voiceInvite',
    access: 'user',
    summary: 'An address that lets a guest into the caller’s voice room, for ten minutes',
    input: z.object({}),
    reply: z.object({ url: z.string(), expiresTime: z.string() }),
    errors: ['FLEX_NOT_IN_USE', 'FLEX_VOICE_OFF', 'SERVICE_PAUSED'],
  },
  voiceLook: {
    method: 'POST',
    path: '/v1/tool/voice/look',
    access: 'public',
    summary: 'The room that a token opens: how many fit in, and how many are there',
    input: z.object({ token }),
    reply: z.object({
      who: z.enum(['owner', 'guest']),
      people: z.number(),
      /** Receiving audio transceivers that the offer must contain. */
      places: z.number(),
      here: z.number(),
      minutes: z.number(),
    }),
    errors: ['FLEX_VOICE_OFF', 'FLEX_VOICE_GONE'],
  },
  voiceJoin: {
    method: 'POST',
    path: '/v1/tool/voice/join',
    access: 'public',
    summary: 'Joins: answers the browser’s offer, its microphone first, then one line per other person; `again` is the secret of an earlier join',
    input: z.object({ token, sdp: z.string().min(50).max(30_000), again: secret.optional() }),
    reply: z.object({ secret: z.string(), id: z.string(), sdp: z.string(), endsTime: z.string() }),
    errors: ['FLEX_VOICE_OFF', 'FLEX_VOICE_GONE', 'FLEX_VOICE_FULL', 'FLEX_VOICE_OFFER'],
  },
  voiceRoom: {
    method: 'POST',
    path: '/v1/tool/voice/room',
    access: 'public',
    summary: 'Heartbeat with the mute state; returns the people in the room. Sent every two seconds, and missed for forty-five, it ends the stay',
    input: z.object({ secret, muted: z.boolean() }),
    reply: z.object({
      rowList: z.array(
        z.object({
          id: z.string(),
          who: z.enum(['owner', 'guest']),
          isMe: z.boolean(),
          isMuted: z.boolean(),
          place: z.number().nullable(),
          sinceTime: z.string(),
        }),
      ),
      endsTime: z.string(),
    }),
    errors: ['FLEX_VOICE_GONE'],
  },
  voiceLeave: {
    method: 'POST',
    path: '/v1/tool/voice/leave',
    access: 'public',
    summary: 'Leaves the room',
    input: z.object({ secret }),
    reply: emptyReply,
    errors: [],
  },
})
