/** Reason why a provider of the list cannot be enabled. */
type UnavailableReason =
  /** The provider publishes no API that could be integrated. */
  | 'no_public_interface'
  /** Not a channel: the order is paid from the balance. */
  | 'paid_by_the_order'
  /** Reserved number that is not assigned. */
  | 'unassigned'

export type Provider = { readonly id: number; readonly name: string } & (
  | { readonly available: true; readonly channel: string }
  | { readonly available: false; readonly why: UnavailableReason }
)

const defineUnavailable = (id: number, name: string, why: UnavailableReason): Provider => ({ id, name, available: false, why })
const defineAvailable = (id: number, name: string, channel: string): Provider => ({ id, name, available: true, channel })

/**
 * Twenty-five payment providers under permanent numbers (product.md 2.3), which orders store. An available provider is one line of the
 * registry; whether it is offered depends on its credentials.
 */
export const providers: readonly Provider[] = [
  defineUnavailable(1, 'GO_ALL_PAY', 'no_public_interface'),
  defineAvailable(2, 'STRIPE', 'stripe'),
  defineAvailable(3, 'NIHAOPAY', 'nihaopay'),
  defineAvailable(4, 'WECHAT', 'wechat-pay'),
  defineUnavailable(5, 'BALANCE', 'paid_by_the_order'),
  defineUnavailable(6, 'STRIPE_2', 'unassigned'),
  defineUnavailable(7, 'IOT_PAY', 'no_public_interface'),
  defineUnavailable(8, 'SU_PAY', 'no_public_interface'),
  defineUnavailable(9, 'NEW_PAY', 'no_public_interface'),
  defineUnavailable(10, 'NEW_ALL_PAY', 'no_public_interface'),
  defineAvailable(11, 'ALIPAY', 'alipay'),
  ...Array.from({ length: 13 }, (_, at) => defineUnavailable(12 + at, `RESERVED_${12 + at}`, 'unassigned')),
  defineAvailable(25, 'SANDBOX', 'sandbox'),
]
