const RESULT = '/pay-face-verify-result'

/** The order that waits for this face check, as the address names it. */
export function waitingOrder(search: object): string | undefined {
  const { orderNo } = search as { orderNo?: unknown }
  return typeof orderNo === 'string' && /^\d{8}-[0-9A-Z]{12}$/.test(orderNo) ? orderNo : undefined
}

/** Where the company's page leads back to, with the order that is paid then. */
export const faceReturn = (orderNo: string | undefined): string => (orderNo ? `${RESULT}?orderNo=${orderNo}` : RESULT)

/** Back to the payment, with the order that has waited. */
export const payAgain = (orderNo: string | undefined): { to: string; search: never } => ({
  to: '/open-account-payment',
  search: (orderNo ? { orderNo } : {}) as never,
})
