import { z } from 'zod'
import { defineContract, nothing } from '#platform/shared/contract.ts'
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
    summary: 'An address that lets somebody into one’s own voice room, for ten minutes',
    input: z.object({}),
    reply: z.object({ url: z.string(), expiresTime: z.string() }),
    errors: ['FLEX_NOT_IN_USE', 'FLEX_VOICE_OFF', 'SERVICE_PAUSED'],
  },
  voiceLook: {
    method: 'POST',
    path: '/v1/tool/voice/look',
    access: 'public',
    summary: 'What a token opens: how many fit in, and how many are there',
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
    summary: 'Comes in: the browser’s offer, its microphone first and then one line for each other person, is answered; `again` is who one was before',
    input: z.object({ token, sdp: z.string().min(50).max(30_000), again: secret.optional() }),
    reply: z.object({ secret: z.string(), id: z.string(), sdp: z.string(), endsTime: z.string() }),
    errors: ['FLEX_VOICE_OFF', 'FLEX_VOICE_GONE', 'FLEX_VOICE_FULL', 'FLEX_VOICE_OFFER'],
  },
  voiceRoom: {
    method: 'POST',
    path: '/v1/tool/voice/room',
    access: 'public',
    summary: 'Says that one is still there, whether muted, and answers who else is; asked every two seconds, and gone after forty-five seconds without',
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
    summary: 'Goes out',
    input: z.object({ secret }),
    reply: nothing,
    errors: [],
  },
})
