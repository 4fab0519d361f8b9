import { z } from 'zod'
import type { Deps } from '#platform/server/feature.ts'
import type { Shape } from '#platform/server/config.ts'

export const flexConfig: Shape = {
  /** Where browsers reach the LiveKit server of voice rooms (wss://); without this and its key and secret voice is off. */
  LIVEKIT_URL: z.url({ protocol: /^wss?$/ }).optional(),
  /** The LiveKit server's API key. */
  LIVEKIT_API_KEY: z.string().min(1).optional(),
  /** Its secret, which signs the tokens of members; at least 32 characters. */
  LIVEKIT_API_SECRET: z.string().min(32).optional(),
}

export interface Voice {
  readonly url: string
  readonly key: string
  readonly secret: string
}
export function voiceOf(config: Deps['config']): Voice | undefined {
  const [url, key, secret] = [config['LIVEKIT_URL'], config['LIVEKIT_API_KEY'], config['LIVEKIT_API_SECRET']]
  return typeof url === 'string' && typeof key === 'string' && typeof secret === 'string' ? { url, key, secret } : undefined
}
