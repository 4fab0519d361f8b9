/** Magic inputs: the part before the @ of the Alipay account chooses how the payout goes; any other account is paid. */
export const PAYOUT_MAGIC = ['account', 'name', 'limit', 'pending', 'held', 'lost-before', 'lost-after', 'returned'] as const
export type PayoutMagic = (typeof PAYOUT_MAGIC)[number] | 'none'

/** "pending@sandbox.example" -> "pending". */
export function magicOf(account: string): PayoutMagic {
  const [local, domain] = account.split('@')
  return domain === 'sandbox.example' ? (PAYOUT_MAGIC.find((magic) => magic === local) ?? 'none') : 'none'
}
