import { Link } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { Time } from '#platform/web/time.tsx'
import { getButtonClass } from '#ui/button.tsx'
import { CommandButton } from '../kit/command/command-button.tsx'
import { ListScreen } from '../kit/list/list-screen.tsx'
import { useConsoleFormatter } from '../kit/format.ts'
import { useSignedInOperator } from '../kit/use-me.ts'
import { staffApi } from './api.ts'
import type { OperatorListRow } from './api.ts'
import { OperatorSheet } from './operator-sheet.tsx'
import { OperatorStatusBadge } from './status-badge.tsx'
import { staffTexts } from './texts.ts'

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
