import { z } from 'zod'
import type { ConfigOf, PlatformConfig, ConfigShape } from '#platform/server/config.ts'
import type { Deps } from '#platform/server/feature.ts'

export const remoteConfig = {
  /** Maximum of concurrent remote browsers in this process (role `remote`); 0 disables them. */
  REMOTE_PLACES: z.coerce.number().int().min(0).max(60).default(6),
  /** Address at which customers' pages reach this process, `https://host`; defaults to the site's address. Production runs no browser without it. */
  REMOTE_PUBLIC: z.url({ protocol: /^https?$/ }).optional(),
  /** Path of Chromium; defaults to the one installed on the machine. */
  REMOTE_CHROMIUM: z.string().optional(),
  /**
   * Set to `true` if this process is not root: all browsers then run as its
   * user, which should do nothing else. As root, each browser gets its own user.
   */
  REMOTE_OWN_USER: z.stringbool().default(false),
  /** Address at which browsers reach our forward proxy, `http://host:port`; defaults to the proxy in this process, else to the public one. */
  REMOTE_PROXY: z.url({ protocol: /^https?$/ }).optional(),
  /** Directory for browser profiles while a session lasts; every system user must be able to enter it. */
  REMOTE_DIR: z.string().default('/tmp'),
} as const satisfies ConfigShape

type Config = PlatformConfig & ConfigOf<typeof remoteConfig>
export const readRemoteConfig = (deps: Pick<Deps, 'config'>): Config => deps.config as unknown as Config

/** False in production unless `REMOTE_PUBLIC` is set: no browser starts without an address at which pages reach it. */
export const isRemoteConfigured = ({ STAGE, REMOTE_PUBLIC, REMOTE_PLACES }: Pick<Config, 'STAGE' | 'REMOTE_PUBLIC' | 'REMOTE_PLACES'>): boolean =>
  REMOTE_PLACES > 0 && (STAGE !== 'production' || REMOTE_PUBLIC !== undefined)
