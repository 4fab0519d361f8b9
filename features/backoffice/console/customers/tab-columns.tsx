import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { movementOf, movementRoute, movementTitle, shownKind } from '#features/wallet/contract-movements.ts'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { deviceOf } from '#platform/shared/device-name.ts'
import { usdDisplay } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { CustomerLink } from '../kit/customer-link.tsx'
import { DataLine } from '../kit/data-line.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { useSay } from '../kit/say.ts'
import { KeyAct, NoteActs, NoticeAct } from './row-acts.tsx'
import { NoteText } from './notes-panel.tsx'
import { StateTag } from '../orders/state-tag.tsx'
import { KeyState } from './status.tsx'
import type { Tab } from './tabs.ts'
import { customerTexts } from './texts.ts'
import { keyOf } from '#platform/shared/texts.ts'

const ROLE_TEXT = { inviter: 'role_inviter', invitee: 'role_invitee' } as const

/** A row of a tab, as returned by the tab's endpoint; columns name the fields that they show. */
export type AnyRow = Readonly<Record<string, unknown>>
interface Column {
  readonly key: string
  readonly header: string
  readonly right?: boolean
  readonly cell: (row: AnyRow) => ReactNode
}

const text = (value: unknown) => (value === null || value === undefined || value === '' ? '—' : String(value))

/** Column factories in the operator's language. */
function useMakers() {
  const t = useTexts(customerTexts)
  const say = useSay()
  type Word = keyof (typeof customerTexts)['zh']
  const make =
    (right: boolean, show: (value: unknown) => ReactNode) =>
    (key: string, header: Word): Column => ({ key, header: t(header), right, cell: (row) => show(row[key]) })
  return {
    plain: make(false, (value) => say.value(text(value))),
    num: make(false, (value) => <span className="num">{text(value)}</span>),
    usd: make(true, (value) => <span className="num">{usdDisplay(String(value))}</span>),
    moved: make(true, (value) => <span className="num font-semibold">{usdDisplay(String(value), 2, true)}</span>),
    time: make(true, (value) => (value ? <Time at={String(value)} show="second" /> : '—')),
    of: (key: string, header: Word, cell: Column['cell'], right = false): Column => ({ key, header: t(header), right, cell }),
  }
}

function OrderLink({ orderNo }: { readonly orderNo: unknown }) {
  if (!orderNo) return '—'
  return (
    <Link to={`/orders?open=${String(orderNo)}`} className="link num">
      {String(orderNo)}
    </Link>
  )
}

const kindOfEntry = (row: AnyRow) => shownKind(String(row['kind']), String(row['ref']))
const isIn = (row: AnyRow) => !String(row['amount']).startsWith('-')

const Words = ({ row }: { readonly row: AnyRow }) => movementTitle(useLang(), kindOfEntry(row), isIn(row))

function Route({ row }: { readonly row: AnyRow }) {
  const { from, to } = movementRoute(useLang(), { kind: kindOfEntry(row), isIn: isIn(row) })
  return <span className="whitespace-nowrap">{`${from} → ${to}`}</span>
}

/** Reference of a ledger entry, linked to its order or withdrawal if it names one. */
function EntryLink({ row }: { readonly row: AnyRow }) {
  const object = movementOf(kindOfEntry(row))?.object
  const reference = String(row['ref'])
  const number = /(?<![RW\d])\d{8}-[0-9A-Z]{12}/.exec(reference)?.[0]
  if (object === 'order' && number) return <OrderLink orderNo={number} />
  const withdrawalNo = /W\d{8}-[0-9A-Z]{12}/.exec(reference)?.[0]
  if (object === 'withdrawal' && withdrawalNo)
    return (
      <Link to={`/withdrawals?open=${withdrawalNo}`} className="link num">
        {withdrawalNo}
      </Link>
    )
  return <span className="num">{text(reference)}</span>
}

export function useTabColumns(userId: string): Readonly<Record<Tab, readonly Column[]>> {
  const t = useTexts(customerTexts)
  const say = useSay()
  const nameOf = useOperatorName()
  const { plain, num, usd, moved, time, of } = useMakers()
  const order = of('orderNo', 'col_orderNo', (row) => <OrderLink orderNo={row['orderNo']} />)
  const [at, created] = [time('at', 'col_at'), time('createdAt', 'col_created')]
  return {
    ledger: [
      ...[num('seq', 'col_seq'), of('kind', 'col_kind', (row) => <Words row={row} />), of('route', 'col_route', (row) => <Route row={row} />)],
      ...[of('ref', 'col_ref', (row) => <EntryLink row={row} />), moved('amount', 'col_amount'), usd('after', 'col_after'), at],
    ],
    orders: [order, of('state', 'col_state', (row) => <StateTag state={String(row['state'])} />), usd('amount', 'col_amount'), created],
    calls: [
      ...[at, num('model', 'col_model'), plain('upstream', 'col_upstream'), plain('outcome', 'col_outcome')],
      of('tokens', 'col_tokens', (row) => <span className="num">{`${text(row['inputTokens'])} / ${text(row['outputTokens'])}`}</span>, true),
      of('ms', 'col_ms', (row) => <span className="num">{`${(Number(row['ms']) / 1000).toFixed(1)} s`}</span>, true),
      ...[usd('amount', 'col_amount'), num('requestId', 'col_requestId')],
    ],
    keys: [
      // a name was chosen by the customer, so it is not translated
      ...[
        of('name', 'col_name', (row) => <span dir="auto">{text(row['name'])}</span>),
        of('key', 'col_key', (row) => <span className="num">{`…${text(row['last4'])}`}</span>),
      ],
      of('state', 'col_state', (row) => <KeyState row={row} />),
      ...[num('lastModel', 'col_model'), time('lastUsedAt', 'col_lastUsed'), created],
      of('act', 'col_act', (row) => <KeyAct row={row} />, true),
    ],
    sessions: [
      num('ip', 'col_ip'),
      of('device', 'col_device', (row) => (
        <span className="block max-w-[60ch] truncate" title={text(row['userAgent'])}>
          {deviceOf(text(row['userAgent'])).name || text(row['userAgent'])}
        </span>
      )),
      ...[time('lastSeenAt', 'col_seen'), created],
    ],
    cards: [
      ...[num('last4', 'col_last4'), plain('type', 'col_type'), plain('state', 'col_state'), num('refusals', 'col_refusals')],
      ...[usd('recharged', 'col_recharged'), usd('spent', 'col_spent'), created],
    ],
    notices: [
      of('template', 'col_template', (row) => say.action(text(row['template']))),
      plain('state', 'col_state'),
      plain('problem', 'col_problem'),
      created,
      time('endedAt', 'col_at'),
      of('act', 'col_act', (row) => <NoticeAct row={row} userId={userId} />, true),
    ],
    conversations: [
      plain('kind', 'col_kind'),
      plain('topic', 'col_topic'),
      plain('state', 'col_state'),
      num('messages', 'col_messages'),
      order,
      time('updatedAt', 'col_at'),
    ],
    notes: [
      at,
      of('madeBy', 'col_who', (row) => nameOf(text(row['madeBy']))),
      of('text', 'col_note', (row) => <NoteText text={text(row['text'])} pinned={row['pinned'] === true} />),
      of('act', 'col_act', (row) => <NoteActs row={row} />, true),
    ],
    invitations: [
      of('role', 'col_role', (row) => t(keyOf(ROLE_TEXT, String(row['role'])))),
      of('customer', 'col_customer', (row) => <CustomerLink userId={String(row['userId'])}>{String(row['name']) || undefined}</CustomerLink>),
      ...[plain('way', 'col_kind'), at],
    ],
    audit: [
      at,
      of('who', 'col_who', (row) =>
        row['actorKind'] === 'operator' ? nameOf(String(row['actorId'])) : say.subject(`${String(row['actorKind'])}:${String(row['actorId'])}`),
      ),
      of('action', 'col_action', (row) => say.action(String(row['action']))),
      of('data', 'col_data', (row) => <DataLine data={row['data'] as AnyRow} className="max-w-[70ch]" />),
    ],
  }
}
