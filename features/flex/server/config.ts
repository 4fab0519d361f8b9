import { z } from 'zod'
import type { Deps } from '#platform/server/feature.ts'
import type { ConfigShape } from '#platform/server/config.ts'

export const flexConfig: ConfigShape = {
  /** URL at which browsers reach the LiveKit server of voice rooms (wss://). Without it, its key or its secret, we serve the rooms ourselves. */
  LIVEKIT_URL: z.url({ protocol: /^wss?$/ }).optional(),
  /** The LiveKit server's API key. */
  LIVEKIT_API_KEY: z.string().min(1).optional(),
  /** The LiveKit server's API secret, which signs members' tokens; at least 32 characters. */
  LIVEKIT_API_SECRET: z.string().min(32).optional(),
  /** UDP ports of our own voice rooms, e.g. `40000-40200`: one per concurrent speaker, open in the firewall. Without them we serve no rooms. */
  VOICE_PORTS: z
    .string()
    .regex(/^\d{4,5}-\d{4,5}$/)
    .transform((text) => text.split('-').map(Number) as [number, number])
    .refine(([from, to]) => from < to && to <= 65_535, 'must be two ports, the smaller first')
    .optional(),
  /**
   * Addresses under which browsers reach those ports, a comma list, in addition to those of this machine’s interfaces: the public one
   * behind a router.
   */
  VOICE_ADDRESSES: z
    .string()
    .transform((text) => text.split(',').map((one) => one.trim()))
    .pipe(z.array(z.ipv4()))
    .optional(),
}

export interface LiveKitConfig {
  readonly url: string
  readonly key: string
  readonly secret: string
}
export function readLiveKitConfig(config: Deps['config']): LiveKitConfig | undefined {
  const [url, key, secret] = [config['LIVEKIT_URL'], config['LIVEKIT_API_KEY'], config['LIVEKIT_API_SECRET']]
  return typeof url === 'string' && typeof key === 'string' && typeof secret === 'string' ? { url, key, secret } : undefined
}

/** Configuration of our own rooms; undefined if there are none. */
export function readVoiceRoomsConfig(config: Deps['config']): { readonly ports: readonly [number, number]; readonly addresses: readonly string[] } | undefined {
  const ports = config['VOICE_PORTS'] as readonly [number, number] | undefined
  if (!ports) return undefined
  return { ports, addresses: (config['VOICE_ADDRESSES'] as readonly string[] | undefined) ?? [] }
}

/** True if this installation offers voice rooms, with a LiveKit server or its own. */
export const hasVoiceRooms = (config: Deps['config']): boolean => readLiveKitConfig(config) !== undefined || readVoiceRoomsConfig(config) !== undefined
