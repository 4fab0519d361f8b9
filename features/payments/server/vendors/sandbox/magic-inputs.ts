/**
 * Magic inputs: the cents of the order amount choose how the sandbox behaves. 10.00 behaves well; 10.13 never sends a
 * notice. The cashier's buttons do the same by hand.
 */
export const MAGIC = {
  '01': 'open-refused',
  '02': 'open-slow',
  '03': 'open-500',
  '04': 'open-hangs',
  '05': 'open-html',
  '06': 'open-cut',
  '07': 'open-error-code',
  '08': 'open-duplicate',
  '11': 'pay-declined',
  '12': 'notice-late',
  '13': 'notice-never',
  '14': 'notice-twice',
  '15': 'notice-bad-signature',
  '16': 'pay-wrong-amount',
  '17': 'pay-twice',
  '18': 'query-not-found',
  '19': 'pay-late',
  '21': 'refund-refused',
  '22': 'refund-500',
  '23': 'refund-slow',
  '24': 'refund-reversed',
  '25': 'refund-stuck',
  '31': 'dispute-open',
  '32': 'dispute-won',
  '33': 'dispute-lost',
  '41': 'charge-declined',
  '42': 'charge-authentication',
  '43': 'charge-agreement-ended',
  '44': 'charge-lost-before',
  '45': 'charge-lost-after',
  '46': 'charge-slow',
} as const
export type Magic = (typeof MAGIC)[keyof typeof MAGIC] | 'none'

/** "10.13" -> "notice-never"; anything else behaves well. */
export function magicOf(orderAmount: string): Magic {
  const cents = /\.(\d{1,2})$/.exec(orderAmount)?.[1]?.padEnd(2, '0') as keyof typeof MAGIC | undefined
  return (cents && MAGIC[cents]) ?? 'none'
}
