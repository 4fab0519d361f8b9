const RESULT = '/pay-face-verify-result'

/** The order that waits for this face check, from the URL. */
export function parseWaitingOrder(search: object): string | undefined {
  const { orderNo } = search as { orderNo?: unknown }
  return typeof orderNo === 'string' && /^\d{8}-[0-9A-Z]{12}$/.test(orderNo) ? orderNo : undefined
}

/** Return path of the face check page, with the order to pay next. */
export const buildFaceReturnPath = (orderNo: string | undefined): string => (orderNo ? `${RESULT}?orderNo=${orderNo}` : RESULT)

/** Link back to the payment, with the waiting order. */
export const buildPayAgainLink = (orderNo: string | undefined): { to: '/open-account-payment'; search: { orderNo?: string } } => ({
  to: '/open-account-payment',
  search: orderNo ? { orderNo } : {},
})
