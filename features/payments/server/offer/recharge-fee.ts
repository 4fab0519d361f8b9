import type { Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { toPercentFraction } from '#platform/shared/money.ts'
import type { paymentsContract } from '../../contract.ts'
import { BALANCE_CHANNEL_TYPE, ORDER_TYPE } from '../../words.ts'
import { resolveFeeTerms } from './offer.ts'
import { findChannelById } from '../vendors/index.ts'

export const rechargeFee: Handler<typeof paymentsContract.rechargeFee> = async (ctx, { channelType }) => {
  if (channelType === BALANCE_CHANNEL_TYPE) return { fee: '0' }
  if (!findChannelById(ctx, channelType)) fail('CHANNEL_UNAVAILABLE')
  return { fee: toPercentFraction((await resolveFeeTerms(ctx, channelType, ORDER_TYPE.RECHARGE)).feePercent) }
}
