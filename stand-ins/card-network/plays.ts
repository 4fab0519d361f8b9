import { authorize, reverse } from './authorizations.ts'
import type { Company } from './company.ts'
import { capture, refund } from './transactions.ts'
import type { Local, Merchant } from './model.ts'

interface Scene {
  readonly merchant: Merchant
  readonly minor: bigint
  readonly local?: Local
  /** The merchant's next action; `hold`: none yet. */
  readonly then: 'take' | 'hold' | 'reverse' | bigint
}

const at = (name: string, city: string, country: string, mcc: string): Merchant => ({ name, city, country, mcc })

/** One of each kind of statement row: long names, a cent, koruna, a partial refund, a hold, a released hold, a card check, a refusal. */
const SCENES: readonly Scene[] = [
  { merchant: at('OPENAI *CHATGPT SUBSCR', 'SAN FRANCISCO', 'US', '5734'), minor: 2_000n, then: 'take' },
  { merchant: at('GOOGLE *TEMPORARY HOLD', 'MOUNTAIN VIEW', 'US', '5816'), minor: 0n, then: 'hold' },
  { merchant: at('AMZN MKTP US*2K4LN7QX0 AMZN.COM/BILL', 'SEATTLE', 'US', '5942'), minor: 1n, then: 'take' },
  { merchant: at('JETBRAINS S.R.O.', 'PRAHA', 'CZ', '5734'), minor: 890n, local: { minor: 20_900n, currency: 'CZK' }, then: 'take' },
  // gives back 12.50
  { merchant: at('CURSOR, AI POWERED IDE', 'NEW YORK', 'US', '5734'), minor: 2_000n, then: 1_250n },
  { merchant: at('HOTEL ON RIVINGTON', 'NEW YORK', 'US', '7011'), minor: 1_500n, then: 'reverse' },
  { merchant: at('X CORP. PAID FEATURES', 'BASTROP', 'US', '5816'), minor: 39_500n, then: 'take' },
  { merchant: at('PADDLE.NET* OBSIDIAN SYNC DYNALIST INC', 'LISBOA', 'PT', '5734'), minor: 480n, local: { minor: 442n, currency: 'EUR' }, then: 'take' },
  { merchant: at('UBER *TRIP HELP.UBER.COM', 'SAN FRANCISCO', 'US', '4121'), minor: 642n, then: 'hold' },
]

/** Merchants charge a card one after another, as they would; the platform is asked about each. */
export async function playScenes(company: Company, card: string): Promise<void> {
  for (const { merchant, minor, local, then } of SCENES) {
    const { ref, approved } = await authorize(company, { card, minor, merchant, local })
    if (!approved || then === 'hold') continue
    if (then === 'reverse') {
      reverse(company, ref)
      continue
    }
    const taken = capture(company, ref, { minor })
    if (then !== 'take') refund(company, taken.ref, then)
  }
}
