import { z } from 'zod'

export const kasmEnv = {
  /** Kasm Workspaces, `https://kasm.example`. With a key and its secret, remote browsers run there and not in our own engine. */
  KASM_URL: z.url().optional(),
  /** A key of Settings, Developers: it may create sessions and users, look at them and delete them. */
  KASM_KEY: z.string().optional(),
  /** The key's secret. */
  KASM_SECRET: z.string().optional(),
  /** Which workspace, by the id of its image; it goes out as its network says. */
  KASM_IMAGE: z.string().optional(),
  /** `session`: the API of 1.19 and later. `public`: the older one below /api/public. */
  KASM_API: z.enum(['session', 'public']).default('session'),
} as const

export interface KasmAccess {
  /** Without a slash at the end. */
  readonly url: string
  readonly key: string
  readonly secret: string
  readonly image: string
}
