import type { Shape } from '#platform/server/config.ts'
import { issuersEnv } from './vendors/index.ts'

/** What the issuers' folders read from the environment. */
export const cardsConfig: Shape = { ...issuersEnv }
