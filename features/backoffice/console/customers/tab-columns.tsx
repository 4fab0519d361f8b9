import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { findMovement, formatMovementRoute, formatMovementTitle, toShownKind } from '#features/wallet/contract-movements.ts'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { parseDevice } from '#platform/shared/device-name.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { CustomerLink, DataLine } from '../kit/customer-link.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { useConsoleFormatter } from '../kit/format.ts'
import { NoteText } from './notes-panel.tsx'
import { OrderStateTag } from '../orders/state-tag.tsx'
import { CustomerKeyState } from './status.tsx'
import type { CustomerTab } from './tabs.ts'
import { customerTexts } from './texts.ts'
import { resolveTextKey, type TextKeyOf } from '#platform/shared/texts.ts'
import { CommandButton } from '../kit/command/command-button.tsx'

interface RowProps {
  readonly row: Readonly<Record<string, unknown>>
}

/** Button that pauses or resumes an API key; a deleted key has none. */
function KeyAction({ row }: RowProps) {
  const t = useTexts(customerTexts)
  if (row['state'] === 'deleted') return null
  const paused = row['state'] === 'paused'
  return (
    <CommandButton
      name={paused ? 'key.resume' : 'key.pause'}
      word={t(paused ? 'resumeKey' : 'pauseKey')}
      input={{ keyId: row['keyId'] }}
      about={`${String(row['keyName'])} …${String(row['last4'])}`}
      variant="ghost"
    />
  )
}

/** Buttons that pin and remove a note. */
function NoteActions({ row }: RowProps) {
  const t = useTexts(customerTexts)
  const input = { noteId: row['id'] }
  const about = <bdi className="line-clamp-2 [overflow-wrap:anywhere]">{String(row['text'])}</bdi>
  const pinned = row['pinned'] === true
  return (
    <span className="inline-flex flex-wrap justify-end">
      <CommandButton name="customer.pin-note" word={t(pinned ? 'unpin' : 'pin')} input={{ ...input, pinned: !pinned }} about={about} variant="ghost" />
      <CommandButton name="customer.remove-note" word={t('remove')} input={input} about={about} variant="ghost" />
    </span>
  )
}

/** Resends a stored mail. The operator sees only the name of its template. */
function NoticeAction({ row, userId }: RowProps & { readonly userId: string }) {
  const t = useTexts(customerTexts)
  const say = useConsoleFormatter()
  if (row['isKept'] !== true) return null
  return (
    <CommandButton
      name="notice.resend"
      word={t('resend')}
      input={{ user: userId, noticeId: row['id'] }}
      about={say.action(String(row['template']))}
      variant="ghost"
    />
  )
}

const ROLE_TEXT = { inviter: 'role_inviter', invitee: 'role_invitee' } as const

/** A row of a tab, as returned by the tab's endpoint; columns name the fields that they show. */
export type CustomerTabRow = Readonly<Record<string, unknown>>
interface Column {
  readonly key: string
  readonly header: string
  readonly right?: boolean
  readonly cell: (row: CustomerTabRow) => ReactNode
}

const toText = (value: unknown) => (value === null || value === undefined || value === '' ? '—' : String(value))

/** Column factories in the operator's language. */
function useColumnFactories() {
  const t = useTexts(customerTexts)
  const say = useConsoleFormatter()
  type Word = TextKeyOf<typeof customerTexts>
  const make =
    (right: boolean, show: (value: unknown) => ReactNode) =>
    (key: string, header: Word): Column => ({ key, header: t(header), right, cell: (row) => show(row[key]) })
  return {
    plain: make(false, (value) => say.value(toText(value))),
    num: make(false, (value) => <span className="num">{toText(value)}</span>),
    usd: make(true, (value) => <span className="num">{displayUsd(String(value))}</span>),
    moved: make(true, (value) => <span className="num font-semibold">{displayUsd(String(value), 2, true)}</span>),
    time: make(true, (value) => (value ? <Time at={String(value)} show="second" /> : '—')),
    of: (key: string, header: Word, cell: Column['cell']): Column => ({ key, header: t(header), right: false, cell }),
    ofRight: (key: string, header: Word, cell: Column['cell']): Column => ({ key, header: t(header), right: true, cell }),
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

const resolveEntryKind = (row: CustomerTabRow) => toShownKind(String(row['kind']), String(row['ref']))
const isCredit = (row: CustomerTabRow) => !String(row['amount']).startsWith('-')

const MovementTitle = ({ row }: { readonly row: CustomerTabRow }) => formatMovementTitle(useLang(), resolveEntryKind(row), { isIn: isCredit(row) })

function MovementRoute({ row }: { readonly row: CustomerTabRow }) {
  const { from, to } = formatMovementRoute(useLang(), { kind: resolveEntryKind(row), isIn: isCredit(row) })
  return <span className="whitespace-nowrap">{`${from} → ${to}`}</span>
}

/** Reference of a ledger entry, linked to its order or withdrawal if it names one. */
function EntryLink({ row }: { readonly row: CustomerTabRow }) {
  const object = findMovement(resolveEntryKind(row))?.object
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
  return <span className="num">{toText(reference)}</span>
}

export function useTabColumns(userId: string): Readonly<Record<CustomerTab, readonly Column[]>> {
  const t = useTexts(customerTexts)
  const say = useConsoleFormatter()
  const nameOf = useOperatorName()
  const { plain, num, usd, moved, time, of, ofRight } = useColumnFactories()
  const order = of('orderNo', 'col_orderNo', (row) => <OrderLink orderNo={row['orderNo']} />)
  const [at, created] = [time('at', 'col_at'), time('createdAt', 'col_created')]
  return {
    ledger: [
      ...[num('seq', 'col_seq'), of('kind', 'col_kind', (row) => <MovementTitle row={row} />), of('route', 'col_route', (row) => <MovementRoute row={row} />)],
      ...[of('ref', 'col_ref', (row) => <EntryLink row={row} />), moved('amount', 'col_amount'), usd('after', 'col_after'), at],
    ],
    orders: [order, of('state', 'col_state', (row) => <OrderStateTag state={String(row['state'])} />), usd('amount', 'col_amount'), created],
    calls: [
      ...[at, num('model', 'col_model'), plain('upstream', 'col_upstream'), plain('outcome', 'col_outcome')],
      ofRight('tokens', 'col_tokens', (row) => <span className="num">{`${toText(row['inputTokens'])} / ${toText(row['outputTokens'])}`}</span>),
      ofRight('ms', 'col_ms', (row) => <span className="num">{`${(Number(row['ms']) / 1000).toFixed(1)} s`}</span>),
      ...[usd('amount', 'col_amount'), num('requestId', 'col_requestId')],
    ],
    keys: [
      // The customer chose the name, so it is not translated
      ...[
        of('keyName', 'col_name', (row) => <span dir="auto">{toText(row['keyName'])}</span>),
        of('key', 'col_key', (row) => <span className="num">{`…${toText(row['last4'])}`}</span>),
      ],
      of('state', 'col_state', (row) => <CustomerKeyState row={row} />),
      ...[num('lastModel', 'col_model'), time('lastUsedAt', 'col_lastUsed'), created],
      ofRight('act', 'col_act', (row) => <KeyAction row={row} />),
    ],
    sessions: [
      num('ip', 'col_ip'),
      of('device', 'col_device', (row) => (
        <span className="block max-w-[60ch] truncate" title={toText(row['userAgent'])}>
          {parseDevice(toText(row['userAgent'])).name || toText(row['userAgent'])}
        </span>
      )),
      ...[time('lastSeenAt', 'col_seen'), created],
    ],
    cards: [
      ...[num('last4', 'col_last4'), plain('type', 'col_type'), plain('state', 'col_state'), num('refusals', 'col_refusals')],
      ...[usd('recharged', 'col_recharged'), usd('spent', 'col_spent'), created],
    ],
    notices: [
      of('template', 'col_template', (row) => say.action(toText(row['template']))),
      plain('state', 'col_state'),
      plain('problem', 'col_problem'),
      created,
      time('endedAt', 'col_at'),
      ofRight('act', 'col_act', (row) => <NoticeAction row={row} userId={userId} />),
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
      of('madeBy', 'col_who', (row) => nameOf(toText(row['madeBy']))),
      of('text', 'col_note', (row) => <NoteText text={toText(row['text'])} pinned={row['pinned'] === true} />),
      ofRight('act', 'col_act', (row) => <NoteActions row={row} />),
    ],
    invitations: [
      of('role', 'col_role', (row) => t(resolveTextKey(ROLE_TEXT, String(row['role'])))),
      of('customer', 'col_customer', (row) => <CustomerLink userId={String(row['userId'])}>{String(row['name']) || undefined}</CustomerLink>),
      ...[plain('way', 'col_kind'), at],
    ],
    audit: [
      at,
      of('who', 'col_who', (row) =>
        row['actorKind'] === 'operator' ? nameOf(String(row['actorId'])) : say.subject(`${String(row['actorKind'])}:${String(row['actorId'])}`),
      ),
      of('action', 'col_action', (row) => say.action(String(row['action']))),
      of('data', 'col_data', (row) => <DataLine data={row['data'] as CustomerTabRow} className="max-w-[70ch]" />),
    ],
  }
}
