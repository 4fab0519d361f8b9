import type { Local, Merchant } from '../model.ts'

/** `sale`: takes the money at once; `hold`: comes for it later; `monthly`: takes it now and each month. */
export type How = 'sale' | 'hold' | 'monthly' | 'verify' | 'force' | 'refund'

export interface Shop {
  readonly id: string
  readonly merchant: Merchant
  readonly label: { readonly zh: string; readonly en: string }
  readonly minor: bigint
  readonly local?: Local
  readonly how: How
  /** Asks for the holder's code first. */
  readonly secure: boolean
  /** Two letters on its mark. */
  readonly mark: string
}

export const SHOPS: readonly Shop[] = [
  {
    id: 'chatgpt',
    merchant: { name: 'OPENAI *CHATGPT SUBSCR', city: 'SAN FRANCISCO', country: 'US', mcc: '5734' },
    label: { zh: 'ChatGPT Plus，每月', en: 'ChatGPT Plus, monthly' },
    minor: 2_000n,
    how: 'monthly',
    secure: false,
    mark: 'AI',
  },
  {
    id: 'netflix',
    merchant: { name: 'NETFLIX.COM', city: 'LOS GATOS', country: 'US', mcc: '4899' },
    label: { zh: 'Netflix 标准版，每月', en: 'Netflix Standard, monthly' },
    minor: 1_549n,
    how: 'monthly',
    secure: false,
    mark: 'N',
  },
  {
    id: 'midjourney',
    merchant: { name: 'MIDJOURNEY INC.', city: 'SOUTH SAN FRANCISCO', country: 'US', mcc: '5734' },
    label: { zh: 'Midjourney Basic，每月', en: 'Midjourney Basic, monthly' },
    minor: 1_000n,
    how: 'monthly',
    secure: false,
    mark: 'MJ',
  },
  {
    id: 'jetbrains',
    merchant: { name: 'JETBRAINS S.R.O.', city: 'PRAGUE', country: 'CZ', mcc: '5734' },
    label: { zh: 'JetBrains，布拉格，克朗结算', en: 'JetBrains, Prague, in koruna' },
    minor: 890n,
    local: { minor: 20_900n, currency: 'CZK' },
    how: 'sale',
    secure: true,
    mark: 'JB',
  },
  {
    id: 'hotel',
    merchant: { name: 'HOTEL ON RIVINGTON', city: 'NEW YORK', country: 'US', mcc: '7011' },
    label: { zh: '酒店，先预授权，退房时入账', en: 'A hotel: holds now, posts at check-out' },
    minor: 12_000n,
    how: 'hold',
    secure: false,
    mark: 'H',
  },
  {
    id: 'test',
    merchant: { name: 'TEST MERCHANT', city: 'WILMINGTON', country: 'US', mcc: '5999' },
    label: { zh: '测试商户，金额自填', en: 'Test merchant, any amount' },
    minor: 0n,
    how: 'sale',
    secure: false,
    mark: '?',
  },
]

export const HOWS: readonly How[] = ['sale', 'hold', 'monthly', 'verify', 'force', 'refund']
