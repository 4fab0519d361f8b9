import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { HISTORY_GROUPS } from '../../contract-history.ts'
import type { HistoryEntry, HistoryGroup, HistoryEvent } from '../../contract-history.ts'
import { securityTexts } from '../../texts-security.ts'
import { historyApi } from '../security/api.ts'
import { Eye, Fingerprint, KeyRound, Lock, LogIn, LogOut, ShieldAlert, ShieldCheck, Webhook, Wallet, UserPen, Download, Snowflake } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { toShanghaiDay, toShanghaiTime } from '#platform/shared/time.ts'
import { Badge } from '#ui/badge.tsx'
import { parseDevice } from '#platform/shared/device-name.ts'

const HIS_WAY_TEXT = {
  code: 'his_way_code',
  google: 'his_way_google',
  password: 'his_way_password',
  totp: 'his_way_totp',
  passkey: 'his_way_passkey',
  recovery: 'his_way_recovery',
} as const
const HIS_TEXT = {
  keyDeleted: 'his_keyDeleted',
  keyEnabled: 'his_keyEnabled',
  keyDisabled: 'his_keyDisabled',
  frozen: 'his_frozen',
  login: 'his_login',
  logout: 'his_logout',
  registered: 'his_registered',
  loginFailed: 'his_loginFailed',
  sessionEnded: 'his_sessionEnded',
  stepUp: 'his_stepUp',
  passwordSet: 'his_passwordSet',
  passwordChanged: 'his_passwordChanged',
  emailVerified: 'his_emailVerified',
  emailChanged: 'his_emailChanged',
  mobileChanged: 'his_mobileChanged',
  googleLinked: 'his_googleLinked',
  secretsDropped: 'his_secretsDropped',
  payPasswordSet: 'his_payPasswordSet',
  payPasswordChanged: 'his_payPasswordChanged',
  payPasswordReset: 'his_payPasswordReset',
  payPasswordWrong: 'his_payPasswordWrong',
  payPasswordLocked: 'his_payPasswordLocked',
  authenticatorAdded: 'his_authenticatorAdded',
  authenticatorRemoved: 'his_authenticatorRemoved',
  passkeyAdded: 'his_passkeyAdded',
  passkeyRemoved: 'his_passkeyRemoved',
  recoveryRenewed: 'his_recoveryRenewed',
  factorsReset: 'his_factorsReset',
  payTriesReset: 'his_payTriesReset',
  viewed: 'his_viewed',
  thawed: 'his_thawed',
  payoutsFrozen: 'his_payoutsFrozen',
  payoutsThawed: 'his_payoutsThawed',
  callsFrozen: 'his_callsFrozen',
  callsThawed: 'his_callsThawed',
  loginUnlocked: 'his_loginUnlocked',
  exported: 'his_exported',
  keyCreated: 'his_keyCreated',
  keyRenamed: 'his_keyRenamed',
  keyLimited: 'his_keyLimited',
  keyRotated: 'his_keyRotated',
} as const

const ICONS: Readonly<Record<HistoryEvent, LucideIcon>> = {
  registered: LogIn,
  login: LogIn,
  loginFailed: ShieldAlert,
  logout: LogOut,
  sessionEnded: LogOut,
  sessionsEnded: LogOut,
  stepUp: ShieldCheck,
  passwordSet: Lock,
  passwordChanged: Lock,
  emailVerified: UserPen,
  emailChanged: UserPen,
  mobileChanged: UserPen,
  googleLinked: UserPen,
  secretsDropped: ShieldAlert,
  payPasswordSet: Wallet,
  payPasswordChanged: Wallet,
  payPasswordReset: Wallet,
  payPasswordWrong: ShieldAlert,
  payPasswordLocked: ShieldAlert,
  authenticatorAdded: Fingerprint,
  authenticatorRemoved: Fingerprint,
  passkeyAdded: Fingerprint,
  passkeyRemoved: Fingerprint,
  recoveryRenewed: Fingerprint,
  factorsReset: ShieldAlert,
  payTriesReset: ShieldAlert,
  viewed: Eye,
  frozen: Snowflake,
  thawed: ShieldCheck,
  payoutsFrozen: Snowflake,
  payoutsThawed: ShieldCheck,
  callsFrozen: Snowflake,
  callsThawed: ShieldCheck,
  loginUnlocked: ShieldCheck,
  exported: Download,
  keyCreated: KeyRound,
  keyRenamed: KeyRound,
  keyLimited: KeyRound,
  keyRotated: KeyRound,
  keyDisabled: KeyRound,
  keyEnabled: KeyRound,
  keyDeleted: KeyRound,
  alertsChanged: Webhook,
}
/** Events that another person may have caused. */
const WARNED: ReadonlySet<HistoryEvent> = new Set<HistoryEvent>([
  'loginFailed',
  'payPasswordWrong',
  'payPasswordLocked',
  'secretsDropped',
  'factorsReset',
  'payTriesReset',
  'frozen',
  'payoutsFrozen',
  'callsFrozen',
])

const toHistoryDay = ({ at }: HistoryEntry) => toShanghaiDay(new Date(at))

/** One event: name, key or host; method, device and network; time. */
function HistoryLine({ entry }: { readonly entry: HistoryEntry }) {
  const t = useTexts(securityTexts)
  const title = useEventTitle(entry)
  const { event, way, userAgent, network, byUser, at } = entry
  const Icon = ICONS[event]
  const isWarned = WARNED.has(event)
  const device = userAgent === null ? '' : parseDevice(userAgent).name || t('ses_unknown')
  const about = [way === null || way === 'register' ? '' : t(HIS_WAY_TEXT[way]), device].filter(Boolean)
  return (
    <li className="flex items-start gap-4 py-3.5 mobile:gap-3">
      <Icon size={20} strokeWidth={1.75} aria-hidden="true" className={`mt-0.5 shrink-0 ${isWarned ? 'text-warning' : 'text-fg-3'}`} />
      <div className="min-w-0 flex-1 text-14">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <span className="[overflow-wrap:anywhere]">{title}</span>
          {byUser ? null : <Badge tone="info">{t('his_by_us')}</Badge>}
        </p>
        {about.length || network ? (
          <p className="text-13 text-fg-3">
            {about.join(' · ')}
            {about.length && network ? ' · ' : null}
            {network ? <span className="num inline-block max-w-full [overflow-wrap:anywhere] whitespace-normal">{network}</span> : null}
          </p>
        ) : null}
      </div>
      <time dateTime={at} className="num mt-px shrink-0 text-13 text-fg-3">
        {toShanghaiTime(new Date(at)).slice(11, 16)}
      </time>
    </li>
  )
}

function useEventTitle({ event, detail }: HistoryEntry): string {
  const t = useTexts(securityTexts)
  if (event === 'alertsChanged') return detail ? t('his_alertsChanged', { host: detail }) : t('his_alertsChanged_none')
  if (event === 'sessionsEnded') return t('his_sessionsEnded', { count: detail ?? '' })
  const what = t(HIS_TEXT[event])
  return detail === null ? what : t('his_named', { what, name: detail })
}

const HIS_GROUP_TEXT = { signIn: 'his_group_signIn', all: 'his_group_all', security: 'his_group_security', access: 'his_group_access' } as const

const PAGE = 20

/** History of the account's security, by day, newest first. */
export function HistorySection() {
  const t = useTexts(securityTexts)
  const [group, setGroup] = useState<HistoryGroup>('all')
  return (
    <>
      <p className="mb-4 text-14 text-fg-2">{t('his_lead')}</p>
      <Segmented
        label={t('his_filter')}
        value={group}
        onChange={setGroup}
        items={HISTORY_GROUPS.map((value) => ({ value, label: t(HIS_GROUP_TEXT[value]) }))}
      />
      <div className="mt-4">
        <HistoryList key={group} group={group} />
      </div>
    </>
  )
}

function HistoryList({ group }: { readonly group: HistoryGroup }) {
  const t = useTexts(securityTexts)
  // the section's heading is the page's first on phones, its second on desktops
  const Heading = useIsMobile() ? 'h2' : 'h3'
  const list = useInfiniteQuery({
    queryKey: ['account', 'history', group],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => historyApi.securityHistory({ group, after: pageParam || undefined, pageSize: PAGE }, { signal }),
    getNextPageParam: (last) => last.next ?? undefined,
    staleTime: 0,
  })
  if (list.isError && !list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data)
    return (
      <div className="card px-5 mobile:px-4">
        <SkeletonRows rows={6} />
      </div>
    )
  const rows = list.data.pages.flatMap((page) => page.rowList)
  if (!rows.length)
    return (
      <div className="card">
        <EmptyState title={t('his_empty')} body={t('his_empty_hint')} />
      </div>
    )
  return (
    <>
      {groupByDay(rows).map(([day, entries]) => (
        <section key={day} aria-labelledby={`history-${day}`} className="mb-5">
          <Heading id={`history-${day}`} className="num mb-2 text-13 font-medium text-fg-2">
            {day}
          </Heading>
          <ul className="card divide-y divide-dashed divide-line px-5 mobile:px-4">
            {entries.map((entry) => (
              <HistoryLine key={entry.id} entry={entry} />
            ))}
          </ul>
        </section>
      ))}
      {list.isFetchNextPageError ? (
        <ErrorState error={list.error} onRetry={() => void list.fetchNextPage()} />
      ) : (
        <ListEnd hasMore={list.hasNextPage} loading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
      )}
    </>
  )
}

function groupByDay(rows: readonly HistoryEntry[]): readonly (readonly [day: string, entries: HistoryEntry[]])[] {
  const days = new Map<string, HistoryEntry[]>()
  for (const row of rows) {
    const day = toHistoryDay(row)
    const entries = days.get(day)
    if (entries) entries.push(row)
    else days.set(day, [row])
  }
  return [...days]
}
