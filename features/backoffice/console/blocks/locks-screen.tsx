import { useNavigate } from '@tanstack/react-router'
import type { ReplyOf, SentOf } from '#platform/shared/contract.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { locksContract } from '#features/account/contract-locks.console.ts'
import { createConsoleApi } from '../kit/api.ts'
import { CommandButton } from '../kit/command/command-button.tsx'
import { createColumns } from '../kit/list/columns.tsx'
import { ListScreen } from '../kit/list/list-screen.tsx'
import { blockTexts } from './texts.ts'

const api = createConsoleApi(locksContract)
const column = createColumns<ReplyOf<typeof locksContract.locks>['rows'][number]>()

/** Accounts whose sign-in from unknown addresses is locked now. */
export function LocksScreen() {
  const t = useTexts(blockTexts)
  const navigate = useNavigate()
  return (
    <ListScreen
      name="locks"
      title={t('locksTitle')}
      about={t('locksAbout')}
      load={(input: SentOf<typeof locksContract.locks>, signal) => api.locks(input, { signal })}
      file="/operator/locks"
      rowKey={(row) => row.userId}
      onOpen={(row) => void navigate({ to: `/customers/${row.userId}` })}
      columns={[
        column.customer('userId', t('colCustomer'), { mobile: 'title' }),
        column.num('contact', t('colContact')),
        column.num('failures', t('colFailures'), { align: 'right' }),
        column.time('endsAt', t('colEnds'), { mobile: 'primary' }),
        {
          key: 'act',
          header: '',
          align: 'right',
          mobile: 'hidden',
          cell: (row) => <CommandButton name="account.unlock-login" input={{ user: row.userId }} about={row.contact} word={t('unlock')} variant="ghost" />,
        },
      ]}
      empty={{ title: t('locksEmpty') }}
      pollMs={10_000}
    />
  )
}
