import type { ReplyOf } from '#platform/shared/contract.ts'
import type { upgradeContract } from '../contract.ts'

/** The offer: services, plans and prices, hours and the queue. */
export type UpgradeOffer = ReplyOf<typeof upgradeContract.openAIPlus>
