import { z } from 'zod'
import type { ConfigOf, PlatformConfig, Shape } from '#platform/server/config.ts'
import type { Deps } from '#platform/server/feature.ts'

export const remoteConfig = {
  /** Remote browsers at once in this process (role `remote`); 0: none. */
  REMOTE_PLACES: z.coerce.number().int().min(0).max(60).default(6),
  /** Where customers' pages reach this process, `https://host`; the site's own address when absent. Production runs no browser without it. */
  REMOTE_PUBLIC: z.url({ protocol: /^https?$/ }).optional(),
  /** Which Chromium; the machine's own when absent. */
  REMOTE_CHROMIUM: z.string().optional(),
  /** As root each browser gets a user of its own. `true`: this process is not root, and all of them run as its user, which should have nothing else to do. */
  REMOTE_OWN_USER: z.stringbool().default(false),
  /** Where browsers reach our forward proxy, `http://host:port`; this process's own when it serves one, else the one that customers are told. */
  REMOTE_PROXY: z.url({ protocol: /^https?$/ }).optional(),
  /** A folder that every user of the system may enter; profiles lie in it while a session lasts. */
  REMOTE_DIR: z.string().default('/tmp'),
} as const satisfies Shape

type Config = PlatformConfig & ConfigOf<typeof remoteConfig>
export const remoteConfigOf = (deps: Pick<Deps, 'config'>): Config => deps.config as unknown as Config

/** In production no browser is started for strangers unless somebody said under which address it is to be reached. */
export const isRemoteMeant = ({ STAGE, REMOTE_PUBLIC, REMOTE_PLACES }: Pick<Config, 'STAGE' | 'REMOTE_PUBLIC' | 'REMOTE_PLACES'>): boolean =>
  REMOTE_PLACES > 0 && (STAGE !== 'production' || REMOTE_PUBLIC !== undefined)
