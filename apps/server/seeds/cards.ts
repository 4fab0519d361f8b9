import type { Deps } from '#platform/server/feature.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { aUser } from '#features/account/server/builders.ts'
import { anArrivedRecharge, anOpenedCard, freezeCard, startSandboxMerchants } from '#features/cards/server/builders.ts'
import { aReadyHolder } from '#features/identity/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'

export const CARDS_EMAIL = 'cards@mingxi.example'

/**
 * A second demo user, with a standard card that has a balance and bills, and a frozen Pro card. More can be bought in the issuer's shop.
 */
export async function seedCards(deps: Deps, password: string): Promise<void> {
  try {
    const { userId } = await aUser(deps, { email: CARDS_EMAIL, password })
    await aReadyHolder(deps, userId)
    await aFundedUser(deps.db, { userId, purchased: parseUsd('112.40') })
    const card = await anOpenedCard(deps, userId)
    await anArrivedRecharge(deps, card, parseUsd('60'))
    await anArrivedRecharge(deps, card, parseUsd('12.34'))
    await startSandboxMerchants(deps, card)
    await freezeCard(deps, await anOpenedCard(deps, userId, 'pro'))
  } catch (error) {
    deps.log.info({ err: error }, 'the demo has no cards: this process has no issuer')
  }
}
