import type { BalanceSource, Deps } from '#platform/server/feature.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { readNoticesConfig } from './config.ts'
import { smsVendors } from './vendors/index.ts'

/** Carriers of text messages that have credentials and report our balance. */
export async function listCarrierBalances({ config: all, clock }: Deps): Promise<readonly BalanceSource[]> {
  const config = readNoticesConfig(all)
  return smsVendors.flatMap(({ id, regions, balance }) =>
    balance && regions(config).length
      ? [
          {
            id: `notices:${id}`,
            read: async () => {
              const { currency, amount } = await balance({ config, clock })
              return [{ currency, amount: parseUsd(amount) }]
            },
          },
        ]
      : [],
  )
}
