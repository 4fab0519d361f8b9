import type { BalanceSource, CertificateFact, Deps } from '#platform/server/feature.ts'
import { minorToNano } from '#platform/shared/money.ts'
import { listChannels, createChannelTools } from './vendors/index.ts'

/** Returns the channels that report our balance with them. */
export async function listChannelBalances(deps: Deps): Promise<readonly BalanceSource[]> {
  const tools = createChannelTools(deps)
  return listChannels(deps).flatMap(({ manifest, balance }) =>
    balance
      ? [
          {
            id: `payments:${manifest.name}`,
            read: async () => (await balance(tools)).map(({ currency, minor }) => ({ currency, amount: minorToNano(minor) })),
          },
        ]
      : [],
  )
}

export async function listChannelCertificates(deps: Deps): Promise<readonly CertificateFact[]> {
  const tools = createChannelTools(deps)
  const found = await Promise.all(
    listChannels(deps).map(async ({ manifest, certificates }) =>
      ((await certificates?.(tools)) ?? []).map(({ serial, issuer, expiresAt }) => ({ name: `${manifest.name} ${serial}`, issuer, expiresAt })),
    ),
  )
  return found.flat()
}
