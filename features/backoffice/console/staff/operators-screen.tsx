import { Link } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { Time } from '#platform/web/time.tsx'
import { getButtonClass, Button } from '#ui/button.tsx'
import { CommandButton } from '../kit/command/command-button.tsx'
import { ListScreen } from '../kit/list/list-screen.tsx'
import { useConsoleFormatter } from '../kit/format.ts'
import { useSignedInOperator, useHasPermission } from '../kit/use-me.ts'
import { staffApi } from './api.ts'
import type { OperatorListRow } from './api.ts'
import { staffTexts } from './texts.ts'
import { useQuery } from '@tanstack/react-query'
import { Check, Minus } from 'lucide-react'
import { useState } from 'react'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { toast } from '#ui/layers/toast.ts'
import { OPERATOR_PERMISSIONS } from '../../permissions.ts'
import { runWithStepUp } from '../kit/command/step-up-store.ts'
import { SideSheet } from '../kit/sheet.tsx'
import { Badge } from '#ui/badge.tsx'
import type { Tone } from '#ui/badge.tsx'

const TONES: Readonly<Record<string, Tone>> = { active: 'success', invited: 'warning', suspended: 'danger' }

function OperatorStatusBadge({ status }: { readonly status: string }) {
  const say = useConsoleFormatter()
  return <Badge tone={TONES[status] ?? 'neutral'}>{say.value(status)}</Badge>
}

/** An operator's permissions, granted and missing, and the commands that owners can run on them. */
function OperatorSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const t = useTexts(staffTexts)
  const say = useConsoleFormatter()
  const may = useHasPermission()
  const { data: me } = useSignedInOperator()
  const { data, error, refetch } = useQuery({ queryKey: ['operators'], queryFn: ({ signal }) => staffApi.operators({}, { signal }) })
  const operator = data?.operators.find((one) => one.id === id)
  if (!operator)
    return (
      <SideSheet title={id} onClose={onClose}>
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : data ? <EmptyState title={t('emptyTitle')} /> : <SkeletonRows rows={6} />}
      </SideSheet>
    )
  const isOwn = operator.id === me?.id
  return (
    <SideSheet
      title={operator.name}
      tags={<OperatorStatusBadge status={operator.status} />}
      about={
        <>
          <span className="[overflow-wrap:anywhere]">{operator.mail}</span>
          <CopyButton iconOnly text={operator.mail} className="-my-2" />
        </>
      }
      onClose={onClose}
      foot={may('operators.manage') ? isOwn ? <p className="text-12 text-fg-2">{t('ownNote')}</p> : <OperatorActions operator={operator} /> : undefined}
    >
      <p className="mb-4 text-13">
        {t('roleNow', { roles: operator.roles.map((role) => say.role(role)).join(' · ') })}
        {may('audit.read') ? (
          <Link to={`/audit?actor=${operator.id}`} className="link ml-3">
            {t('acts')}
          </Link>
        ) : null}
      </p>
      <PermissionList title={t('may')} list={OPERATOR_PERMISSIONS.filter((one) => operator.permissions.includes(one))} has />
      <PermissionList title={t('mayNot')} list={OPERATOR_PERMISSIONS.filter((one) => !operator.permissions.includes(one))} />
    </SideSheet>
  )
}

function PermissionList({ title, list, has = false }: { readonly title: string; readonly list: readonly string[]; readonly has?: boolean }) {
  const say = useConsoleFormatter()
  const Icon = has ? Check : Minus
  if (!list.length) return null
  return (
    <section aria-label={title} className="mb-5">
      <h3 className="mb-2 text-13 font-semibold">
        {title} <span className="num font-normal text-fg-3">{list.length}</span>
      </h3>
      <ul className="grid grid-cols-2 gap-x-4 gap-y-1.5 text-13">
        {list.map((one) => (
          <li key={one} className={`flex items-start gap-2 ${has ? '' : 'text-fg-3'}`}>
            <Icon size={14} strokeWidth={2} className={`mt-[3px] shrink-0 ${has ? 'text-success' : ''}`} aria-hidden="true" />
            {say.permission(one)}
          </li>
        ))}
      </ul>
    </section>
  )
}

function OperatorActions({ operator }: { readonly operator: OperatorListRow }) {
  const t = useTexts(staffTexts)
  const common = { input: { operatorId: operator.id }, about: `${operator.name} · ${operator.mail}`, reasonCode: 'staff' }
  return (
    <>
      {operator.status === 'suspended' ? (
        <CommandButton name="operator.resume" word={t('resume')} {...common} />
      ) : (
        <CommandButton name="operator.suspend" word={t('suspend')} danger warning={t('suspendNote')} {...common} />
      )}
      {operator.status === 'invited' ? (
        <InviteLink operator={operator} />
      ) : (
        <CommandButton name="operator.roles" word={t('changeRoles')} variant="primary" {...common} />
      )}
    </>
  )
}

/** The invitation link, shown once. The token is in the URL fragment, which no server logs. */
function InviteLink({ operator }: { readonly operator: OperatorListRow }) {
  const t = useTexts(staffTexts)
  const [link, setLink] = useState<string>()
  const { run, isRunning } = useSubmit()
  const make = () =>
    void run(async () => {
      const { invite } = await runWithStepUp(() => staffApi.renewInvite({ operatorId: operator.id }))
      setLink(`${location.origin}/invite#${invite}`)
    }).then((error) => {
      if (error) toast.error(error.message)
    })
  return (
    <>
      <Button loading={isRunning} onClick={make}>
        {t('inviteLink')}
      </Button>
      <Dialog
        open={link !== undefined}
        onClose={() => setLink(undefined)}
        closable={false}
        title={t('inviteTitle', { name: operator.name })}
        description={t('inviteBody')}
        footer={
          <Button size="lg" onClick={() => setLink(undefined)}>
            {t('inviteDone')}
          </Button>
        }
      >
        <p className="num flex items-center gap-2 rounded-control bg-sunken p-3 break-all whitespace-normal">
          {link}
          <CopyButton iconOnly text={link ?? ''} label={t('inviteCopy')} />
        </p>
      </Dialog>
    </>
  )
}

const VIEW_TEXT = { active: 'view_active', invited: 'view_invited', suspended: 'view_suspended' } as const

/** Operators and their permissions; every operator can read the list, owners can change it. */
export function OperatorsScreen() {
  const t = useTexts(staffTexts)
  const say = useConsoleFormatter()
  const { data: me } = useSignedInOperator()
  return (
    <ListScreen<OperatorListRow>
      name="operators"
      title={t('title')}
      about={t('about')}
      actions={
        <>
          <Link to="/rules" className={getButtonClass('secondary', 'md')}>
            {t('rulesLink')}
          </Link>
          <CommandButton name="operator.invite" word={t('invite')} reasonCode="staff" variant="primary" />
        </>
      }
      search={t('search')}
      load={async ({ q, status }, signal) => {
        const { operators } = await staffApi.operators({}, { signal })
        const wanted = String(q ?? '').toLowerCase()
        return {
          rows: operators.filter((one) => `${one.name} ${one.mail}`.toLowerCase().includes(wanted) && (status === undefined || one.status === status)),
          next: null,
        }
      }}
      rowKey={(row) => row.id}
      views={[
        { id: 'all', label: t('view_all'), set: { status: undefined } },
        ...(['active', 'invited', 'suspended'] as const).map((status) => ({ id: status, label: t(VIEW_TEXT[status]), set: { status } })),
      ]}
      columns={[
        {
          key: 'name',
          header: t('colName'),
          mobile: 'title',
          cell: (row) => (
            <span className="block max-w-[40ch] min-w-0 leading-[18px]">
              <strong className="block truncate font-semibold">
                {row.name}
                {row.id === me?.id ? <span className="ml-2 text-12 font-normal text-brand-text">{t('you')}</span> : null}
              </strong>
              <span className="block truncate text-12 text-fg-3">{row.mail}</span>
            </span>
          ),
          csv: (row) => `${row.name} <${row.mail}>`,
        },
        { key: 'roles', header: t('colRoles'), cell: (row) => row.roles.map((role) => say.role(role)).join(' · '), csv: (row) => row.roles.join(' ') },
        { key: 'may', aside: true, header: t('colMay'), align: 'right', mobile: 'hidden', cell: (row) => t('mayN', { n: row.permissions.length }) },
        {
          key: 'since',
          aside: true,
          header: t('colSince'),
          align: 'right',
          mobile: 'hidden',
          cell: (row) => <Time at={row.createdAt} />,
          csv: (row) => row.createdAt,
        },
        {
          key: 'state',
          header: t('colState'),
          width: '104px',
          mobile: 'primary',
          cell: (row) => <OperatorStatusBadge status={row.status} />,
          csv: (row) => row.status,
        },
      ]}
      empty={{ title: t('emptyTitle'), body: t('emptyBody') }}
      dim={(row) => row.status === 'suspended'}
      sheet={({ id, close }) => <OperatorSheet key={id} id={id} onClose={close} />}
    />
  )
}
