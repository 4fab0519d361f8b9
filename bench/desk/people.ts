const ORDERS_PER_USER = 5
export const SPREAD_DAYS = 365

export const buildUserIdSql = (n: number | string) => `'usr_01KB' || lpad((${n})::text, 22, '0')`
/** Order number; its date follows from `n`, so that queries can compute it. */
export const buildOrderNoSql = (n: string) => `to_char(date '2026-01-01' + (${n})::int % 365, 'YYYYMMDD') || '-' || lpad((${n})::text, 12, '0')`

/** Spreads row `n` evenly over a year, the newest last, in insertion order. */
export const buildSpreadSql = (n: string, of: number) => `now() - make_interval(mins => ((${of} - ${n})::bigint * ${SPREAD_DAYS * 1440} / ${of})::int)`

/** Number of users at five orders each. */
export const countDeskUsers = (orders: number) => Math.ceil(orders / ORDERS_PER_USER)

/** Contacts for queries: a different user for each `n`. */
export function buildContacts(orders: number) {
  const users = countDeskUsers(orders)
  const pick = (n: number) => ((n * 7919) % users) + 1
  return {
    user: (n: number) => `usr_01KB${String(pick(n)).padStart(22, '0')}`,
    mail: (n: number) => `u${String(pick(n)).padStart(7, '0')}@bench.example`,
    mobile: (n: number) => `+86139${String(pick(n)).padStart(8, '0')}`,
    order: (n: number) => {
      const order = pick(n)
      const day = new Date(Date.UTC(2026, 0, 1 + (order % 365))).toISOString().slice(0, 10).replaceAll('-', '')
      return `${day}-${String(order).padStart(12, '0')}`
    },
  }
}
