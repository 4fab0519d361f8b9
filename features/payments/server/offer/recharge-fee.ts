import type { Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { percentFraction } from '#platform/shared/money.ts'
import type { paymentsContract } from '../../contract.ts'
import { BALANCE_CHANNEL, ORDER_TYPE } from '../../words.ts'
import { feesOf } from './offer.ts'
import { channelById } from '../vendors/index.ts'

export const rechargeFee: Handler<typeof paymentsContract.rechargeFee> = async (ctx, { channelType }) => {
  if (channelType === BALANCE_CHANNEL) return { fee: '0' }
  if (!channelById(ctx.config, channelType)) fail('CHANNEL_UNAVAILABLE')
  return { fee: percentFraction((await feesOf(ctx, channelType, ORDER_TYPE.RECHARGE)).feePercent) }
}
