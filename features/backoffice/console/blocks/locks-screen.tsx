import { useNavigate } from '@tanstack/react-router'
import type { SentOf } from '#platform/shared/contract.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Time } from '#platform/web/time.tsx'
import { locksContract } from '#features/account/contract-locks.console.ts'
import { createConsoleApi } from '../kit/api.ts'
import { CommandButton } from '../kit/command/command-button.tsx'
import { CustomerLink } from '../kit/customer-link.tsx'
import { ListScreen } from '../kit/list/list-screen.tsx'
import { blockTexts } from './texts.ts'

const api = createConsoleApi(locksContract)

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
        { key: 'who', header: t('colCustomer'), mobile: 'title', cell: (row) => <CustomerLink userId={row.userId} />, csv: (row) => row.userId },
        { key: 'contact', header: t('colContact'), cell: (row) => <span className="num">{row.contact}</span>, csv: (row) => row.contact },
        {
          key: 'failures',
          header: t('colFailures'),
          align: 'right',
          cell: (row) => <span className="num">{row.failures}</span>,
          csv: (row) => String(row.failures),
        },
        { key: 'ends', header: t('colEnds'), align: 'right', mobile: 'primary', cell: (row) => <Time at={row.endsAt} />, csv: (row) => row.endsAt },
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
