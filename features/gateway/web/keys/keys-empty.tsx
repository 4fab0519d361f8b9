import { openDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/error-state.tsx'
import { gatewayTexts } from '../../texts.ts'
import { useKeyDialogs } from './key-dialogs.ts'

export function KeysEmpty({ balance }: { readonly balance: string | undefined }) {
  const t = useTexts(gatewayTexts)
  const openCreate = useKeyDialogs((state) => state.openCreate)
  const hasMoney = balance === undefined || /[1-9]/.test(balance)
  return (
    <EmptyState
      title={hasMoney ? t('keysEmpty') : t('keysEmptyNoBalance')}
      action={hasMoney ? <Button onClick={openCreate}>{t('createKey')}</Button> : <Button onClick={() => openDialog('recharge')}>{t('recharge')}</Button>}
    />
  )
}
