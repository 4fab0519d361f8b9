import { z } from 'zod'
import type { Challenge } from 'altcha-lib/types'

const payload = z.object({
  challenge: z.object({
    parameters: z.looseObject({
      algorithm: z.literal('PBKDF2/SHA-256'),
      nonce: z.string().max(128),
      salt: z.string().max(128),
      keyLength: z.number().int().max(64),
      keyPrefix: z.string().max(128),
      keySignature: z.string().max(128),
      expiresAt: z.number().optional(),
      data: z.record(z.string(), z.string().max(40)).optional(),
    }),
    signature: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string().regex(/^[0-9a-f]{2,128}$/), time: z.number().optional() }),
})

interface Payload {
  readonly challenge: Challenge & { readonly signature: string }
  readonly solution: { readonly counter: number; readonly derivedKey: string }
}

/** Parses base64url JSON of challenge and solution with altcha-lib's field names; undefined for anything else. */
export function readPayload(proof: string): Payload | undefined {
  try {
    const parsed = payload.safeParse(JSON.parse(Buffer.from(proof, 'base64url').toString('utf8')))
    return parsed.success ? (parsed.data as unknown as Payload) : undefined
  } catch {
    return undefined
  }
}
