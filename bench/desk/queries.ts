import { buildContacts } from './people.ts'

export type DeskQuery = readonly [name: string, path: string, input: (n: number) => object]

/** Queries of the operators' screens, about a different user each time. `second`: cursor of the work list's second page. */
export function listDeskQueries(orders: number, second: string | undefined): readonly DeskQuery[] {
  const contacts = buildContacts(orders)
  const page = { limit: 50 }
  const whose = (n: number) => ({ userId: contacts.user(n) })
  const tab = (name: string, path = name): DeskQuery => [`customer, ${name}`, `/operator/customer/${path}`, (n) => ({ ...page, ...whose(n) })]
  const plain = (name: string, path: string, input: object = {}): DeskQuery => [name, path, () => input]
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  return [
    plain('work list, first page', '/operator/work', page),
    plain('work list, second page', '/operator/work', { ...page, after: second }),
    plain('work list, one kind', '/operator/work', { ...page, kind: 'refund' }),
    plain('work list, late', '/operator/work', { ...page, view: 'late' }),
    plain('work counts', '/operator/work/counts'),
    plain('counts of the navigation', '/operator/counts'),
    plain('customers, newest', '/operator/customers', page),
    ['customers, by mail', '/operator/customers', (n) => ({ ...page, q: contacts.mail(n) })],
    ['customers, by the beginning of a mail', '/operator/customers', (n) => ({ ...page, q: contacts.mail(n).slice(0, 6) })],
    ['customers, by mobile', '/operator/customers', (n) => ({ ...page, q: contacts.mobile(n) })],
    ['customers, by order', '/operator/customers', (n) => ({ ...page, q: contacts.order(n) })],
    ['customers, no match', '/operator/customers', (n) => ({ ...page, q: `nobody-${n}@example.com` })],
    ['search of everything, by mail', '/operator/find', (n) => ({ q: contacts.mail(n) })],
    ['search of everything, by order', '/operator/find', (n) => ({ q: contacts.order(n) })],
    ['search of everything, nothing', '/operator/find', (n) => ({ q: `nobody-${n}` })],
    ['customer', '/operator/customer', whose],
    ...['timeline', 'ledger', 'calls', 'keys', 'notices', 'conversations', 'sessions', 'cards', 'notes', 'invitations'].map((name) => tab(name)),
    ['customer, audit', '/operator/audit', (n) => ({ ...page, target: `user:${contacts.user(n)}` })],
    plain('orders, newest', '/operator/orders', page),
    plain('orders, of a day', '/operator/orders', { ...page, from: day(180), to: day(180) }),
    plain('orders, of a state that none has', '/operator/orders', { ...page, state: 'disputed' }),
    plain('orders that wait', '/operator/orders', { ...page, waits: 'refund' }),
    ['orders, of a customer', '/operator/orders', (n) => ({ ...page, q: contacts.user(n) })],
    ['order', '/operator/order', (n) => ({ orderNo: contacts.order(n) })],
    plain('withdrawals', '/operator/withdrawals', page),
    plain('invoices that were asked for', '/operator/invoice/requests', { ...page, state: 'open' }),
    plain('invoices', '/operator/invoices', page),
    plain('approvals', '/operator/command/list', page),
    plain('audit, newest', '/operator/audit', page),
    plain('audit, of an operator', '/operator/audit', { ...page, actor: 'opr_nobody' }),
    plain('audit, of a rare action', '/operator/audit', { ...page, actions: 'account.frozen' }),
    plain('audit, of rare actions', '/operator/audit', { ...page, actions: 'operator.*' }),
    plain('audit, of a day', '/operator/audit', {
      ...page,
      from: new Date(Date.now() - 181 * 86_400_000).toISOString(),
      to: new Date(Date.now() - 180 * 86_400_000).toISOString(),
    }),
    plain('upstreams', '/operator/upstreams'),
    plain('prices', '/operator/prices'),
    plain('books', '/operator/books'),
    plain('support, to answer', '/operator/support/inbox', { ...page, state: 'open' }),
    plain('support, closed', '/operator/support/inbox', { ...page, state: 'closed' }),
    plain('services', '/operator/services/queue', page),
    plain('reward reviews', '/operator/reward/reviews'),
    plain('blocks', '/operator/blocks'),
    plain('locked sign-ins', '/operator/locks'),
    plain('announcements', '/operator/announcements'),
    plain('settings', '/operator/settings'),
    plain('rules', '/operator/rules'),
    plain('operators', '/operator/operators'),
    plain('bulk acts', '/operator/bulks'),
    plain('figures of 30 days', '/operator/figures', { days: 30 }),
    plain('system', '/operator/system'),
    plain('alarms', '/operator/alarms'),
  ]
}
