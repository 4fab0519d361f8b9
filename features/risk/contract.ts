import { z } from 'zod'
import { defineContract } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'

/** Scene of a proof, which is valid for no other. */
export const captchaScene = z.enum(['login', 'register', 'reset', 'bind', 'security'])
export type RiskScene = z.output<typeof captchaScene>

/** Hidden challenge (proof of work), slide puzzle, or the vendor's behaviour check. */
export const captchaKind = z.enum(['altcha', 'slide', 'aliyun'])
export type CaptchaKind = z.output<typeof captchaKind>

/** `captchaVerifyParam` of any call protected by a captcha: `<kind>.<proof>`, opaque to the client. */
export const captchaVerifyParam = z.string().max(12_000)

/** A proof-of-work challenge as defined by altcha-lib; the signature covers every parameter. */
const altchaChallenge = z.object({
  kind: z.literal('altcha'),
  challenge: z.object({ parameters: z.record(z.string(), z.unknown()), signature: z.string() }),
  expiresInSeconds: z.number(),
})

/** A picture with a hole, and the piece that fits. Lengths are CSS pixels; the pictures have twice the resolution. */
const slideChallenge = z.object({
  kind: z.literal('slide'),
  id: z.string(),
  width: z.number(),
  height: z.number(),
  pieceSize: z.number(),
  pieceTop: z.number(),
  /** data:image/png;base64,... */
  picture: z.string(),
  piece: z.string(),
  expiresInSeconds: z.number(),
})

/** Parameters of the vendor's script. */
const aliyunChallenge = z.object({
  kind: z.literal('aliyun'),
  sceneId: z.string(),
  prefix: z.string(),
  region: z.enum(['cn', 'sgp']),
})

const challenge = z.discriminatedUnion('kind', [z.object({ kind: z.literal('off') }), altchaChallenge, slideChallenge, aliyunChallenge])
export type CaptchaChallenge = z.output<typeof challenge>

/** Movement of the puzzle piece: milliseconds since the start, CSS pixels from the left. */
const trail = z.array(z.tuple([z.number().min(0).max(600_000), z.number().min(-50).max(1000)])).max(400)

export const riskContract = defineContract(commonErrors)({
  captchaChallenge: {
    method: 'GET',
    path: '/common/captcha/challenge',
    access: 'public',
    summary: 'A new challenge for a scene; `kind` asks for another way through it (altcha, slide)',
    input: z.object({ scene: captchaScene, kind: z.enum(['altcha', 'slide']).optional() }),
    reply: z.object({ challenge, ways: z.array(z.enum(['altcha', 'slide'])) }),
    errors: ['TOO_MANY'],
  },
  moveSlide: {
    method: 'POST',
    path: '/common/captcha/slide',
    access: 'public',
    summary: 'Puts the piece of a slide puzzle at x; a passed one gives the proof to send along',
    input: z.object({ id: z.string().max(60), x: z.number().min(-50).max(1000), trail }),
    /** `param` is captchaVerifyParam, empty unless passed; once no attempts are left, a new challenge is needed. */
    reply: z.object({ passed: z.boolean(), triesLeft: z.number(), param: z.string() }),
    errors: ['TOO_MANY'],
  },
})
