import type { Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { percentFraction } from '#platform/shared/money.ts'
import type { paymentsContract } from '../../contract.ts'
import { feePercentOf } from '../offer.ts'
import { channelById } from '../vendors/index.ts'

export const rechargeFee: Handler<typeof paymentsContract.rechargeFee> = async (ctx, { channelType }) => {
  if (!channelById(ctx.config, channelType)) fail('CHANNEL_UNAVAILABLE')
  return { fee: percentFraction(await feePercentOf(ctx, channelType)) }
}
