import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { formatCount } from '#platform/shared/show-money.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayTime } from '#platform/web/time.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { Button } from '#ui/button.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { toast } from '#ui/layers/toast.ts'
import type { ApiKeyRow } from '../../contract.ts'
import { gatewayTexts } from '../../texts.ts'
import { keysApi } from '../gateway-api.ts'
import { useKeysChanged } from '../queries.ts'

/** A rotation under way: until when the old secret works, and whether anybody still uses it. */
export function RotationStrip({ row }: { readonly row: ApiKeyRow }) {
  const t = useTexts(gatewayTexts)
  const changed = useKeysChanged()
  const [busy, setBusy] = useState(false)
  const { rotation } = row
  if (!rotation) return null
  const end = async () => {
    const body = rotation.calls ? t('endOldUsed', { count: formatCount(rotation.calls) }) : t('endOldUnused')
    if (!(await confirm({ title: t('endOldTitle', { token: rotation.apiToken }), body, action: t('endOld'), danger: true }))) return
    setBusy(true)
    try {
      await keysApi.endOldSecret({ keyId: row.keyId })
      toast.success(t('endOldDone'))
      await changed()
    } catch (failure) {
      toast.error(isApiError(failure) ? failure.message : String(failure))
    } finally {
      setBusy(false)
    }
  }
  const ends = displayTime(rotation.endsAt).slice(5)
  return (
    <AlertBox
      icon={<RefreshCw size={18} strokeWidth={1.75} aria-hidden="true" className="mt-0.5 shrink-0 text-info" />}
      action={
        <Button variant="secondary" size="sm" loading={busy} onClick={() => void end()}>
          {t('endOld')}
        </Button>
      }
    >
      <span className="font-semibold text-fg break-anywhere">{row.keyName}</span>{' '}
      {t('rotationNow', { token: row.apiToken, old: rotation.apiToken, time: ends })}{' '}
      {rotation.calls && rotation.lastUseAt
        ? t('rotationUsed', { count: formatCount(rotation.calls), time: displayTime(rotation.lastUseAt).slice(5) })
        : t('rotationUnused')}
    </AlertBox>
  )
}
