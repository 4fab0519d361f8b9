import { z } from 'zod'

export const kasmEnv = {
  /**
   * Base URL of Kasm Workspaces, `https://kasm.example`. With a key and its secret, remote browsers run there and not in our own engine.
   */
  KASM_URL: z.url().optional(),
  /** API key from Settings, Developers, with permission to create, view and delete sessions and users. */
  KASM_KEY: z.string().optional(),
  /** The key's secret. */
  KASM_SECRET: z.string().optional(),
  /** Image id of the workspace, whose network settings determine the exit. */
  KASM_IMAGE: z.string().optional(),
  /** `session`: the API of 1.19 and later. `public`: the older one below /api/public. */
  KASM_API: z.enum(['session', 'public']).default('session'),
} as const

export interface KasmAccess {
  /** Base URL without a trailing slash. */
  readonly url: string
  readonly key: string
  readonly secret: string
  readonly image: string
}
