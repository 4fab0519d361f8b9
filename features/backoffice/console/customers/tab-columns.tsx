import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { usdDisplay } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { CustomerLink } from '../kit/customer-link.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { useSay } from '../kit/say.ts'
import { StateTag } from '../orders/state-tag.tsx'
import type { Tab } from './tabs.ts'
import { customerTexts } from './texts.ts'

/** A row as its tab's endpoint answers it; columns name the fields that they show. */
export type AnyRow = Readonly<Record<string, unknown>>
interface Column {
  readonly key: string
  readonly header: string
  readonly right?: boolean
  readonly cell: (row: AnyRow) => ReactNode
}

const text = (value: unknown) => (value === null || value === undefined || value === '' ? '—' : String(value))

export function useTabColumns(): Readonly<Record<Tab, readonly Column[]>> {
  const t = useTexts(customerTexts)
  const say = useSay()
  const nameOf = useOperatorName()
  const plain = (key: string, header: keyof (typeof customerTexts)['zh'], field: string = key): Column => ({ key, header: t(header), cell: (row) => say.value(text(row[field])) })
  const num = (key: string, header: keyof (typeof customerTexts)['zh'], field: string = key): Column => ({ key, header: t(header), cell: (row) => <span className="num">{text(row[field])}</span> })
  const usd = (key: string, header: keyof (typeof customerTexts)['zh'], signed = false): Column => ({
    key,
    header: t(header),
    right: true,
    cell: (row) => <span className={`num ${signed ? 'font-semibold' : ''}`}>{usdDisplay(String(row[key]), 2, signed)}</span>,
  })
  const time = (key: string, header: keyof (typeof customerTexts)['zh']): Column => ({
    key,
    header: t(header),
    right: true,
    cell: (row) => (row[key] ? <Time at={String(row[key])} show="second" /> : '—'),
  })
  const order: Column = {
    key: 'orderNo',
    header: t('col_orderNo'),
    cell: (row) =>
      row['orderNo'] ? (
        <Link to={`/orders?open=${String(row['orderNo'])}` as never} className="link num">
          {String(row['orderNo'])}
        </Link>
      ) : (
        '—'
      ),
  }
  return {
    ledger: [num('seq', 'col_seq'), plain('kind', 'col_kind'), num('ref', 'col_ref'), usd('amount', 'col_amount', true), usd('after', 'col_after'), time('at', 'col_at')],
    orders: [order, { key: 'state', header: t('col_state'), cell: (row) => <StateTag state={String(row['state'])} /> }, usd('amount', 'col_amount'), time('createdAt', 'col_created')],
    calls: [
      time('at', 'col_at'),
      num('model', 'col_model'),
      plain('upstream', 'col_upstream'),
      plain('outcome', 'col_outcome'),
      { key: 'tokens', header: t('col_tokens'), right: true, cell: (row) => <span className="num">{`${text(row['inputTokens'])} / ${text(row['outputTokens'])}`}</span> },
      { key: 'ms', header: t('col_ms'), right: true, cell: (row) => <span className="num">{`${(Number(row['ms']) / 1000).toFixed(1)} s`}</span> },
      usd('amount', 'col_amount'),
      num('requestId', 'col_requestId'),
    ],
    keys: [plain('name', 'col_name'), { key: 'key', header: t('col_key'), cell: (row) => <span className="num">{`…${text(row['last4'])}`}</span> }, plain('state', 'col_state'), num('lastModel', 'col_model'), time('lastUsedAt', 'col_lastUsed'), time('createdAt', 'col_created')],
    sessions: [num('ip', 'col_ip'), { key: 'device', header: t('col_device'), cell: (row) => <span className="block max-w-[60ch] truncate">{text(row['userAgent'])}</span> }, time('lastSeenAt', 'col_seen'), time('createdAt', 'col_created')],
    cards: [num('last4', 'col_last4'), plain('type', 'col_type'), plain('state', 'col_state'), num('refusals', 'col_refusals'), usd('recharged', 'col_recharged'), usd('spent', 'col_spent'), time('createdAt', 'col_created')],
    notices: [num('template', 'col_template'), plain('state', 'col_state'), plain('problem', 'col_problem'), time('createdAt', 'col_created'), time('endedAt', 'col_at')],
    conversations: [plain('kind', 'col_kind'), plain('topic', 'col_topic'), plain('state', 'col_state'), num('messages', 'col_messages'), order, time('updatedAt', 'col_at')],
    invitations: [
      { key: 'role', header: t('col_role'), cell: (row) => t(`role_${String(row['role'])}` as 'role_inviter') },
      { key: 'customer', header: t('col_customer'), cell: (row) => <CustomerLink userId={String(row['userId'])}>{String(row['name']) || undefined}</CustomerLink> },
      plain('way', 'col_kind'),
      time('at', 'col_at'),
    ],
    audit: [
      time('at', 'col_at'),
      { key: 'who', header: t('col_who'), cell: (row) => (row['actorKind'] === 'operator' ? nameOf(String(row['actorId'])) : say.subject(`${String(row['actorKind'])}:${String(row['actorId'])}`)) },
      { key: 'action', header: t('col_action'), cell: (row) => say.action(String(row['action'])) },
      { key: 'data', header: t('col_data'), cell: (row) => <span className="num block max-w-[70ch] truncate text-12 text-fg-2">{JSON.stringify(row['data'])}</span> },
    ],
  }
}
