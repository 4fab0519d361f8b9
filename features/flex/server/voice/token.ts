import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

export interface VoiceGrant {
  readonly identity: string
  readonly room: string
  readonly now: Date
  readonly expires: Date
}

/**
 * LiveKit's access token: a JWT of the API key, with a `video` grant. https://docs.livekit.io/home/get-started/authentication/ Our own
 * rooms accept the same tokens.
 */
export function createAccessToken(voice: { readonly key: string; readonly secret: string | Buffer }, { identity, room, now, expires }: VoiceGrant): string {
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
  return `${body}.${computeSignature(voice.secret, body)}`
}

const computeSignature = (secret: string | Buffer, body: string): string => createHmac('sha256', secret).update(body).digest('base64url')
const claimsOf = z.object({
  iss: z.string(),
  sub: z.string(),
  nbf: z.number(),
  exp: z.number(),
  video: z.object({ roomJoin: z.literal(true), room: z.string() }),
})

/** Verifies a token and returns its identity and room; undefined if it is not ours, its signature is wrong or it has expired. */
export function readVoiceToken(
  voice: { readonly key: string; readonly secret: string | Buffer },
  token: string,
  now: Date,
): { identity: string; room: string } | undefined {
  const [head, body, signed, ...more] = token.split('.')
  if (!head || !body || !signed || more.length) return undefined
  const [given, right] = [Buffer.from(signed), Buffer.from(computeSignature(voice.secret, `${head}.${body}`))]
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined
  try {
    const claims = claimsOf.parse(JSON.parse(Buffer.from(body, 'base64url').toString()))
    const seconds = now.getTime() / 1000
    if (claims.iss !== voice.key || claims.nbf > seconds || claims.exp <= seconds) return undefined
    return { identity: claims.sub, room: claims.video.room }
  } catch {
    return undefined
  }
}
