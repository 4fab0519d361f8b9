import type { ConfigShape } from '#platform/server/config.ts'
import { issuersEnv } from './vendors/index.ts'

/** Environment variables of all issuers. */
export const cardsConfig: ConfigShape = { ...issuersEnv }
