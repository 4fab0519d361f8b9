import type { ConfigShape } from '#platform/server/config.ts'
import { channelRegistry } from './vendors/index.ts'
import { payoutRegistry } from './withdrawals/vendors/index.ts'

/** Environment variables of all payment and payout channels. A channel without credentials is not offered. */
export const paymentsConfig: ConfigShape = { ...channelRegistry.env, ...payoutRegistry.env }
